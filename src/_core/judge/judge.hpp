// One motion's command stream, judged cycle by cycle the way Control does it. Pure: values in,
// values out; no clock, no socket, no state machine. The live server, the offline judge and the
// tests run this same code.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/fixed.hpp"
#include "base/types.hpp"
#include "judge/ledger.hpp"
#include "judge/success_window.hpp"
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
  bool apply_late = true;                 ///< false: a command that missed its cycle is dropped
  double start_pose_tolerance = 0.1;      ///< [rad], reference 000 "Two deliberate departures"
  double start_velocity_tolerance = 0.1;  ///< [rad/s], reference 000, joint velocity row 1
  bool f32_state = true;  ///< v10 publishes f32: limits get the slack of architecture.md
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
  Generator generator;  ///< kNone: the rows of external torque and of the stream itself
  wire::Error error;
  bool always;  ///< refused whatever the switches say
  const char* source;
};
std::span<const CheckRow> checks() noexcept;

/// What one cycle came to.
struct CycleResult {
  bool started = false;       ///< the motion's first command has been seen (now or earlier)
  bool answered = false;      ///< a fresh command closed this cycle (accepted or refused)
  bool late_applied = false;  ///< a late command was applied
  bool finished = false;      ///< the accepted command carries the finished flag
  bool hold_reached = false;  ///< true in one cycle: the 20th lost in a row, it holds from here
  Reference reference;
  FixedVector<Violation, 8> violations;  ///< all that this cycle broke, warned or enforced
  wire::ErrorSet abort;  ///< not empty: stop with these errors; reference is the last good one
};

/// Datagrams: each is counted once, under fresh, superseded (fresh, but not the last of its cycle),
/// late, duplicate or unpublished. Cycles, from the first command on: fresh + lost.
struct Counters {
  std::uint64_t fresh = 0, late = 0, duplicate = 0, unpublished = 0, lost = 0, extrapolated = 0,
                superseded = 0;

  Counters& operator+=(const Counters& other) noexcept {
    fresh += other.fresh;
    late += other.late;
    duplicate += other.duplicate;
    unpublished += other.unpublished;
    lost += other.lost;
    extrapolated += other.extrapolated;
    superseded += other.superseded;
    return *this;
  }
};

/// The 20th lost cycle in a row stops a motion; 19 are survived (reference 000, "What the sim does
/// with a lost cycle").
inline constexpr unsigned kLostLimit = 20;

enum class Phase : std::uint8_t;
struct Sample;

class CommandJudge {
 public:
  /// A new motion from rest at `q_d`. Forgets everything of the previous one. A command that echoes
  /// a state older than `opened` (the first state that shows this motion) belongs to something else
  /// and is counted late, never applied. The caller has refused Cartesian generators by name.
  void begin(const MotionSpec& spec, const robot::JointLimits& limits, const Rules& rules,
             const Vec7& q_d, Cycle opened = {}) FSIM_NONBLOCKING;

  /// Close the cycle whose state is `published`. `commands` are this client's datagrams in order of
  /// arrival. `fresh_from` is the oldest id that still answers this cycle: `published` itself,
  /// except in lockstep, where a client may lag by states sent before its first command.
  /// Called once for every published cycle; after an abort the motion is over.
  CycleResult close(Cycle published, std::span<const wire::RobotCommand> commands,
                    Cycle fresh_from) FSIM_NONBLOCKING;

  /// Judge a hold after the last accepted command (a finish on a moving command). Empty when the
  /// command can be held; the torque-only interface is exempt.
  FixedVector<Violation, 8> judge_hold(Cycle published) const FSIM_NONBLOCKING;

  /// Fraction of the last 100 cycles answered in time; 0 before the first command.
  double success_rate() const noexcept { return window_.rate(); }
  unsigned lost_in_a_row() const noexcept { return lost_in_a_row_; }
  /// Lost cycles among the last 20.
  unsigned lost_in_last_20() const noexcept { return window_.lost_in_last(20); }
  const Counters& counters() const noexcept { return counters_; }
  /// The last accepted or extrapolated sample: what the next command is differenced against.
  const Reference& reference() const noexcept { return last_; }
  bool started() const noexcept { return started_; }

 private:
  /// A late command out of order: it stands for one cycle and is no sample of the trajectory.
  struct Passing {
    Reference reference;
    bool finishes;
  };

  // The three things a cycle can bring (judge.cpp).
  void take_fresh(const wire::RobotCommand& command, Cycle published, CycleResult& out) noexcept;
  void take_late(const wire::RobotCommand& command, Cycle published, CycleResult& out,
                 std::optional<Passing>& passing) noexcept;
  void lose(Cycle published, CycleResult& out) noexcept;

  // The history (history.cpp).
  Phase phase() const noexcept;
  Reference implied(const Reference& from, const wire::RobotCommand& command, double dt,
                    Phase phase) const noexcept;
  bool acceptable(const Sample& sample, Cycle cycle, bool extrapolated,
                  CycleResult& out) const noexcept;
  bool record(const wire::RobotCommand& command, const Reference& from, std::uint64_t interval,
              Cycle at, CycleResult& out) noexcept;
  void guess_until(Cycle cycle) noexcept;
  void hold() noexcept;

  MotionSpec spec_;
  robot::JointLimits limits_{};
  Rules rules_;
  Cycle opened_;

  Reference base_;        // the last sample that arrived,
  Cycle base_echo_;       //   the state it answered
  Cycle base_cycle_;      //   and the cycle it stands at
  Reference last_;        // newest sample of the history: base_ or a guess after it
  Cycle last_cycle_;      //   and its cycle
  unsigned guesses_ = 0;  // from base_ to last_
  unsigned reseeds_ = 0;  // commands that still re-seed the history after a hold
  bool held_ = false;     // last_ is a hold: left by the next command
  bool started_ = false;  // a first command has been accepted

  unsigned lost_in_a_row_ = 0;
  SuccessWindow window_;
  Ledger ledger_;
  Counters counters_;
};

}  // namespace fsim::judge
