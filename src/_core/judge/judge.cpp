// What one cycle of a motion comes to: each datagram by its echo, then the answer or the loss.
// Must not know what a signal implies (joint_position, joint_velocity, torque).
#include "judge/judge.hpp"

#include <algorithm>

#include "judge/checks.hpp"
#include "judge/extrapolate.hpp"

namespace fsim::judge {
namespace {

constexpr Cycle before(Cycle cycle) noexcept { return {cycle.n - 1}; }

}  // namespace

void CommandJudge::begin(const MotionSpec& spec, const robot::JointLimits& limits,
                         const Rules& rules, const Vec7& q_d, Cycle opened) FSIM_NONBLOCKING {
  *this = CommandJudge{};
  spec_ = spec;
  limits_ = limits;
  rules_ = rules;
  opened_ = opened;
  last_.q_d = q_d;
  base_ = last_;
}

CycleResult CommandJudge::close(Cycle published, std::span<const wire::RobotCommand> commands,
                                Cycle fresh_from) FSIM_NONBLOCKING {
  CycleResult out;
  const wire::RobotCommand* fresh = nullptr;
  std::optional<Passing> passing;

  // Late commands act in order of arrival; the last fresh one answers the cycle after them (J8).
  ledger_.open();
  for (const wire::RobotCommand& command : commands) {
    switch (ledger_.enter({command.message_id}, published, fresh_from)) {
      case Arrival::kFresh:
        if (fresh != nullptr) ++counters_.superseded;
        fresh = &command;
        break;
      case Arrival::kLate:
        ++counters_.late;
        if (rules_.apply_late && !out.abort.any()) take_late(command, published, out, passing);
        break;
      case Arrival::kDuplicate:
        ++counters_.duplicate;
        break;
      case Arrival::kUnpublished:
        ++counters_.unpublished;
        break;
    }
  }

  if (fresh != nullptr) {
    take_fresh(*fresh, published, out);
  } else if (started_) {
    lose(published, out);
  }
  out.started = started_;
  out.reference = last_;
  if (passing && !out.answered && !out.abort.any()) {
    out.late_applied = true;
    out.finished |= passing->finishes;
    out.reference = passing->reference;
  }
  return out;
}

void CommandJudge::take_fresh(const wire::RobotCommand& command, Cycle published,
                              CycleResult& out) noexcept {
  ++counters_.fresh;
  window_.push(true);
  lost_in_a_row_ = 0;
  out.answered = true;
  if (out.abort.any()) return;
  if (started_) guess_until(before(published));
  record(command, last_, 1, published, out);
}

void CommandJudge::take_late(const wire::RobotCommand& command, Cycle published, CycleResult& out,
                             std::optional<Passing>& passing) noexcept {
  const Cycle e{command.message_id};
  if (e < opened_) return;

  if (!started_ || (held_ && e > base_echo_)) {
    // No guesses to throw away. An opening command stands at its own cycle, unless so many guesses
    // would follow that they end in a hold; one after a hold seeds the history anew (J6).
    const bool at_its_cycle = !started_ && published - e < kLostLimit;
    if (!record(command, last_, 1, at_its_cycle ? e : published, out)) return;
    guess_until(before(published));
    out.late_applied = true;
    return;
  }

  if (!held_ && ledger_.is_oldest_unanswered(base_echo_, e)) {
    // The guesses it supersedes go; it has travelled since the last command that arrived, over no
    // more cycles than the server has published since.
    const std::uint64_t interval = std::min(e - base_echo_, published - base_cycle_);
    if (interval > 0) {
      const Cycle at{base_cycle_.n + interval};
      if (!record(command, base_, interval, at, out)) return;
      guess_until(before(published));
      out.late_applied = true;
      return;
    }
  }

  const Phase rows = phase();
  const Reference next = implied(last_, command, kDt, rows);
  if (acceptable({last_, next, kDt, rows}, e, false, out))
    passing = Passing{next, finishes(spec_, command)};
}

void CommandJudge::lose(Cycle published, CycleResult& out) noexcept {
  ++counters_.lost;
  window_.push(false);
  if (++lost_in_a_row_ == kLostLimit) {
    const bool enforced = rules_.enforce_comm_constraints;
    const CheckRow& row = checks()[static_cast<std::size_t>(Row::kLostInARow)];
    out.violations.push({row.error, static_cast<std::uint8_t>(Row::kLostInARow), -1,
                         static_cast<double>(lost_in_a_row_), static_cast<double>(kLostLimit),
                         published, false, enforced});
    if (enforced) out.abort.set(row.error);
  }
  if (out.abort.any() || last_cycle_ >= published) return;

  guess_until(before(published));
  if (guesses_ + 1 >= kLostLimit) {
    out.hold_reached = !held_;
    hold();
    last_cycle_ = published;
    return;
  }
  const Reference next = extrapolate(last_);
  if (!acceptable({last_, next, kDt, Phase::kRunning}, published, true, out)) return;
  last_ = next;
  last_cycle_ = published;
  ++guesses_;
  ++counters_.extrapolated;
}

FixedVector<Violation, 8> CommandJudge::judge_hold(Cycle published) const FSIM_NONBLOCKING {
  CycleResult out;
  if (spec_.generator == Generator::kNone) return out.violations;
  Reference from = last_;
  for (int tick = 0; tick < 2; ++tick) {
    wire::RobotCommand stay;
    stay.q_c = last_.q_d;
    stay.tau_J_d = last_.tau_J_d;
    const Reference next = implied(from, stay, kDt, Phase::kRunning);
    acceptable({from, next, kDt, Phase::kRunning}, published, false, out);
    from = next;
  }
  return out.violations;
}

}  // namespace fsim::judge
