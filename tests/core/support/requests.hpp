// Requests and commands as a client would send them, and the status numbers it would read. Must not
// take a number from the code under test.
#pragma once

#include <cmath>
#include <limits>

#include "engine/doors.hpp"
#include "wire/commands.hpp"
#include "wire/messages.hpp"

namespace fsim::test {

// Status numbers of FCI v6 to v10, wire.md 1.4.
inline constexpr int kMoveSuccess = 0, kMoveStarted = 1, kMovePreempted = 2, kMoveNotPossible = 5,
                     kMoveInvalidArgument = 7, kMoveReflexAborted = 8, kMoveEmergencyAborted = 9,
                     kMoveAborted = 11;
inline constexpr int kStopSuccess = 0;
inline constexpr int kRecoverySuccess = 0, kRecoveryNotPossible = 1, kRecoveryEmergencyAborted = 5;
inline constexpr int kSetterSuccess = 0, kSetterNotPossible = 1, kSetterInvalidArgument = 2;

// Numbers in the Move request, wire.md 1.3.
inline constexpr std::uint32_t kJointPosition = 0, kJointVelocity = 1, kCartesianPosition = 2,
                               kNoGenerator = 4;
inline constexpr std::uint32_t kJointImpedance = 0, kCartesianImpedance = 1, kExternal = 2;

/// libfranka's Move request: its default deviations (wire.md 1.3).
inline wire::MoveRequest move(std::uint32_t generator, std::uint32_t controller = kJointImpedance) {
  wire::MoveRequest m{};
  m.motion_generator_mode = generator;
  m.controller_mode = controller;
  m.maximum_path_deviation = m.maximum_goal_pose_deviation = {10.0, 3.12, 2 * M_PI};
  return m;
}

/// The row of a v10 command by its number, wire.md 1.2.
inline const wire::CommandRow* row_of(const wire::Request& request) {
  constexpr std::uint32_t kIds[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};  // order of wire::Request
  return wire::find_command(10, kIds[request.index()]);
}

inline engine::ClientRequest client_request(engine::Token token, const wire::Request& request) {
  return {token, row_of(request), request};
}

inline wire::RobotCommand position(const Vec7& q_c, bool finished = false) {
  wire::RobotCommand c;
  c.q_c = q_c;
  c.motion_generation_finished = finished;
  return c;
}
inline wire::RobotCommand velocity(const Vec7& dq_c, bool finished = false) {
  wire::RobotCommand c;
  c.dq_c = dq_c;
  c.motion_generation_finished = finished;
  return c;
}
inline wire::RobotCommand torque(const Vec7& tau_J_d, bool finished = false) {
  wire::RobotCommand c;
  c.tau_J_d = tau_J_d;
  c.torque_command_finished = finished;
  return c;
}

/// Quintic from 0 to 1 over `T` seconds, at rest at both ends; `t` in seconds.
inline double quintic(double t, double T) {
  const double s = std::fmin(std::fmax(t / T, 0.0), 1.0);
  return s * s * s * (10 + s * (6 * s - 15));
}

}  // namespace fsim::test
