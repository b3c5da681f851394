// One motion's command stream, judged cycle by cycle the way Control does it. Pure: values in,
// values out; no clock, no socket, no state machine. The live server, the offline judge and the
// tests run this same code.
#pragma once

#include <cstdint>
#include <span>

#include "base/fixed.hpp"
#include "base/types.hpp"
#include "robot/limits.hpp"
#include "wire/errors.hpp"
#include "wire/messages.hpp"

namespace fsim::judge {

/// What the client commands in this motion (Move request); torque-only is kNone + external torque.
enum class Generator : std::uint8_t {
  kNone,
  kJointPosition,
  kJointVelocity,
  kCartesianPosition,
  kCartesianVelocity,
};

struct MotionSpec {
  Generator generator = Generator::kNone;
  bool external_torque = false;  ///< controller mode kExternalController
};

/// The switches of the server. Defaults are permissive, as in the reference; `--strict` sets all.
struct Rules {
  bool enforce_motion_limits = false;
  bool enforce_comm_constraints = false;
  bool apply_late = true;              ///< false: a command that missed its cycle is dropped
  double start_pose_tolerance = 0.1;   ///< [rad], reference 000 "Two deliberate departures"
  double start_velocity_tolerance = 0.1;  ///< [rad/s], reference 000, joint velocity row 1
  bool f32_state = true;               ///< v10 publishes f32: limits get the slack of architecture.md
};

/// Commanded reference after a cycle: what q_d, dq_d, ddq_d, tau_J_d publish and control follows.
struct Reference {
  Vec7 q_d{};
  Vec7 dq_d{};
  Vec7 ddq_d{};
  Vec7 tau_J_d{};
};

/// Which rule was broken, where and by how much. `row` indexes `checks()`.
struct Violation {
  wire::Error error{};
  std::uint8_t row = 0;
  std::int8_t joint = -1;     ///< 0-based; -1: no joint
  double value = 0;           ///< unit of the row
  double limit = 0;           ///< nominal threshold, without slack
  Cycle cycle{};              ///< the published cycle that this command (or guess) answers
  bool extrapolated = false;  ///< the sample judged is the server's own extrapolation
  bool enforced = false;      ///< it aborts the motion
};

/// One row of the precedence table; within a generator the first row that fails names the error.
struct CheckRow {
  const char* signal;     ///< "q_c", "dq_c", "tau_J_d", ...
  const char* condition;  ///< "position limits", "implied acceleration", ...
  const char* unit;
  Generator generator;
  wire::Error error;
  const char* source;
};
std::span<const CheckRow> checks() noexcept;

/// How a datagram relates to the cycles published so far.
enum class Arrival : std::uint8_t { kFresh, kLate, kDuplicate, kUnpublished };

/// What one cycle came to.
struct CycleResult {
  bool started = false;        ///< the motion's first command has been seen (now or earlier)
  bool answered = false;       ///< a fresh command closed this cycle
  bool late_applied = false;   ///< a late command was applied
  bool finished = false;       ///< the accepted command carries the finished flag
  bool hold_reached = false;   ///< the 20th lost cycle in a row: the reference holds from here
  Reference reference;
  FixedVector<Violation, 8> violations;  ///< all that this cycle broke, warned or enforced
  wire::ErrorSet abort;        ///< not empty: stop with these errors; reference is the last good one
};

struct Counters {
  std::uint64_t fresh = 0, late = 0, duplicate = 0, unpublished = 0, lost = 0, extrapolated = 0,
                superseded = 0;  ///< superseded: fresh, but not the last of its cycle
};

class CommandJudge {
 public:
  /// A new motion from rest at `q_d`. Forgets everything of the previous one.
  void begin(const MotionSpec& spec, const robot::JointLimits& limits, const Rules& rules,
             const Vec7& q_d) noexcept;

  /// Close the cycle whose state is `published`. `commands` are this client's datagrams in order of
  /// arrival. `fresh_from` is the oldest id that still answers this cycle: `published` itself,
  /// except in lockstep, where a client may lag by states sent before its first command.
  CycleResult close(Cycle published, std::span<const wire::RobotCommand> commands,
                    Cycle fresh_from) noexcept;

  /// Judge a hold after the last accepted command (a finish on a moving command). Empty when the
  /// command can be held; the torque-only interface is exempt.
  FixedVector<Violation, 8> judge_hold(Cycle published) const noexcept;

  /// Fraction of the last 100 cycles answered in time; 0 before the first command.
  double success_rate() const noexcept;
  unsigned lost_in_a_row() const noexcept;
  /// Lost cycles among the last 20.
  unsigned lost_in_last_20() const noexcept;
  const Counters& counters() const noexcept;
  const Reference& reference() const noexcept;
  bool started() const noexcept;

 private:
  // filled by the judge room
};

}  // namespace fsim::judge
