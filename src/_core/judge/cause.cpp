// Causes, computed: the command is compared with what the client may have had in mind.
#include "judge/cause.hpp"

#include <algorithm>
#include <cmath>

#include "judge/cartesian.hpp"

namespace fsim::judge {
namespace {

// Chosen: what a client copies from a 32-bit state is nearer than this, what it computes is not
// [rad, m, and per second for velocities].
constexpr double kCopied = 1e-6;

/// Distance of two references in the commanded signal: largest joint, or norms added.
double distance(Generator generator, const Reference& a, const Reference& b) noexcept {
  const auto largest = [](const Vec7& x, const Vec7& y) {
    double most = 0;
    for (std::size_t i = 0; i < kJoints; ++i) most = std::max(most, std::abs(x[i] - y[i]));
    return most;
  };
  const CartesianReference& ca = a.cartesian;
  const CartesianReference& cb = b.cartesian;
  const double elbow =
      ca.elbow_commanded && cb.elbow_commanded ? std::abs(ca.elbow_c[0] - cb.elbow_c[0]) : 0.0;
  Vec6 d{};
  switch (generator) {
    case Generator::kJointPosition:
      return largest(a.q_d, b.q_d);
    case Generator::kJointVelocity:
      return largest(a.dq_d, b.dq_d);
    case Generator::kCartesianPosition: {
      for (std::size_t k = 0; k < 3; ++k) d[k] = ca.O_T_EE_c[12 + k] - cb.O_T_EE_c[12 + k];
      return norm3(&d[0]) + norm3(turn_from(ca.O_T_EE_c, cb.O_T_EE_c).data()) + elbow;
    }
    case Generator::kCartesianVelocity:
      for (std::size_t k = 0; k < 6; ++k) d[k] = ca.O_dP_EE_c[k] - cb.O_dP_EE_c[k];
      return norm3(&d[0]) + norm3(&d[3]) + elbow;
    case Generator::kNone:
      break;
  }
  return largest(a.tau_J_d, b.tau_J_d);
}

/// The measured values as if they had been commanded. No twist is measured, and no torque.
bool as_commanded(Generator generator, const Observation& measured, Reference& out) noexcept {
  out.q_d = measured.q;
  out.dq_d = measured.dq;
  out.cartesian.O_T_EE_c = measured.O_T_EE;
  return generator == Generator::kJointPosition || generator == Generator::kJointVelocity ||
         generator == Generator::kCartesianPosition;
}

bool is_row_major(const Mat4& T) noexcept {
  Mat4 transposed{};
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t c = 0; c < 4; ++c) transposed[4 * c + r] = T[4 * r + c];
  return valid_frame(transposed);
}

/// An envelope that is below the joint's rated speed: the stop is near.
bool is_braking_envelope(const Circumstances& c) noexcept {
  const bool envelope =
      c.breach.row == Row::kPositionVelocity || c.breach.row == Row::kVelocityEnvelope ||
      c.breach.row == Row::kPoseJointVelocity || c.breach.row == Row::kTwistJointVelocity;
  if (!envelope || c.breach.joint < 0) return false;
  const auto joint = static_cast<std::size_t>(static_cast<std::uint8_t>(c.breach.joint));
  return std::abs(c.breach.limit) < c.limits.joint.velocity[joint];
}

/// After lost cycles: what the command is nearest to, if it is clearly near to something.
Cause after_gap(const Circumstances& c) noexcept {
  const Family& law = family(c.generator);
  const Reference& next = c.sample.next;
  const Reference one_on = law.extrapolate(c.arrived);
  const double step = distance(c.generator, one_on, c.arrived);
  const double to_own = distance(c.generator, next, c.arrived);
  const double to_one_on = distance(c.generator, next, one_on);
  const double to_repeat = distance(c.generator, next, c.sample.prev);
  const double nearest = std::min({to_own, to_one_on, to_repeat});
  if (!(nearest <= 0.5 * step)) return Cause::kStraddlesGap;
  if (nearest == to_repeat) return Cause::kStoppedInOneCycle;
  return nearest == to_own ? Cause::kResumedFromOwnWaypoint : Cause::kAssumedOneMillisecond;
}

}  // namespace

Cause cause_of(const Circumstances& c) noexcept {
  const CheckRow& row = checks()[static_cast<std::size_t>(c.breach.row)];
  const bool torque = c.breach.row == Row::kTorqueRange || c.breach.row == Row::kTorqueRate;
  if (c.breach.row == Row::kPoseFrame)
    return is_row_major(c.sample.next.cartesian.O_T_EE_c) ? Cause::kRowMajor : Cause::kOwnSignal;
  if (row.always) return Cause::kNotFinite;
  if (c.origin == Origin::kGuess) return Cause::kExtrapolation;
  if (c.origin == Origin::kHold) return Cause::kFinishedMoving;
  if (c.origin == Origin::kOutOfOrder) return Cause::kOutOfOrder;

  const Generator signal = torque ? Generator::kNone : c.generator;
  const Reference& next = c.sample.next;
  const Reference& prev = c.sample.prev;
  Reference measured;
  // A first pose is compared with the measured one: to be at it is no fault.
  const bool may_copy = signal != Generator::kCartesianPosition || c.origin != Origin::kOpening;
  if (c.measured != nullptr && may_copy && as_commanded(signal, *c.measured, measured)) {
    const double copied = distance(signal, next, measured);
    if (copied <= kCopied && distance(signal, next, prev) > 2 * copied)
      return Cause::kSeededFromMeasured;
  }
  // Who starts where the robot says it stands is not away from it, though the robot may be.
  if (c.origin == Origin::kOpening)
    return distance(signal, next, prev) > kCopied ? Cause::kOpeningStep : Cause::kOwnSignal;
  if (is_braking_envelope(c)) return Cause::kNearStop;
  if (torque) return Cause::kOwnSignal;
  if (c.previous_extrapolated || c.gap > 0) return after_gap(c);

  const double step = distance(signal, family(signal).extrapolate(prev), prev);
  if (distance(signal, next, prev) < 0.1 * step) return Cause::kStoppedInOneCycle;
  // Its acceleration comes from two earlier samples (chosen: 2).
  if (c.since_guess <= 2) return Cause::kStraddlesGap;
  return Cause::kOwnSignal;
}

const char* name(Cause cause) noexcept {
  constexpr const char* kNames[] = {"own_signal",
                                    "not_finite",
                                    "row_major",
                                    "opening_step",
                                    "seeded_from_measured",
                                    "stopped_in_one_cycle",
                                    "resumed_from_own_waypoint",
                                    "assumed_one_millisecond",
                                    "straddles_gap",
                                    "out_of_order",
                                    "extrapolation",
                                    "finished_moving",
                                    "near_stop",
                                    "lost_commands",
                                    "measured",
                                    "pushed"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Cause::kCount));
  return kNames[static_cast<std::size_t>(cause)];
}

const char* text(Cause cause) noexcept {
  switch (cause) {
    case Cause::kOwnSignal:
      return "the commanded signal itself is over the limit";
    case Cause::kNotFinite:
      return "the command holds NaN or infinity";
    case Cause::kRowMajor:
      return "the matrix is row-major; send it column by column";
    case Cause::kOpeningStep:
      return "the first command is away from where the robot stands; start from the last desired "
             "value of the state";
    case Cause::kSeededFromMeasured:
      return "the command is the measured value; start from the desired one (q_d, dq_d, O_T_EE_c)";
    case Cause::kStoppedInOneCycle:
      return "the command repeats the reference while it moves, a stop in one cycle; go on at its "
             "velocity";
    case Cause::kResumedFromOwnWaypoint:
      return "resumed from your own last waypoint after lost cycles; go on from q_d and dq_d";
    case Cause::kAssumedOneMillisecond:
      return "advanced by 1 ms though more cycles had passed; use the time since the last state";
    case Cause::kStraddlesGap:
      return "the differences span cycles that were lost and extrapolated; go on from q_d, dq_d "
             "and "
             "ddq_d";
    case Cause::kOutOfOrder:
      return "a late command overtook an older one";
    case Cause::kExtrapolation:
      return "no command came and the last motion, carried on, ran over the limit";
    case Cause::kFinishedMoving:
      return "the motion was finished while still moving; slow down before you finish it";
    case Cause::kNearStop:
      return "too fast this near to the joint's stop; the limit shrinks to zero there";
    case Cause::kLostCommands:
      return "no command in time for too many cycles in a row";
    case Cause::kMeasured:
      return "measured on the arm, whatever was commanded";
    case Cause::kPushed:
      return "something pushes the arm, or what it carries is not what SetLoad says; the threshold "
             "is SetCollisionBehavior's";
    case Cause::kCount:
      break;
  }
  return "";
}

const char* name(Axis axis) noexcept {
  constexpr const char* kNames[] = {"",  "translation", "rotation", "elbow",   "x",
                                    "y", "z",           "about x",  "about y", "about z"};
  return kNames[static_cast<std::size_t>(axis)];
}

const char* name(Generator generator) noexcept {
  constexpr const char* kNames[] = {"none", "joint_position", "joint_velocity",
                                    "cartesian_position", "cartesian_velocity"};
  return kNames[static_cast<std::size_t>(generator)];
}

}  // namespace fsim::judge
