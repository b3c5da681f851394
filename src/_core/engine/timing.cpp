// What the engine tells the certificate in a cycle, and how Python gets it.
#include "engine/engine.hpp"

namespace fsim::engine {
namespace {

Echo echo_of(judge::Arrival arrival) noexcept {
  switch (arrival) {
    case judge::Arrival::kFresh:
      return Echo::kFresh;
    case judge::Arrival::kLate:
      return Echo::kLate;
    case judge::Arrival::kDuplicate:
      return Echo::kDuplicate;
    case judge::Arrival::kUnpublished:
      break;
  }
  return Echo::kUnpublished;
}

}  // namespace

void Engine::take_stamps() noexcept {
  // Bounded: as many as may be on their way.
  std::uint32_t number = 0;
  std::int64_t stamp = 0;
  for (std::size_t i = 0; i < sent_cycles_.size() && socket_.take_sent(number, stamp); ++i)
    keeper_.left(sent_cycles_[number % sent_cycles_.size()], stamp);
}

void Engine::note_arrivals(std::span<const wire::RobotCommand> taken, bool was_following, bool loss,
                           std::int64_t now) noexcept {
  // Targets of an asynchronous motion answer nothing.
  if (unit_.asynchronous()) return;
  const judge::Arrivals& arrivals = unit_.judgement().arrivals();
  if (!loss)
    for (std::size_t i = 0; i < taken.size() && i < arrivals.size(); ++i)
      keeper_.arrived({taken[i].message_id}, echo_of(arrivals[i]),
                      i < stamps_.size() ? stamps_[i] : 0, now);
  if (was_following) keeper_.closed(published_, unit_.last_result().answered, loss);
}

void Engine::note_motion() noexcept {
  const bool running = motion::in_motion(unit_.state());
  if (running && unit_.motion_number() != timed_motion_) {
    if (timing_motion_) keeper_.motion_ended();
    timed_motion_ = unit_.motion_number();
    keeper_.motion_began();
    timing_motion_ = true;
  }
  if (!running && timing_motion_) {
    keeper_.motion_ended();
    timing_motion_ = false;
  }
}

void Engine::note_sent() noexcept {
  if (!socket_.attached()) return;
  const std::uint32_t number = socket_.sends() - 1;
  sent_cycles_[number % sent_cycles_.size()] = published_;
  // Lockstep has no time at which a state is due.
  keeper_.sent(published_, deadline_ns_ == 0 ? sent_ns_ : deadline_ns_, sent_ns_, timing_motion_);
}

void Engine::hand_over_timing() noexcept {
  if (!timing_wanted_.load(std::memory_order_acquire)) return;
  timing_.motion = timing_motion_ ? keeper_.motion() : keeper_.last_motion();
  timing_.connection = keeper_.connection();
  timing_.number = timed_motion_;
  timing_wanted_.store(false, std::memory_order_relaxed);
  timing_there_.store(true, std::memory_order_release);
}

bool Engine::take_timing(TimingReport& out) noexcept {
  if (!thread_.joinable()) hand_over_timing();
  if (!timing_there_.exchange(false, std::memory_order_acquire)) return false;
  out = timing_;
  return true;
}

}  // namespace fsim::engine
