// The histogram against plain sorting.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "base/histogram.hpp"

using fsim::Histogram;

TEST_CASE("bins are contiguous and each value lies in the bin that says so") {
  std::size_t last = 0;
  for (std::uint64_t v = 0; v < 200'000; ++v) {
    const std::size_t bin = Histogram::bin_of(v);
    REQUIRE((bin == last || bin == last + 1));
    REQUIRE(v <= Histogram::upper_of(bin));
    if (bin > 0) REQUIRE(v > Histogram::upper_of(bin - 1));
    last = bin;
  }
  CHECK(Histogram::bin_of((std::uint64_t{1} << 36) - 1) < Histogram::kBins);
  CHECK(Histogram::bin_of(~std::uint64_t{0}) < Histogram::kBins);
}

TEST_CASE("quantiles are those of the sorted values to a 32nd, extremes and mean are exact") {
  constexpr unsigned kSeed = 5;
  CAPTURE(kSeed);
  std::mt19937_64 random(kSeed);
  std::lognormal_distribution<double> spread(std::log(150e3), 1.5);
  Histogram histogram;
  std::vector<std::uint64_t> values;
  for (int i = 0; i < 20'000; ++i) {
    values.push_back(static_cast<std::uint64_t>(spread(random)));
    histogram.add(static_cast<std::int64_t>(values.back()));
  }
  std::sort(values.begin(), values.end());
  for (const double share : {0.0, 0.01, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    CAPTURE(share);
    const auto rank =
        static_cast<std::size_t>(std::max(0.0, std::ceil(share * double(values.size())) - 1));
    const double exact = double(values[rank]);
    CHECK(double(histogram.quantile_ns(share)) >= exact * (1 - 1e-12));
    CHECK(double(histogram.quantile_ns(share)) <= exact * (1 + 1.0 / 32) + 1);
  }
  CHECK(histogram.count() == values.size());
  CHECK(histogram.lowest_ns() == values.front());
  CHECK(histogram.highest_ns() == values.back());
  std::uint64_t sum = 0;
  for (const std::uint64_t v : values) sum += v;
  CHECK(histogram.sum_ns() == sum);
}

TEST_CASE(
    "an empty histogram has zeros; what is negative counts as nothing, what is long as 68 s") {
  Histogram histogram;
  CHECK(histogram.quantile_ns(0.99) == 0);
  CHECK(histogram.lowest_ns() == 0);
  histogram.add(-5);
  CHECK(histogram.highest_ns() == 0);
  CHECK(histogram.count() == 1);
  histogram.add(std::int64_t{1} << 40);
  CHECK(histogram.at(Histogram::kBins - 1) == 1);
  histogram.clear();
  CHECK(histogram.count() == 0);
}
