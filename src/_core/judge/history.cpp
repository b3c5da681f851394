// The history of one motion: what is recorded, what is guessed, where a hold leaves it.
// Must not know arrivals.
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

Reference CommandJudge::implied(const Reference& from, const wire::RobotCommand& command, double dt,
                                Phase rows) const noexcept {
  Reference next = from;
  if (spec_.generator == Generator::kJointPosition)
    next = imply_joint_position(from, command.q_c, dt, rows);
  if (spec_.generator == Generator::kJointVelocity)
    next = imply_joint_velocity(from, command.dq_c, dt, rows);
  if (spec_.external_torque) next.tau_J_d = command.tau_J_d;
  return next;
}

bool CommandJudge::acceptable(const Sample& sample, Cycle cycle, bool extrapolated,
                              CycleResult& out) const noexcept {
  bool accepted = true;
  const auto report = [&](const std::optional<Breach>& breach) {
    if (!breach) return;
    const CheckRow& row = checks()[static_cast<std::size_t>(breach->row)];
    const bool enforced = row.always || rules_.enforce_motion_limits;
    out.violations.push({row.error, static_cast<std::uint8_t>(breach->row), breach->joint,
                         breach->value, breach->limit, cycle, extrapolated, enforced});
    if (!enforced) return;
    accepted = false;
    out.abort.set(row.error);
    // The safety controller notices a commanded velocity out of the envelope as well (reference
    // 000, "joint_velocity_violation (3): the safety controller").
    if (row.error == wire::Error::kJointMotionGeneratorVelocityLimitsViolation)
      out.abort.set(wire::Error::kJointVelocityViolation);
  };
  if (spec_.generator == Generator::kJointPosition)
    report(judge_joint_position(sample, limits_, rules_));
  if (spec_.generator == Generator::kJointVelocity)
    report(judge_joint_velocity(sample, limits_, rules_));
  if (spec_.external_torque) report(judge_torque(sample, limits_, rules_));
  return accepted;
}

// Difference `command` against `from`, `interval` cycles earlier, and make it the history at `at`.
bool CommandJudge::record(const wire::RobotCommand& command, const Reference& from,
                          std::uint64_t interval, Cycle at, CycleResult& out) noexcept {
  const Phase rows = phase();
  started_ = true;
  const double dt = kDt * static_cast<double>(interval);
  const Reference next = implied(from, command, dt, rows);
  const Cycle echo{command.message_id};
  if (!acceptable({from, next, dt, rows}, echo, false, out)) return false;

  base_ = last_ = next;
  base_echo_ = echo;
  base_cycle_ = last_cycle_ = at;
  guesses_ = 0;
  held_ = false;
  if (reseeds_ > 0) --reseeds_;
  out.finished |= finishes(spec_, command);
  return true;
}

// Guesses for cycles that are already past: never a reference any more, so not judged (J10).
void CommandJudge::guess_until(Cycle cycle) noexcept {
  while (last_cycle_ < cycle && guesses_ + 1 < kLostLimit) {
    last_ = extrapolate(last_);
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
