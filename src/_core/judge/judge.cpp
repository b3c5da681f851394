// What one cycle of a motion comes to: each datagram by its echo, then the answer or the loss.
// Must not know what a signal implies (joint_position, joint_velocity, torque).
#include "judge/judge.hpp"

#include <algorithm>

#include "judge/cause.hpp"
#include "judge/checks.hpp"

namespace fsim::judge {
namespace {

constexpr Cycle before(Cycle cycle) noexcept { return {cycle.n - 1}; }

}  // namespace

void CommandJudge::begin(const MotionSpec& spec, const Limits& limits, const Rules& rules,
                         const Start& start, const JointSolver& solver,
                         Cycle opened) FSIM_NONBLOCKING {
  *this = CommandJudge{};
  spec_ = spec;
  family_ = &family(spec.generator);
  limits_ = limits;
  rules_ = rules;
  solver_ = solver;
  opened_ = opened;
  last_.q_d = start.q_d;
  last_.cartesian.goal = start.O_T_EE_d;
  observe(start.measured);
}

void CommandJudge::begin(const MotionSpec& spec, const robot::JointLimits& limits,
                         const Rules& rules, const Vec7& q_d, Cycle opened) FSIM_NONBLOCKING {
  begin(spec, Limits{limits, {}}, rules, Start{q_d, kIdentity4, {}}, {}, opened);
  has_measured_ = false;
}

void CommandJudge::observe(const Observation& measured) FSIM_NONBLOCKING {
  measured_ = measured;
  has_measured_ = true;
  if (!is_cartesian(spec_.generator)) return;
  // Until something is commanded the commanded fields follow the arm (reference 000, field table).
  if (!started_) last_.cartesian.O_T_EE_c = measured.O_T_EE;
  if (!last_.cartesian.elbow_commanded) last_.cartesian.elbow_c = measured.elbow;
  if (!started_) base_ = last_;
  if (!base_.cartesian.elbow_commanded) base_.cartesian.elbow_c = measured.elbow;
}

CycleResult CommandJudge::close(Cycle published, std::span<const wire::RobotCommand> commands,
                                Cycle fresh_from) FSIM_NONBLOCKING {
  CycleResult out;
  const wire::RobotCommand* fresh = nullptr;
  std::optional<Passing> passing;

  // Late commands act in order of arrival; the last fresh one answers the cycle after them (J8).
  ledger_.open();
  arrivals_.clear();
  for (const wire::RobotCommand& command : commands) {
    const Arrival arrival = ledger_.enter({command.message_id}, published, fresh_from);
    arrivals_.push(arrival);
    switch (arrival) {
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

  // Guesses behind a late command; what is past is not judged (J10).
  if (started_) guess_until(before(published));
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
    if (record(command, last_, 1, at_its_cycle ? e : published, out)) out.late_applied = true;
    return;
  }

  if (!held_ && ledger_.is_oldest_unanswered(base_echo_, e)) {
    // The guesses it supersedes go; it has travelled since the last command that arrived, over no
    // more cycles than the server has published since.
    const std::uint64_t interval = std::min(e - base_echo_, published - base_cycle_);
    if (interval > 0) {
      const Cycle at{base_cycle_.n + interval};
      if (record(command, base_, interval, at, out)) out.late_applied = true;
      return;
    }
  }

  guess_until(before(published));
  const Phase rows = phase();
  const Implied to = implied(last_, command, kDt, rows);
  if (acceptable(last_, to, kDt, rows, e, Origin::kOutOfOrder, out))
    passing = Passing{to.next, finishes(spec_, command)};
}

void CommandJudge::lose(Cycle published, CycleResult& out) noexcept {
  ++counters_.lost;
  window_.push(false);
  if (++lost_in_a_row_ == kLostLimit) {
    const bool enforced = rules_.enforce_comm_constraints;
    const CheckRow& row = checks()[static_cast<std::size_t>(Row::kLostInARow)];
    Violation v{row.error,
                static_cast<std::uint8_t>(Row::kLostInARow),
                -1,
                static_cast<double>(lost_in_a_row_),
                static_cast<double>(kLostLimit),
                published};
    v.enforced = enforced;
    v.generator = spec_.generator;
    v.lost_in_last_20 = static_cast<std::uint8_t>(window_.lost_in_last(20));
    v.previous_extrapolated = guesses_ > 0;
    v.gap = static_cast<std::uint16_t>(lost_in_a_row_);
    v.cause = Cause::kLostCommands;
    out.violations.push(v);
    if (enforced) out.abort.set(row.error);
  }
  if (out.abort.any() || last_cycle_ >= published) return;

  if (guesses_ + 1 >= kLostLimit) {
    out.hold_reached = !held_;
    hold();
    last_cycle_ = published;
    return;
  }
  const Implied to = guessed(last_, true);
  note_unsolved(to, out);
  if (!acceptable(last_, to, kDt, Phase::kRunning, published, Origin::kGuess, out)) return;
  out.joint_path = std::max(out.joint_path, to.joint_path);
  last_ = to.next;
  last_cycle_ = published;
  ++guesses_;
  ++counters_.extrapolated;
}

FixedVector<Violation, 8> CommandJudge::judge_hold(Cycle published) const FSIM_NONBLOCKING {
  CycleResult out;
  if (spec_.generator == Generator::kNone) return out.violations;
  Reference from = last_;
  wire::RobotCommand stay;
  family_->stay(last_, stay);
  stay.tau_J_d = last_.tau_J_d;
  for (int tick = 0; tick < 2; ++tick) {
    const Implied to = implied(from, stay, kDt, Phase::kRunning);
    acceptable(from, to, kDt, Phase::kRunning, published, Origin::kHold, out);
    from = to.next;
  }
  return out.violations;
}

}  // namespace fsim::judge
