// What a motion is told to do and where its commands have led: the values the judge takes and
// keeps. Must not hold a rule of judgement.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.hpp"
#include "robot/limits.hpp"

namespace fsim::judge {

/// What the client commands in this motion (Move request); torque-only is kNone + external torque.
enum class Generator : std::uint8_t {
  kNone,
  kJointPosition,
  kJointVelocity,
  kCartesianPosition,
  kCartesianVelocity,
};

constexpr bool is_cartesian(Generator generator) noexcept {
  return generator == Generator::kCartesianPosition || generator == Generator::kCartesianVelocity;
}

struct MotionSpec {
  Generator generator = Generator::kNone;
  bool external_torque = false;  ///< controller mode kExternalController
};

/// The switches of the server. Defaults are permissive, as in the reference; `--strict` sets all.
struct Rules {
  bool enforce_motion_limits = false;
  bool enforce_comm_constraints = false;
  bool apply_late = true;                 ///< false: a command that missed its cycle is dropped
  double start_pose_tolerance = 0.1;      ///< [rad], reference 000 "Two deliberate departures"
  double start_velocity_tolerance = 0.1;  ///< [rad/s], reference 000, joint velocity row 1
  bool f32_state = true;  ///< v10 publishes f32: limits get the slack of architecture.md
  // Reference 000, "Two deliberate departures": the first pose and elbow of a Cartesian motion.
  double start_translation_tolerance = 0.05;  ///< [m]
  double start_rotation_tolerance = 0.1;      ///< [rad]
  double start_elbow_tolerance = 0.1;         ///< [rad]
  /// `--joint-discontinuity-scale`: multiplies both tables of the joint side (29, 30).
  double joint_discontinuity_scale = 1.0;
};

/// Nominal thresholds of one robot: what Control checks.
struct Limits {
  robot::JointLimits joint{};
  robot::CartesianLimits cartesian{};
};

/// {q3, branch of joint 4} of a command or an arm; derivatives carry 0 in the second entry.
using Elbow = std::array<double, 2>;

/// The Cartesian half of the reference. Named members are published as they are: under a pose
/// generator O_T_EE_d = O_T_EE_c is the commanded pose, O_dP_EE_c and O_ddP_EE_c its backward
/// differences in O (what libfranka's limiter reads, wire.md 6) and O_dP_EE_d is zero; under a
/// twist generator both poses are frozen where the motion started and O_dP_EE_d = O_dP_EE_c is the
/// twist.
struct CartesianReference {
  Mat4 O_T_EE_c = kIdentity4;
  Vec6 O_dP_EE_c{};
  Vec6 O_ddP_EE_c{};
  Elbow elbow_c{};  ///< the measured elbow while none is commanded
  Elbow delbow_c{};
  Elbow ddelbow_c{};
  bool elbow_commanded = false;
  /// Pose the arm is to take: O_T_EE_c under a pose generator, the twist's integral under a twist
  /// generator. Not published; q_d realises it.
  Mat4 goal = kIdentity4;
  // Pose generator: angular velocity and acceleration in EE axes, so that rotations compose on the
  // right (reference 000, "What the sim does with a lost cycle").
  Vec3 turn{};
  Vec3 turn_rate{};
  /// Solutions still missing until the joints are a history again: 3 after a pose without a
  /// solution, 2 after the sample that gave joint 3 to the elbow or took it back.
  std::uint8_t joint_seeds = 0;
};

/// joint_seeds after a pose without a solution.
inline constexpr std::uint8_t kUnsolvedSeeds = 3;

/// How the joints of a Cartesian sample come from those before it; the worst last.
enum class JointPath : std::uint8_t {
  kFollows,  ///< as one trajectory
  kRebased,  ///< its history begins anew, here or in the two samples before: they may jump
  kStopped,  ///< at once: a pose without joints
};

/// Commanded reference after a cycle: what q_d, dq_d, ddq_d, tau_J_d publish and control follows.
/// Under a Cartesian generator the first three are the joint trajectory of the inverse kinematics,
/// which control joins where it jumps (control/rejoin.hpp).
struct Reference {
  Vec7 q_d{};
  Vec7 dq_d{};
  Vec7 ddq_d{};
  Vec7 tau_J_d{};
  CartesianReference cartesian{};
};

/// What the arm measured in the state that the client answers.
struct Observation {
  Vec7 q{};
  Vec7 dq{};
  Mat4 O_T_EE = kIdentity4;
  Elbow elbow{};
};

/// Where a motion begins, at rest.
struct Start {
  Vec7 q_d{};
  Mat4 O_T_EE_d = kIdentity4;  ///< pose of the EE at q_d: a twist is integrated from here
  Observation measured;        ///< the first pose and elbow are compared with these
};

}  // namespace fsim::judge
