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
#include "judge/reference.hpp"
#include "judge/solver.hpp"
#include "judge/success_window.hpp"
#include "judge/violation.hpp"
#include "robot/limits.hpp"
#include "wire/errors.hpp"
#include "wire/messages.hpp"

namespace fsim::judge {

/// What one cycle came to.
struct CycleResult {
  bool started = false;       ///< the motion's first command has been seen (now or earlier)
  bool answered = false;      ///< a fresh command closed this cycle (accepted or refused)
  bool late_applied = false;  ///< a late command was applied
  bool finished = false;      ///< the accepted command carries the finished flag
  bool hold_reached = false;  ///< true in one cycle: the 20th lost in a row, it holds from here
  bool unsolved = false;  ///< true once a motion: a pose without joints, not judged on its joints
  JointPath joint_path = JointPath::kFollows;  ///< of the samples recorded in this cycle
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
enum class Origin : std::uint8_t;
struct Family;
const Family& family(Generator generator) noexcept;

/// chosen: as many as one cycle takes from the socket.
using Arrivals = FixedVector<Arrival, 64>;

class CommandJudge {
 public:
  /// A new motion from rest at `q_d`. Forgets everything of the previous one. A command that echoes
  /// a state older than `opened` (the first state that shows this motion) belongs to something else
  /// and is counted late, never applied. Without a `solver` a Cartesian motion has no joint side:
  /// q_d stays.
  void begin(const MotionSpec& spec, const Limits& limits, const Rules& rules, const Start& start,
             const JointSolver& solver, Cycle opened = {}) FSIM_NONBLOCKING;
  /// The same for the joint generators and torques.
  void begin(const MotionSpec& spec, const robot::JointLimits& limits, const Rules& rules,
             const Vec7& q_d, Cycle opened = {}) FSIM_NONBLOCKING;

  /// What the arm measures in the state that is about to be answered: before each close(). The
  /// first pose and elbow of a motion are compared with it, and causes are found with it. A caller
  /// that never calls it leaves what `begin` was given.
  void observe(const Observation& measured) FSIM_NONBLOCKING;

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
  /// What each command of the last close() was, in the order it was given.
  const Arrivals& arrivals() const noexcept { return arrivals_; }
  /// The last accepted or extrapolated sample: what the next command is differenced against.
  const Reference& reference() const noexcept { return last_; }
  bool started() const noexcept { return started_; }

 private:
  static constexpr std::uint8_t kLongAgo = 255;

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

  /// A sample to be judged, with the joints that realise it.
  struct Implied {
    Reference next;
    JointSolution joints;
    bool solved = false;
    JointPath joint_path = JointPath::kFollows;
  };

  // The history (history.cpp).
  Phase phase() const noexcept;
  Implied implied(const Reference& from, const wire::RobotCommand& command, double dt,
                  Phase phase) const noexcept;
  Implied guessed(const Reference& from, bool with_joints) const noexcept;
  void solve(const Reference& from, double dt, Phase phase, Implied& out) const noexcept;
  void note_unsolved(const Implied& sample, CycleResult& out) noexcept;
  bool acceptable(const Reference& from, const Implied& to, double dt, Phase phase, Cycle cycle,
                  Origin origin, CycleResult& out) const noexcept;
  bool record(const wire::RobotCommand& command, const Reference& from, std::uint64_t interval,
              Cycle at, CycleResult& out) noexcept;
  void take_over(Reference& history, const Reference& next) const noexcept;
  void guess_until(Cycle cycle) noexcept;
  void hold() noexcept;

  MotionSpec spec_;
  const Family* family_ = &family(Generator::kNone);
  Limits limits_;
  Rules rules_;
  JointSolver solver_;
  Observation measured_;
  bool has_measured_ = false;
  Cycle opened_;

  Reference base_;                       // the last sample that arrived,
  Cycle base_echo_;                      //   the state it answered
  Cycle base_cycle_;                     //   and the cycle it stands at
  Reference last_;                       // newest sample of the history: base_ or a guess after it
  Cycle last_cycle_;                     //   and its cycle
  unsigned guesses_ = 0;                 // from base_ to last_
  unsigned reseeds_ = 0;                 // commands that still re-seed the history after a hold
  bool held_ = false;                    // last_ is a hold: left by the next command
  bool started_ = false;                 // a first command has been accepted
  bool unsolved_ = false;                // has been reported
  std::uint8_t since_guess_ = kLongAgo;  // commands recorded since the history held a guess

  unsigned lost_in_a_row_ = 0;
  SuccessWindow window_;
  Ledger ledger_;
  Arrivals arrivals_;
  Counters counters_;
};

}  // namespace fsim::judge
