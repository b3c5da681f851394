// A world: one thread, one clock, one plant, one robot. Owns the sockets and the doors. Must not
// decide what a robot does (unit.hpp).
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "engine/certificate.hpp"
#include "engine/clock.hpp"
#include "engine/disturbance.hpp"
#include "engine/doors.hpp"
#include "engine/history.hpp"
#include "engine/realtime.hpp"
#include "engine/sensors.hpp"
#include "engine/settings.hpp"
#include "engine/stream_hash.hpp"
#include "engine/tool.hpp"
#include "engine/tool_link.hpp"
#include "engine/udp.hpp"
#include "engine/unit.hpp"
#include "plant/plant.hpp"
#include "robot/model.hpp"

namespace fsim::engine {

/// What the cycle counts; copied out as a whole by `counters()`.
struct EngineCounters {
  std::uint64_t cycles = 0, slips = 0, slipped_ns = 0, lockstep_timeouts = 0, dropped_logs = 0;
  std::uint64_t began = 1;  ///< first cycle since the start or the newest restart
  UdpCounters udp;
  judge::Counters judge;  ///< over all motions
};

class Engine {
 public:
  /// `plant` outlives the engine. Throws std::system_error when the socket cannot be bound.
  Engine(const Settings& settings, const robot::RobotType& robot, plant::Plant& plant);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Any thread but the cycle's.
  /// Start the cycle's thread; returns when its rights are known. Throws std::system_error when
  /// they are required and refused.
  void start();
  /// Stop and join; harmless when not running.
  void stop() noexcept;
  std::uint16_t udp_port() const noexcept { return socket_.port(); }
  /// Readable when events wait; drain with poll_event.
  int event_fd() const noexcept { return event_fd_; }
  const RealtimeReport& realtime_report() const noexcept { return report_; }

  // One thread at a time (the Python side holds its lock).
  /// False when the queue or the outstanding answers are full.
  bool submit(const RequestRecord& request) noexcept;
  bool poll_event(Event& event) noexcept;
  /// Count the next `n` cycles of the running motion as lost.
  void lose(std::uint32_t n) noexcept;
  bool poll_tool_event(ToolEvent& event) noexcept { return tool_link_.poll(event); }
  std::uint32_t losing() const noexcept { return lose_.load(std::memory_order_acquire); }

  const ToolLink& tool_link() const noexcept { return tool_link_; }
  const History& history() const noexcept { return history_; }
  /// (hash, cycles covered) so far.
  std::pair<std::uint64_t, std::uint64_t> state_hash() const noexcept;
  EngineCounters counters() const noexcept;
  /// Ask the cycle for its certificates; take_timing has them when the cycle has seen it.
  void ask_timing() noexcept;
  bool take_timing(TimingReport& out) noexcept;

  /// One cycle without waiting for anything, for tests that run without a thread.
  void run_one_cycle() noexcept { cycle(monotonic_ns()); }
  const Unit& unit() const noexcept { return unit_; }
  plant::Plant& plant() const noexcept { return plant_; }

 private:
  void run() noexcept;
  void wait_for_boundary() noexcept;
  /// Until the client has answered, something else needs a cycle, or the timeout.
  void wait_for_answer() noexcept;
  /// Sleep until data, a wake-up or `until_ns`; false on the latter.
  bool wait_for_input(std::int64_t until_ns) noexcept;
  void cycle(std::int64_t boundary) noexcept;
  void take_requests() noexcept;
  /// The arm ready at rest, the world as it began; the unit knows.
  void put_at_start() noexcept;
  void restart() noexcept;
  void clear_commands() noexcept {
    commands_.clear();
    stamps_.clear();
  }
  // What the certificate learns in a cycle (timing.cpp).
  void note_arrivals(std::span<const wire::RobotCommand> taken, bool was_following, bool loss,
                     std::int64_t now) noexcept;
  void note_motion() noexcept;
  void note_sent() noexcept;
  void take_stamps() noexcept;
  void hand_over_timing() noexcept;
  /// Who pushes the arm in the cycle to come; wakes a world that stands still.
  void disturb() noexcept;
  void publish(std::int64_t boundary, bool still, bool injected_loss) noexcept;
  void flush_events() noexcept;
  bool answered() const noexcept;
  /// `c` closes the open cycle when states from `oldest` on still may be answered.
  bool answers(const wire::RobotCommand& c, Cycle oldest) const noexcept {
    return c.message_id >= oldest.n && c.message_id <= published_.n && c.message_id > last_used_;
  }
  /// How many of the commands that wait are of this cycle. In lockstep up to the first that answers
  /// it: the next one answers the next, however many a client was quick enough to send.
  std::size_t taken_now() const noexcept;
  Cycle fresh_from() const noexcept;
  bool lockstep() const noexcept { return settings_.clock == ClockKind::kLockstep; }
  bool world_stands() const noexcept;
  std::optional<std::uint64_t> motion_cycle() const noexcept;
  std::int64_t free_run_period() const noexcept;

  Settings settings_;
  robot::RobotType robot_;  ///< as its controllers know it
  plant::Plant& plant_;
  plant::Output world_;     ///< the truth
  plant::Output measured_;  ///< what the robot knows of it
  StateSocket socket_;
  Clock clock_;
  Unit unit_;
  Sensors sensors_;
  Tool tool_;
  ToolLink tool_link_;
  History history_;
  CycleRecord record_;
  StreamHash hash_;
  StateSocket::Commands commands_;
  StateSocket::Stamps stamps_;  ///< of the commands
  Timekeeper keeper_;
  std::uint64_t timed_motion_ = 0;  ///< motion the keeper knows
  bool timing_motion_ = false;
  /// Cycles of the states sent last, by how many were sent before.
  std::array<Cycle, 64> sent_cycles_{};
  Disturbances disturbances_;
  Disturbances::Motion motion_;

  Cycle published_{0};
  std::int64_t sent_ns_ = 0;
  std::uint64_t lag_ = 0;        ///< lockstep: states a client may be behind
  std::uint64_t last_used_ = 0;  ///< newest id that closed a cycle
  bool hashing_ = false;
  Cycle hash_origin_{0};
  unsigned starting_cycles_ = 0;  ///< cycles since a Move was accepted, first command missing
  std::int64_t deadline_ns_ = 0;
  bool paced_ = false;  ///< states leave on the clock's grid
  EngineCounters counts_;
  UdpCounters noted_;          ///< what was told already
  bool timed_out_ = false;     ///< the client let a lockstep cycle pass, not told yet
  bool push_refused_ = false;  ///< not told yet
  std::uint64_t noted_unpublished_ = 0;
  std::uint64_t noted_motion_ = 0;  ///< in which an id never published was told

  int wake_fd_ = -1;
  int event_fd_ = -1;
  RequestQueue requests_;
  ReplyQueue replies_;
  LogQueue logs_;
  std::atomic<std::uint32_t> outstanding_{0};
  std::atomic<std::uint32_t> lose_{0};
  std::atomic<std::uint64_t> hash_value_{0}, hash_cycles_{0};
  static constexpr std::size_t kCounterWords = sizeof(EngineCounters) / 8;
  std::array<std::atomic<std::uint64_t>, kCounterWords> shared_counters_{};
  /// Written by the cycle when asked, then left alone.
  TimingReport timing_;
  std::atomic<bool> timing_wanted_{false}, timing_there_{false};

  std::atomic<bool> stop_{false};
  std::atomic<int> started_{0};
  RealtimeReport report_;
  std::thread thread_;
};

}  // namespace fsim::engine
