// Takes values off a fuzzer's bytes; zero when they are used up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

namespace fsim::fuzz {

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : left_(data, size) {}
  bool empty() const { return left_.empty(); }
  std::uint8_t byte() {
    if (left_.empty()) return 0;
    const std::uint8_t value = left_.front();
    left_ = left_.subspan(1);
    return value;
  }
  /// Up to `n` bytes.
  std::span<const std::byte> bytes(std::size_t n) {
    const auto taken = left_.first(std::min(n, left_.size()));
    left_ = left_.subspan(taken.size());
    return std::as_bytes(taken);
  }

 private:
  std::span<const std::uint8_t> left_;
};

/// The invariant does not hold: say which and end, so that the input is kept.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

}  // namespace fsim::fuzz
