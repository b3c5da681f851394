// When the next cycle begins: on the grid, or in lockstep when the client has answered.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <system_error>

#include "engine/engine.hpp"

namespace fsim::engine {
namespace {

/// Lockstep, a Move without its first command yet: two states follow at once, then one in this many
/// periods. A client needs two states before it can answer; with a pause it answers the newest
/// one, so that its first cycles do not depend on how fast it is (chosen).
constexpr unsigned kPromptStates = 3;
constexpr std::int64_t kPatientPeriods = 10;
/// Lockstep, a Move that waits for the arm to come to rest: nobody wants that in real time
/// (chosen).
constexpr std::int64_t kHurry = 10;

void pause_cpu() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

void Engine::start() {
  if (thread_.joinable()) return;
  stop_.store(false);
  started_.store(0);
  thread_ = std::thread([this] { run(); });
  started_.wait(0);
  if (settings_.realtime == RealtimeWish::kRequire && !(report_.fifo && report_.locked)) {
    stop();
    throw std::system_error(report_.error, std::generic_category(), "real-time scheduling");
  }
}

void Engine::stop() noexcept {
  stop_.store(true, std::memory_order_release);
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(wake_fd_, &one, sizeof one);
  if (thread_.joinable()) thread_.join();
}

void Engine::run() noexcept {
  Settings wish = settings_;
  // Lockstep and scaled time have no deadline to keep; FIFO would only starve the client.
  if (settings_.clock != ClockKind::kRealtime && wish.realtime == RealtimeWish::kAuto)
    wish.realtime = RealtimeWish::kOff;
  report_ = acquire_realtime(wish, history_.memory(), history_.memory_size());
  started_.store(1);
  started_.notify_all();
  sent_ns_ = monotonic_ns();
  clock_.start(sent_ns_);
  paced_ = !lockstep();
  // Lockstep waits on the socket, which a stamp would wake.
  if (paced_) socket_.stamp_sends();
  while (!stop_.load(std::memory_order_acquire)) {
    if (lockstep())
      unit_.following() ? wait_for_answer() : wait_for_boundary();
    else
      motion::in_motion(unit_.state()) ? clock_.wait_boundary() : clock_.wait_idle_boundary();
    deadline_ns_ = lockstep() ? 0 : clock_.deadline_ns();
    cycle(monotonic_ns());
    if (lockstep())
      clock_.restart(sent_ns_);
    else
      motion::in_motion(unit_.state()) ? clock_.advance(sent_ns_) : clock_.advance_idle(sent_ns_);
  }
}

bool Engine::world_stands() const noexcept {
  const bool tool = !tool_.in_world() || tool_.at_rest();
  return lockstep() && !settings_.idle_run && unit_.at_rest() && tool;
}

bool Engine::answered() const noexcept {
  const Cycle oldest = fresh_from();
  return std::any_of(commands_.begin(), commands_.end(),
                     [&](const wire::RobotCommand& c) { return answers(c, oldest); });
}

bool Engine::wait_for_input(std::int64_t until_ns) noexcept {
  const std::int64_t now = monotonic_ns();
  if (until_ns <= now) return false;
  const std::int64_t left = until_ns - now;
  const timespec timeout{.tv_sec = left / 1'000'000'000, .tv_nsec = left % 1'000'000'000};
  pollfd fds[2] = {{.fd = wake_fd_, .events = POLLIN, .revents = 0},
                   {.fd = socket_.fd(), .events = POLLIN, .revents = 0}};
  // Before the first command only the wake-up counts where nobody listens to commands.
  const bool listens = unit_.following() || unit_.state() == motion::State::kStarting;
  const int ready = ppoll(fds, listens ? 2 : 1, &timeout, nullptr);
  if (ready > 0 && fds[0].revents != 0) {
    std::uint64_t ignored = 0;
    [[maybe_unused]] const ssize_t n = read(wake_fd_, &ignored, sizeof ignored);
  }
  return ready > 0;
}

std::int64_t Engine::free_run_period() const noexcept {
  if (unit_.awaits_rest()) return clock_.period_ns() / kHurry;
  const bool patient = unit_.state() == motion::State::kStarting && !unit_.asynchronous() &&
                       starting_cycles_ > kPromptStates;
  return clock_.period_ns() * (patient ? kPatientPeriods : 1);
}

void Engine::wait_for_boundary() noexcept {
  const std::int64_t until = sent_ns_ + free_run_period();
  while (!stop_.load(std::memory_order_acquire)) {
    if (unit_.state() == motion::State::kStarting) {
      socket_.drain(commands_, &stamps_);
      if (answered()) return;
    }
    if (!requests_.empty() && unit_.state() == motion::State::kStarting) return;
    if (!wait_for_input(until)) return;
  }
}

void Engine::wait_for_answer() noexcept {
  const std::int64_t now = monotonic_ns();
  const std::int64_t spin_until = now + settings_.spin_ns;
  // chosen: libfranka gives a tool's state a second.
  constexpr std::int64_t kSlice = 100'000'000;
  const std::int64_t until =
      std::isinf(settings_.lockstep_timeout)
          ? std::numeric_limits<std::int64_t>::max()
          : now + static_cast<std::int64_t>(settings_.lockstep_timeout * 1e9);
  while (!stop_.load(std::memory_order_acquire)) {
    if (commands_.size() == StateSocket::kBatch && !answered()) clear_commands();
    socket_.drain(commands_, &stamps_);
    if (answered()) return;
    if (!requests_.empty()) {
      take_requests();
      // What ended the motion is told after the state that shows it.
      if (!unit_.following()) return;
      flush_events();
    }
    hand_over_timing();
    if (lose_.load(std::memory_order_acquire) > 0) return;
    const std::int64_t t = monotonic_ns();
    if (t < spin_until) {
      pause_cpu();
      continue;
    }
    if (t >= until) {
      ++counts_.lockstep_timeouts;
      timed_out_ = true;
      return;
    }
    if (!wait_for_input(until - t > kSlice ? t + kSlice : until)) tool_link_.repeat();
  }
}

}  // namespace fsim::engine
