// Asynchronous joint position motions: sparse targets, and the server's own way to the newest. What
// ends such a motion is where it is for every other one.
#include <algorithm>

#include "engine/unit.hpp"
#include "judge/target.hpp"

namespace fsim::engine {

using motion::Input;
using motion::State;

void Unit::follow_targets(std::span<const wire::RobotCommand> commands) noexcept {
  const wire::RobotCommand* target = nullptr;
  bool finished = false;
  // In order of arrival: a client that reads no states echoes the same one again and again.
  for (const wire::RobotCommand& command : commands) {
    const Cycle e{command.message_id};
    if (e > published_ || e.n == 0) {
      ++totals_.unpublished;
      continue;
    }
    ++(e == published_ ? totals_.fresh : totals_.late);
    // What answers a state from before this motion was meant for another one.
    if (e < opened_) continue;
    result_.answered = result_.started = true;
    // Its q_c says nothing: libfranka sends zeros (wire.md 5.9).
    finished = command.motion_generation_finished;
    if (finished) break;
    if (target != nullptr) ++totals_.superseded;
    target = &command;
  }
  if (result_.answered && state_ == State::kStarting) {
    planner_.begin(reference_.q_d, maximum_velocity_, robot_.limits);
    input(Input::kFirstCommand);
  }
  if (state_ != State::kMoving) return;
  if (target != nullptr && !finished) {
    const judge::TargetResult judged =
        judge::judge_target(target->q_c, robot_.limits, settings_.rules, published_);
    report(judged.violations);
    if (judged.abort.any()) {
      errors_ |= judged.abort;
      reflex_reason_ = errors_;
      input(Input::kViolation);
      return;
    }
    planner_.set_target(judged.q);
  }
  reference_ = planner_.step();
  result_.started = true;
  result_.reference = reference_;
  // The arm is brought to rest from where it is on its way, not taken to the target.
  if (finished) input(Input::kFinish);
}

}  // namespace fsim::engine
