// Doors and the order of one cycle. Waiting is in pacing.cpp.
#include "engine/engine.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <system_error>

namespace fsim::engine {
namespace {

std::int64_t period_of(const Settings& s) noexcept {
  const double scale = s.clock == ClockKind::kScaled ? s.scale : 1.0;
  return static_cast<std::int64_t>(kDt * 1e9 / scale);
}

UnitSettings unit_settings(const Settings& s) noexcept {
  return {.rules = s.rules,
          .rest_before_move = s.clock == ClockKind::kLockstep && !s.idle_run,
          .gravity = s.gravity,
          .ee = s.ee,
          .F_T_NE = s.F_T_NE,
          .locked = s.locked,
          .recovery_cycles = static_cast<unsigned>(std::lround(s.recovery_time / kDt))};
}

robot::RobotType known(const robot::RobotType& type, double friction) noexcept {
  robot::RobotType robot = type;
  for (std::size_t i = 0; i < kJoints; ++i) {
    robot.coulomb[i] *= friction;
    robot.viscous[i] *= friction;
  }
  return robot;
}

int make_eventfd(bool nonblocking) {
  const int fd = eventfd(0, EFD_CLOEXEC | (nonblocking ? EFD_NONBLOCK : 0));
  if (fd < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  return fd;
}

void signal(int fd) noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(fd, &one, sizeof one);
}

}  // namespace

Engine::Engine(const Settings& settings, const robot::RobotType& robot, plant::Plant& plant)
    : settings_(settings),
      robot_(known(robot, settings.friction_known)),
      plant_(plant),
      socket_(settings.host),
      clock_(period_of(settings), settings.spin_ns),
      unit_(robot_, unit_settings(settings)),
      sensors_(settings.sensors),
      tool_(settings.tool),
      tool_link_(settings.host, settings.tool),
      history_(settings.history),
      keeper_(clock_.period_ns()),
      wake_fd_(make_eventfd(true)),
      event_fd_(make_eventfd(true)) {
  put_at_start();
}

Engine::~Engine() {
  stop();
  close(wake_fd_);
  close(event_fd_);
}

bool Engine::submit(const RequestRecord& request) noexcept {
  const auto* input = std::get_if<ToolInput>(&request);
  if (std::holds_alternative<ToolRequest>(request) ||
      (input != nullptr && input->kind == ToolInput::Kind::kCommand)) {
    if (!tool_link_.reserve()) return false;
    if (!requests_.push(request)) {
      tool_link_.release();
      return false;
    }
  } else if (std::holds_alternative<ClientRequest>(request)) {
    if (outstanding_.load(std::memory_order_acquire) >= kMaxOutstanding) return false;
    outstanding_.fetch_add(1, std::memory_order_acq_rel);
    if (!requests_.push(request)) {
      outstanding_.fetch_sub(1, std::memory_order_acq_rel);
      return false;
    }
  } else if (!requests_.push(request)) {
    return false;
  }
  signal(wake_fd_);
  return true;
}

bool Engine::poll_event(Event& event) noexcept {
  std::uint64_t ignored = 0;
  [[maybe_unused]] const ssize_t n = read(event_fd_, &ignored, sizeof ignored);
  if (replies_.pop(event)) {
    // A Move stays outstanding until its terminal answer.
    if (event.kind != EventKind::kMotionStarted && event.token != 0)
      outstanding_.fetch_sub(1, std::memory_order_acq_rel);
    return true;
  }
  return logs_.pop(event);
}

void Engine::lose(std::uint32_t n) noexcept {
  lose_.store(n, std::memory_order_release);
  signal(wake_fd_);
}

void Engine::ask_timing() noexcept {
  timing_there_.store(false, std::memory_order_relaxed);
  timing_wanted_.store(true, std::memory_order_release);
  signal(wake_fd_);
}

std::pair<std::uint64_t, std::uint64_t> Engine::state_hash() const noexcept {
  return {hash_value_.load(std::memory_order_acquire),
          hash_cycles_.load(std::memory_order_acquire)};
}

EngineCounters Engine::counters() const noexcept {
  EngineCounters copy;
  auto* bytes = reinterpret_cast<std::byte*>(&copy);
  for (std::size_t i = 0; i < kCounterWords; ++i) {
    const std::uint64_t word = shared_counters_[i].load(std::memory_order_relaxed);
    std::memcpy(bytes + 8 * i, &word, 8);
  }
  return copy;
}

Cycle Engine::fresh_from() const noexcept {
  // Until the first command any state of this motion may be the one it answers.
  if (!unit_.following())
    return Cycle{published_.n - (starting_cycles_ > 0 ? starting_cycles_ - 1 : 0)};
  return Cycle{published_.n - (lockstep() ? lag_ : 0)};
}

void Engine::take_requests() noexcept {
  RequestRecord record;
  // Bounded by the queue's capacity.
  for (std::size_t i = 0; i < 256 && requests_.pop(record); ++i) {
    if (const auto* client = std::get_if<ClientRequest>(&record)) {
      unit_.request(*client);
    } else if (const auto* attach = std::get_if<Attach>(&record)) {
      socket_.attach(attach->address, *wire::state_layout(attach->version),
                     *wire::command_layout(attach->version));
      keeper_.connection_began();
    } else if (std::holds_alternative<Detach>(record)) {
      socket_.detach();
      unit_.client_gone();
    } else if (const auto* side = std::get_if<SideInput>(&record)) {
      unit_.side_input(*side);
    } else if (const auto* push = std::get_if<Push>(&record)) {
      push_refused_ |= !disturbances_.add(*push);
      // A Move that comes after it waits until it is over, also in this very cycle.
      if (push->start == PushStart::kNow) unit_.stir();
    } else if (std::holds_alternative<ReleasePushes>(record)) {
      disturbances_.release();
      unit_.stir();
    } else if (std::holds_alternative<Stir>(record)) {
      unit_.stir();
    } else if (const auto* command = std::get_if<ToolRequest>(&record)) {
      tool_.request(*command);
    } else if (const auto* input = std::get_if<ToolInput>(&record)) {
      tool_.input(*input);
    } else if (const auto* peer = std::get_if<ToolAttach>(&record)) {
      tool_link_.attach(*peer);
    } else if (const auto* gone = std::get_if<ToolDetach>(&record)) {
      tool_link_.detach(gone->connection);
    } else if (std::holds_alternative<Restart>(record)) {
      restart();
    }
  }
}

void Engine::disturb() noexcept {
  const Cycle now = published_.next();
  const bool moving = unit_.state() == motion::State::kMoving;
  if (moving && !motion_.running) motion_.first = now;
  motion_.running = moving;
  if (disturbances_.advance(now, motion_)) unit_.stir();
}

std::size_t Engine::taken_now() const noexcept {
  if (lockstep() && !unit_.asynchronous()) {
    const Cycle oldest = fresh_from();
    for (std::size_t i = 0; i < commands_.size(); ++i)
      if (answers(commands_[i], oldest)) return i + 1;
  }
  return commands_.size();
}

void Engine::cycle(std::int64_t boundary) noexcept {
  // collect
  if (paced_) take_stamps();
  socket_.drain(commands_, &stamps_);
  // judge
  const bool was_following = unit_.following();
  const bool loss = was_following && lose_.load(std::memory_order_acquire) > 0;
  const std::span<const wire::RobotCommand> taken{commands_.begin(), taken_now()};
  const std::uint64_t lag_now = [&] {
    std::uint64_t newest = 0;
    for (const wire::RobotCommand& c : taken)
      if (c.message_id <= published_.n) newest = std::max(newest, c.message_id);
    return published_.n - newest;
  }();
  unit_.judge(published_, taken, fresh_from(), loss);
  if (unit_.last_result().answered && unit_.asynchronous()) {
    record_.command = taken.back();
  } else if (unit_.last_result().answered) {
    // A client that was behind when lockstep began may stay as far behind, no farther.
    lag_ = was_following ? std::min(lag_, lag_now) : lag_now;
    if (!was_following) {
      hashing_ = true;
      hash_origin_ = published_;
    }
    for (const wire::RobotCommand& c : taken)
      if (c.message_id == published_.n - lag_now) record_.command = c;
    last_used_ = published_.n - lag_now;
  }
  note_arrivals(taken, was_following, loss, boundary);
  stamps_.drop_front(taken.size());
  commands_.drop_front(taken.size());
  if (loss) {
    // Python may have set another number in the meantime; never go below zero.
    std::uint32_t left = lose_.load(std::memory_order_acquire);
    while (left > 0 && !lose_.compare_exchange_weak(left, left - 1)) {
    }
  }
  // decide
  take_requests();
  disturb();
  unit_.decide();
  if (!unit_.following()) {
    // What was asked for before a motion is for the next one; what is left after one is not.
    if (was_following) lose_.store(0, std::memory_order_release);
    clear_commands();
  }
  starting_cycles_ = unit_.state() == motion::State::kStarting ? starting_cycles_ + 1 : 0;
  // control, step, observe
  const bool still = world_stands();
  // The tool stands with the world, but moves beside an arm at rest.
  const bool tool_moves = !(still && tool_.at_rest());
  if (tool_moves) tool_.begin(motion_cycle());
  plant::Input input;
  if (unit_.control(still, input)) {
    tool_.drive(input);
    disturbances_.evaluate(unit_.type().flange_origin, unit_.configuration().F_T_EE,
                           input.wrenches);
    plant_.step(input, world_);
    sensors_.measure(world_, measured_);
    unit_.observe(measured_, world_);
  }
  if (tool_moves) tool_.end(world_);
  publish(boundary, still, loss);
}

std::optional<std::uint64_t> Engine::motion_cycle() const noexcept {
  if (!hashing_) return std::nullopt;
  return published_ - hash_origin_;
}

void Engine::publish(std::int64_t boundary, bool still, bool injected_loss) noexcept {
  published_ = published_.next();
  note_motion();
  unit_.fill(record_.state);
  record_.state.message_id = published_.n;
  const std::span<const std::byte> sent = socket_.encode(record_.state);
  if (paced_) clock_.wait_due();
  socket_.send();
  sent_ns_ = monotonic_ns();
  note_sent();
  const bool hashed = hashing_ && lockstep() && sent.size() > 8;
  const std::uint64_t hashed_cycle = published_ - hash_origin_;
  if (hashed) hash_.add(hashed_cycle, sent.subspan(8));
  tool_link_.publish(tool_, published_.n, hashed ? &hashed_cycle : nullptr);
  if (!motion::in_motion(unit_.state())) hashing_ = false;

  const judge::CycleResult& r = unit_.last_result();
  const bool lost = r.started && !r.answered && !unit_.asynchronous();
  record_.boundary_ns = boundary;
  record_.deadline_ns = deadline_ns_;
  record_.sent_ns = sent_ns_;
  record_.arrival_ns = socket_.last_arrival_ns();
  record_.motion = unit_.motion_number();
  record_.machine_state = unit_.state();
  record_.flags = (r.answered ? kAnswered : 0u) | (lost ? kLost : 0u) |
                  (r.late_applied ? kLateApplied : 0u) | (r.started ? kStarted : 0u) |
                  (still ? kFrozen : 0u) | (injected_loss ? kInjectedLoss : 0u) |
                  (socket_.attached() ? kClientAttached : 0u);
  history_.append(record_);

  counts_.cycles = published_.n;
  counts_.slips = clock_.slips();
  counts_.slipped_ns = static_cast<std::uint64_t>(clock_.slipped_ns());
  counts_.udp = socket_.counters();
  counts_.judge = unit_.counters();
  const auto* bytes = reinterpret_cast<const std::byte*>(&counts_);
  for (std::size_t i = 0; i < kCounterWords; ++i) {
    std::uint64_t word;
    std::memcpy(&word, bytes + 8 * i, 8);
    shared_counters_[i].store(word, std::memory_order_relaxed);
  }
  hash_cycles_.store(hash_.cycles(), std::memory_order_relaxed);
  hash_value_.store(hash_.value(), std::memory_order_release);
  hand_over_timing();
  flush_events();
}

void Engine::flush_events() noexcept {
  bool any = false;
  const auto log = [&](const Event& event) {
    any = true;
    if (!logs_.push(event)) ++counts_.dropped_logs;
  };
  for (Event event : unit_.events()) {
    event.cycle = published_.n;
    if (event.kind == EventKind::kMotionEnded) event.timing = summary(keeper_.last_motion());
    if (event.kind == EventKind::kViolation || event.kind == EventKind::kNotice) {
      log(event);
    } else {
      // Room is kept by kMaxOutstanding.
      replies_.push(event);
      any = true;
    }
  }
  unit_.clear_events();
  tool_link_.flush(tool_, published_.n);

  // Hostile input: each kind is told once a motion; Python counts on in `counters()`.
  const auto notice = [&](Notice kind) {
    Event event;
    event.kind = EventKind::kNotice;
    event.notice = kind;
    event.cycle = published_.n;
    event.motion = unit_.motion_number();
    log(event);
  };
  if (timed_out_) notice(Notice::kLockstepTimeout);
  timed_out_ = false;
  if (push_refused_) notice(Notice::kTooManyPushes);
  push_refused_ = false;
  const UdpCounters& udp = socket_.counters();
  if (udp.malformed != 0 && noted_.malformed == 0) notice(Notice::kMalformedCommand);
  if (udp.foreign != 0 && noted_.foreign == 0) notice(Notice::kForeignDatagram);
  noted_ = udp;
  const judge::Counters judged = unit_.counters();
  if (judged.unpublished != noted_unpublished_ && noted_motion_ != unit_.motion_number()) {
    notice(Notice::kUnpublishedId);
    noted_motion_ = unit_.motion_number();
  }
  noted_unpublished_ = judged.unpublished;
  if (any) signal(event_fd_);
}

}  // namespace fsim::engine
