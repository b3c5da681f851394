// A counter-based generator: the numbers of a reading depend on seed, reading and channel only.
#include "engine/sensors.hpp"

#include <cmath>

namespace fsim::engine {
namespace {

/// splitmix64's increment and finalizer (Steele, Lea, Flood 2014; public domain).
constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
constexpr std::uint64_t mixed(std::uint64_t x) noexcept {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
  return x ^ x >> 31;
}

}  // namespace

Sensors::Sensors(const SensorSettings& settings) noexcept : settings_(settings) {
  for (std::size_t i = 0; i < kJoints; ++i) {
    // The upper 53 bits, from -1 to 1.
    const double u = static_cast<double>(word(kBias + i) >> 11) * 0x1p-52 - 1.0;
    bias_[i] = settings_.torque_bias * u;
  }
}

std::uint64_t Sensors::word(std::uint64_t channel) const noexcept {
  return mixed(mixed(settings_.seed + kGolden) + (count_ * kChannels + channel + 1) * kGolden);
}

double Sensors::normal(std::uint64_t channel) const noexcept {
  const std::uint64_t w = word(channel);
  const std::uint64_t sum = (w & 0xffff) + (w >> 16 & 0xffff) + (w >> 32 & 0xffff) + (w >> 48);
  // Four uniform numbers from 0 to 1 have mean 2 and variance 1/3; only exact arithmetic and one
  // rounding, where the tails of a true normal would need log and cos of some library.
  constexpr double kSqrt3 = 1.7320508075688772;
  return (static_cast<double>(sum) / 65535.0 - 2.0) * kSqrt3;
}

void Sensors::measure(const plant::Output& world, plant::Output& measured) noexcept {
  measured = world;
  ++count_;
  const SensorSettings& s = settings_;
  for (std::size_t i = 0; i < kJoints; ++i) {
    if (s.encoder_resolution > 0)
      measured.q[i] = s.encoder_resolution * std::round(world.q[i] / s.encoder_resolution);
    if (s.velocity_noise > 0) measured.dq[i] += s.velocity_noise * normal(kVelocity + i);
    measured.tau_J[i] += bias_[i];
    if (s.torque_noise > 0) measured.tau_J[i] += s.torque_noise * normal(kTorque + i);
  }
}

}  // namespace fsim::engine
