// A running 64-bit hash of the state stream: equal streams, equal hash. Not cryptographic.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace fsim::engine {

/// Covers, in lockstep, every cycle from a motion's first answered one to its end: the encoded
/// state without its id, and the cycle's number since that first one.
class StreamHash {
 public:
  void add(std::uint64_t relative_cycle, std::span<const std::byte> body) noexcept {
    // Four independent chains, so that the multiplications overlap.
    std::uint64_t lanes[4] = {value_, value_ ^ 1, value_ ^ 2, value_ ^ 3};
    std::size_t i = 0;
    for (; i + 32 <= body.size(); i += 32)
      for (std::size_t lane = 0; lane < 4; ++lane)
        lanes[lane] = mixed(lanes[lane], word_at(body.data() + i + 8 * lane, 8));
    value_ = mixed(value_, relative_cycle);
    for (const std::uint64_t lane : lanes) value_ = mixed(value_, lane);
    for (; i < body.size(); i += 8)
      value_ = mixed(value_, word_at(body.data() + i, std::min<std::size_t>(8, body.size() - i)));
    ++cycles_;
  }
  std::uint64_t value() const noexcept { return value_; }
  std::uint64_t cycles() const noexcept { return cycles_; }

 private:
  // Odd multipliers of the 64-bit golden ratio and of splitmix64's finalizer (public domain).
  static std::uint64_t mixed(std::uint64_t value, std::uint64_t word) noexcept {
    return std::rotl((value ^ word) * 0x9e3779b97f4a7c15ULL, 29) * 0xbf58476d1ce4e5b9ULL;
  }
  static std::uint64_t word_at(const std::byte* bytes, std::size_t count) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, count);
    return word;
  }
  std::uint64_t value_ = 0x2545f4914f6cdd1dULL;
  std::uint64_t cycles_ = 0;
};

}  // namespace fsim::engine
