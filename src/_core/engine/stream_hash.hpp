// A running 64-bit hash of the state stream: equal streams, equal hash. Not cryptographic.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace fsim::engine {

/// Covers, in lockstep, every cycle from a motion's first answered one to its end: the encoded state
/// without its id, and the cycle's number since that first one.
class StreamHash {
 public:
  void add(std::uint64_t relative_cycle, std::span<const std::byte> body) noexcept {
    mix(relative_cycle);
    std::size_t i = 0;
    for (; i + 8 <= body.size(); i += 8) {
      std::uint64_t word;
      std::memcpy(&word, body.data() + i, 8);
      mix(word);
    }
    std::uint64_t tail = 0;
    if (i < body.size()) std::memcpy(&tail, body.data() + i, body.size() - i);
    mix(tail);
    ++cycles_;
  }
  std::uint64_t value() const noexcept { return value_; }
  std::uint64_t cycles() const noexcept { return cycles_; }

 private:
  // Odd multipliers of the 64-bit golden ratio and of splitmix64's finalizer (public domain).
  void mix(std::uint64_t word) noexcept {
    value_ = std::rotl((value_ ^ word) * 0x9e3779b97f4a7c15ULL, 29) * 0xbf58476d1ce4e5b9ULL;
  }
  std::uint64_t value_ = 0x2545f4914f6cdd1dULL;
  std::uint64_t cycles_ = 0;
};

}  // namespace fsim::engine
