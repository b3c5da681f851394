// The families of signals by generator: one row each. Must not hold a law or a limit of its own.
#include "judge/cartesian.hpp"
#include "judge/checks.hpp"
#include "judge/extrapolate.hpp"

namespace fsim::judge {
namespace {

void stay_on_elbow(const Reference& at, wire::RobotCommand& command) noexcept {
  command.elbow_c = at.cartesian.elbow_c;
  command.valid_elbow = at.cartesian.elbow_commanded;
}

constexpr Family kNoGenerator{
    [](const Reference& prev, const wire::RobotCommand&, double, Phase) noexcept { return prev; },
    [](const Reference& last) noexcept { return extrapolate(last); },
    [](const Sample&, const Limits&, const Rules&, Breaches&) noexcept {},
    [](const Reference&, wire::RobotCommand&) noexcept {}};

constexpr Family kJointPosition{
    [](const Reference& prev, const wire::RobotCommand& command, double dt, Phase phase) noexcept {
      return imply_joint_position(prev, command.q_c, dt, phase);
    },
    [](const Reference& last) noexcept { return extrapolate(last); },
    [](const Sample& s, const Limits& limits, const Rules& rules, Breaches& out) noexcept {
      if (auto b = judge_joint_position(s, limits.joint, rules)) out.push(*b);
    },
    [](const Reference& at, wire::RobotCommand& command) noexcept { command.q_c = at.q_d; }};

constexpr Family kJointVelocity{
    [](const Reference& prev, const wire::RobotCommand& command, double dt, Phase phase) noexcept {
      return imply_joint_velocity(prev, command.dq_c, dt, phase);
    },
    [](const Reference& last) noexcept { return extrapolate(last); },
    [](const Sample& s, const Limits& limits, const Rules& rules, Breaches& out) noexcept {
      if (auto b = judge_joint_velocity(s, limits.joint, rules)) out.push(*b);
    },
    [](const Reference&, wire::RobotCommand&) noexcept {}};

constexpr Family kCartesianPosition{imply_pose, extrapolate_pose, judge_pose,
                                    [](const Reference& at, wire::RobotCommand& command) noexcept {
                                      command.O_T_EE_c = at.cartesian.O_T_EE_c;
                                      stay_on_elbow(at, command);
                                    }};

constexpr Family kCartesianVelocity{imply_twist, extrapolate_twist, judge_twist, stay_on_elbow};

}  // namespace

const Family& family(Generator generator) noexcept {
  switch (generator) {
    case Generator::kJointPosition:
      return kJointPosition;
    case Generator::kJointVelocity:
      return kJointVelocity;
    case Generator::kCartesianPosition:
      return kCartesianPosition;
    case Generator::kCartesianVelocity:
      return kCartesianVelocity;
    case Generator::kNone:
      break;
  }
  return kNoGenerator;
}

}  // namespace fsim::judge
