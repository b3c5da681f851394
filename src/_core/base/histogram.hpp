// A histogram of durations in fixed memory, after the idea of HDR histograms: within each power of
// two as many equal bins, so that every value is known to the same relative precision. Must not
// know what is measured.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace fsim {

/// Durations of 0 to 68 s [ns], each to a 32nd part; longer ones count as the longest.
class Histogram {
 public:
  static constexpr unsigned kSubBits = 6;
  static constexpr std::uint64_t kSub = std::uint64_t{1} << kSubBits;
  static constexpr unsigned kMostBits = 36;
  static constexpr std::size_t kBins = kSub + kSub / 2 * (kMostBits - kSubBits);

  /// Negative durations (clocks that were read out of order) count as zero.
  void add(std::int64_t ns) noexcept {
    const auto v = static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 0));
    ++bins_[bin_of(v)];
    ++count_;
    sum_ += v;
    lowest_ = std::min(lowest_, v);
    highest_ = std::max(highest_, v);
  }
  void clear() noexcept { *this = {}; }

  std::uint64_t count() const noexcept { return count_; }
  std::uint64_t sum_ns() const noexcept { return sum_; }
  /// 0 without values.
  std::uint64_t lowest_ns() const noexcept { return count_ == 0 ? 0 : lowest_; }
  std::uint64_t highest_ns() const noexcept { return highest_; }
  /// The smallest duration that at least `share` (0 to 1) of the values do not exceed, to the
  /// precision of a bin; 0 without values.
  std::uint64_t quantile_ns(double share) const noexcept {
    if (count_ == 0) return 0;
    const double wanted = std::clamp(share, 0.0, 1.0) * static_cast<double>(count_);
    std::uint64_t below = 0;
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      below += bins_[bin];
      if (bins_[bin] != 0 && static_cast<double>(below) >= wanted)
        return std::clamp(upper_of(bin), lowest_, highest_);
    }
    return highest_;
  }

  std::uint64_t at(std::size_t bin) const noexcept { return bins_[bin]; }
  /// Largest duration that falls into `bin`.
  static constexpr std::uint64_t upper_of(std::size_t bin) noexcept {
    if (bin < kSub) return bin;
    const unsigned shift = static_cast<unsigned>(bin / (kSub / 2)) - 1;
    const std::uint64_t sub = bin % (kSub / 2) + kSub / 2;
    return ((sub + 1) << shift) - 1;
  }
  static constexpr std::size_t bin_of(std::uint64_t ns) noexcept {
    const std::uint64_t v = std::min(ns, (std::uint64_t{1} << kMostBits) - 1);
    if (v < kSub) return static_cast<std::size_t>(v);
    const unsigned shift = static_cast<unsigned>(std::bit_width(v)) - kSubBits;
    return static_cast<std::size_t>((v >> shift) + shift * (kSub / 2));
  }

 private:
  std::array<std::uint32_t, kBins> bins_{};
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t lowest_ = ~std::uint64_t{0};
  std::uint64_t highest_ = 0;
};

}  // namespace fsim
