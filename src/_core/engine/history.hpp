// The newest cycle and a ring of the last N, written by the cycle, copied by anyone. The writer
// never waits; a reader that was overtaken tries again or skips.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "motion/machine.hpp"
#include "wire/messages.hpp"

namespace fsim::engine {

/// What happened to the client's answer in this cycle; bits.
enum CycleFlag : std::uint32_t {
  kAnswered = 1 << 0,
  kLost = 1 << 1,
  kLateApplied = 1 << 2,
  kStarted = 1 << 3,
  kFrozen = 1 << 4,        ///< the world stood still (lockstep, nothing moves)
  kInjectedLoss = 1 << 5,  ///< lost by sim.lose
  kClientAttached = 1 << 6,
};

/// One cycle. `state` is what was published at its end; `command` the answer that closed it.
struct CycleRecord {
  wire::RobotState state;
  wire::RobotCommand command;
  std::int64_t boundary_ns = 0;  ///< CLOCK_MONOTONIC: the cycle began
  std::int64_t deadline_ns = 0;  ///< when it should have
  std::int64_t sent_ns = 0;      ///< the state left
  std::int64_t arrival_ns = 0;   ///< CLOCK_REALTIME, kernel: newest command taken
  std::uint64_t motion = 0;      ///< running number of the motion, 0 before the first
  std::uint32_t flags = 0;
  motion::State machine_state = motion::State::kIdle;
  std::uint8_t padding[3]{};
};
static_assert(sizeof(CycleRecord) % 8 == 0);

class History {
 public:
  explicit History(std::size_t capacity);

  /// Cycle side: append; never waits.
  void append(const CycleRecord& record) noexcept;

  /// Any thread: how many were appended so far.
  std::uint64_t count() const noexcept { return count_.load(std::memory_order_acquire); }
  std::size_t capacity() const noexcept { return capacity_; }
  /// Any thread: copy record number `index` (0-based since start); false when it is overwritten or
  /// not there yet.
  bool copy(std::uint64_t index, CycleRecord& out) const noexcept;

  const void* memory() const noexcept { return slots_.get(); }
  std::size_t memory_size() const noexcept { return capacity_ * sizeof(Slot); }

 private:
  static constexpr std::size_t kWords = sizeof(CycleRecord) / 8;
  struct Slot {
    std::atomic<std::uint64_t> version{0};  ///< 2 * index + 1 while written, 2 * index + 2 after
    std::atomic<std::uint64_t> words[kWords];
  };
  std::size_t capacity_;
  std::unique_ptr<Slot[]> slots_;
  std::atomic<std::uint64_t> count_{0};
};

}  // namespace fsim::engine
