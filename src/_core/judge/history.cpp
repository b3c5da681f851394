// The history of one motion: what is recorded, what is guessed, where a hold leaves it.
// Must not know arrivals.
#include <algorithm>

#include "judge/cartesian.hpp"
#include "judge/cause.hpp"
#include "judge/checks.hpp"
#include "judge/extrapolate.hpp"
#include "judge/judge.hpp"

namespace fsim::judge {

bool finishes(const MotionSpec& spec, const wire::RobotCommand& command) noexcept {
  return spec.generator == Generator::kNone ? command.torque_command_finished
                                            : command.motion_generation_finished;
}

Phase CommandJudge::phase() const noexcept {
  if (!started_) return Phase::kOpening;
  if (reseeds_ == 2) return Phase::kReseedFirst;
  if (reseeds_ == 1) return Phase::kReseedSecond;
  return Phase::kRunning;
}

CommandJudge::Implied CommandJudge::implied(const Reference& from,
                                            const wire::RobotCommand& command, double dt,
                                            Phase rows) const noexcept {
  Implied to{family_->imply(from, command, dt, rows), {}};
  if (spec_.external_torque) to.next.tau_J_d = command.tau_J_d;
  if (is_cartesian(spec_.generator)) solve(from, dt, rows, to);
  return to;
}

CommandJudge::Implied CommandJudge::guessed(const Reference& from,
                                            bool with_joints) const noexcept {
  Implied to{family_->extrapolate(from), {}};
  if (with_joints && is_cartesian(spec_.generator)) solve(from, kDt, Phase::kRunning, to);
  return to;
}

// The joints of the new sample. A frame that will be refused has none; one that the solver cannot
// reach breaks the joint history.
void CommandJudge::solve(const Reference& from, double dt, Phase rows, Implied& to) const noexcept {
  CartesianReference& c = to.next.cartesian;
  if (solver_.solve == nullptr || !valid_frame(c.goal)) return;
  to.joints.q = from.q_d;
  to.solved = solver_.solve(solver_.context, c.goal, c.elbow_commanded ? &c.elbow_c : nullptr,
                            from.q_d, to.joints);
  const bool follows = imply_joints(from, to.joints.q, dt, rows, to.next);
  to.joint_path = follows ? JointPath::kFollows : JointPath::kRebased;
  if (to.solved) return;
  // It stands where the last pose with joints left it.
  to.next.dq_d = to.next.ddq_d = {};
  const bool stood = from.cartesian.joint_seeds == kUnsolvedSeeds;
  to.joint_path = stood ? JointPath::kFollows : JointPath::kStopped;
  c.joint_seeds = kUnsolvedSeeds;
}

void CommandJudge::note_unsolved(const Implied& sample, CycleResult& out) noexcept {
  if (unsolved_ || sample.solved || sample.next.cartesian.joint_seeds != kUnsolvedSeeds) return;
  unsolved_ = out.unsolved = true;
}

bool CommandJudge::acceptable(const Reference& from, const Implied& to, double dt, Phase rows,
                              Cycle cycle, Origin origin, CycleResult& out) const noexcept {
  const Sample sample{from, to.next, dt, rows, to.solved ? &to.joints : nullptr};
  bool accepted = true;
  const auto report = [&](const Breach& breach) {
    const CheckRow& row = checks()[static_cast<std::size_t>(breach.row)];
    Violation v{row.error,    static_cast<std::uint8_t>(breach.row),
                breach.joint, breach.value,
                breach.limit, cycle};
    v.extrapolated = origin == Origin::kGuess;
    v.enforced = row.always || rules_.enforce_motion_limits;
    v.generator = spec_.generator;
    v.axis = breach.axis;
    v.over = breach.over;
    v.lost_in_last_20 = static_cast<std::uint8_t>(window_.lost_in_last(20));
    v.previous_extrapolated = &from == &last_ && guesses_ > 0;
    v.gap = static_cast<std::uint16_t>(v.previous_extrapolated ? guesses_ : 0);
    if (dt > kDt) v.gap = static_cast<std::uint16_t>(dt / kDt - 0.5);
    v.cause = cause_of({sample, breach, spec_.generator, origin, base_, v.previous_extrapolated,
                        v.gap, since_guess_, has_measured_ ? &measured_ : nullptr, limits_});
    out.violations.push(v);
    if (!v.enforced) return;
    accepted = false;
    out.abort.set(row.error);
    // The safety controller notices a commanded velocity out of the envelope as well (reference
    // 000, "joint_velocity_violation (3): the safety controller").
    if (row.error == wire::Error::kJointMotionGeneratorVelocityLimitsViolation)
      out.abort.set(wire::Error::kJointVelocityViolation);
  };
  Breaches breaches;
  family_->judge(sample, limits_, rules_, breaches);
  for (const Breach& breach : breaches) report(breach);
  if (spec_.external_torque)
    if (const auto breach = judge_torque(sample, limits_.joint, rules_)) report(*breach);
  return accepted;
}

// The new history. Without a Cartesian generator that half never changes: it is not copied.
void CommandJudge::take_over(Reference& history, const Reference& next) const noexcept {
  if (is_cartesian(spec_.generator)) {
    history = next;
    return;
  }
  history.q_d = next.q_d;
  history.dq_d = next.dq_d;
  history.ddq_d = next.ddq_d;
  history.tau_J_d = next.tau_J_d;
}

// Difference `command` against `from`, `interval` cycles earlier, and make it the history at `at`.
bool CommandJudge::record(const wire::RobotCommand& command, const Reference& from,
                          std::uint64_t interval, Cycle at, CycleResult& out) noexcept {
  const Phase rows = phase();
  started_ = true;
  const double dt = kDt * static_cast<double>(interval);
  const Implied to = implied(from, command, dt, rows);
  note_unsolved(to, out);
  const Cycle echo{command.message_id};
  const Origin origin = rows == Phase::kOpening ? Origin::kOpening : Origin::kCommand;
  if (!acceptable(from, to, dt, rows, echo, origin, out)) return false;

  const bool after_guess = (&from == &last_ && guesses_ > 0) || interval > 1;
  if (after_guess)
    since_guess_ = 1;
  else if (since_guess_ < kLongAgo)
    ++since_guess_;
  out.joint_path = std::max(out.joint_path, to.joint_path);
  take_over(last_, to.next);
  take_over(base_, to.next);
  base_echo_ = echo;
  base_cycle_ = last_cycle_ = at;
  guesses_ = 0;
  held_ = false;
  if (reseeds_ > 0) --reseeds_;
  out.finished |= finishes(spec_, command);
  return true;
}

// Guesses for cycles that are already past: never a reference any more, so not judged (J10). The
// joints are solved for the last three only: no difference reaches further back.
void CommandJudge::guess_until(Cycle cycle) noexcept {
  if (last_cycle_ >= cycle) return;
  std::uint64_t left = std::min<std::uint64_t>(cycle - last_cycle_, kLostLimit - 1 - guesses_);
  for (; left > 0; --left) {
    last_ = guessed(last_, left <= 3).next;
    last_cycle_ = last_cycle_.next();
    ++guesses_;
  }
  if (last_cycle_ < cycle) {
    hold();
    last_cycle_ = cycle;
  }
}

void CommandJudge::hold() noexcept {
  last_ = held(last_);
  held_ = true;
  reseeds_ = 2;
}

}  // namespace fsim::judge
