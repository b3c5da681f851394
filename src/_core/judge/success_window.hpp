// Which of the last 100 cycles were answered in time. Must not know why.
#pragma once

#include <bit>
#include <cstdint>

#include "base/types.hpp"

namespace fsim::judge {

/// Cycles behind control_command_success_rate (reference 000, "Communication constraints").
inline constexpr unsigned kWindowCycles = 100;

class SuccessWindow {
 public:
  void push(bool answered) FSIM_NONBLOCKING {
    older_ = (older_ << 1) | (newer_ >> 63);
    newer_ = (newer_ << 1) | static_cast<std::uint64_t>(answered);
    if (filled_ < kWindowCycles) ++filled_;
  }
  /// Answered cycles over the cycles the window holds; 0 while it holds none.
  double rate() const FSIM_NONBLOCKING {
    if (filled_ == 0) return 0.0;
    constexpr std::uint64_t kOlderMask = (std::uint64_t{1} << (kWindowCycles - 64)) - 1;
    const int answered = std::popcount(newer_) + std::popcount(older_ & kOlderMask);
    return static_cast<double>(answered) / static_cast<double>(filled_);
  }
  /// Lost cycles among the newest `cycles` (1 to 63) that the window holds.
  unsigned lost_in_last(unsigned cycles) const FSIM_NONBLOCKING {
    const unsigned held = cycles < filled_ ? cycles : filled_;
    const std::uint64_t mask = (std::uint64_t{1} << held) - 1;
    return static_cast<unsigned>(std::popcount(~newer_ & mask));
  }

 private:
  std::uint64_t newer_ = 0;  // bit 0 is the newest cycle
  std::uint64_t older_ = 0;
  unsigned filled_ = 0;
};

}  // namespace fsim::judge
