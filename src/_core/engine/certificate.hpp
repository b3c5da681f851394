// Who was late, by how much, how often: histograms and counts of one motion or connection. Must not
// read a clock, a socket or a queue; times come in as arguments.
#pragma once

#include <array>
#include <cstdint>

#include "base/histogram.hpp"
#include "base/types.hpp"

namespace fsim::engine {

/// Whose fault a lost cycle is.
enum class Culprit : std::uint8_t {
  kServer,  ///< the answer was in time for the state, but the state left too late for the cycle
  kClient,  ///< the answer came after its cycle, or the client was busy with an earlier state
  kNever,   ///< no answer came
  kEcho,    ///< what came answered a state that was never published
  kPlan,    ///< the loss was asked for
};
inline constexpr std::size_t kCulprits = 5;
const char* name(Culprit culprit) noexcept;

/// Plain numbers; copied to Python as they are.
struct Certificate {
  Histogram server_late;  ///< from when a state was due to when it left
  Histogram reaction;     ///< from a state leaving to its answer arriving, by the kernel's stamps
  Histogram round_trip;   ///< from a state being due to its answer being taken
  std::uint64_t cycles = 0;  ///< closed while an answer was owed
  std::uint64_t fresh = 0, late = 0, duplicate = 0, unpublished = 0, lost = 0;
  std::uint64_t late_states = 0;                    ///< left more than a tenth of a period late
  std::array<std::uint64_t, kCulprits> culprits{};  ///< of the lost ones; the rest is open still
};

/// The few numbers that a line of text has.
struct TimingSummary {
  std::uint64_t cycles = 0, lost = 0, late = 0, late_states = 0;
  std::array<std::uint64_t, kCulprits> culprits{};
  std::uint64_t reaction_p50_ns = 0, reaction_p99_ns = 0, reaction_max_ns = 0;
  std::uint64_t server_late_p99_ns = 0, server_late_max_ns = 0;
};
TimingSummary summary(const Certificate& c) noexcept;

/// What Python asks for.
struct TimingReport {
  Certificate motion;        ///< the running one, or the one that ended last
  Certificate connection;    ///< since the client came
  std::uint64_t number = 0;  ///< of the motion
};

/// How a datagram that echoes a cycle was classified.
enum class Echo : std::uint8_t { kFresh, kLate, kDuplicate, kUnpublished };

/// Keeps the certificates of the running motion and of the connection. Called from the cycle.
class Timekeeper {
 public:
  explicit Timekeeper(std::int64_t period_ns) noexcept : period_ns_(period_ns) {}

  void connection_began() noexcept;
  void motion_began() noexcept;
  /// What is still unresolved has never arrived.
  void motion_ended() noexcept;

  /// The state of `cycle` was due at `due` and left at `sent` (CLOCK_MONOTONIC).
  void sent(Cycle cycle, std::int64_t due, std::int64_t sent, bool in_motion) noexcept;
  /// The kernel's stamp of the same (CLOCK_REALTIME); without one reactions are not measured.
  void left(Cycle cycle, std::int64_t stamp) noexcept;
  /// A datagram that echoes `cycle` was taken at `now` (CLOCK_MONOTONIC); `stamp` is the kernel's.
  void arrived(Cycle cycle, Echo echo, std::int64_t stamp, std::int64_t now) noexcept;
  /// The cycle that followed the state of `cycle` was closed.
  void closed(Cycle cycle, bool answered, bool planned) noexcept;

  const Certificate& motion() const noexcept { return motion_; }
  const Certificate& connection() const noexcept { return connection_; }
  /// Of the motion that ended last.
  const Certificate& last_motion() const noexcept { return last_motion_; }

 private:
  /// States remembered; an answer to an older one tells nothing about today. chosen: three times
  /// the losses that end a motion.
  static constexpr std::size_t kMemory = 64;
  struct Sent {
    Cycle cycle;
    std::int64_t due = 0, sent = 0, stamp = 0;
    bool open = false;  ///< lost, and nobody is blamed yet
    bool busy = false;  ///< it left while the client was still at an earlier one
  };

  Sent& slot(Cycle cycle) noexcept { return ring_[cycle.n % kMemory]; }
  bool knows(Cycle cycle) noexcept { return cycle.n != 0 && slot(cycle).cycle == cycle; }
  void blame(Sent& lost, Culprit culprit) noexcept;
  /// No answer came, and none is waited for any more.
  void give_up(Sent& lost) noexcept { blame(lost, lost.busy ? Culprit::kClient : Culprit::kNever); }

  std::int64_t period_ns_;
  std::array<Sent, kMemory> ring_{};
  bool wrong_echo_ = false;  ///< seen in the open cycle
  bool running_ = false;
  Certificate motion_, last_motion_, connection_;
};

}  // namespace fsim::engine
