// What noise does to readings: its size, that a seed repeats it, and what it must not disturb.
// Expected numbers: the settings' definitions, and bounds of the sampled statistics (six sigma).
#include <doctest/doctest.h>

#include <cmath>

#include "engine/sensors.hpp"
#include "support/world.hpp"

using namespace fsim;
using engine::Sensors;
using engine::SensorSettings;

namespace {

plant::Output truth() {
  plant::Output w;
  for (std::size_t i = 0; i < kJoints; ++i) {
    w.q[i] = 0.1234567 * static_cast<double>(i);
    w.tau_J[i] = static_cast<double>(i);
  }
  return w;
}

SensorSettings lab() { return {6e-6, 7e-4, 0.5, 0.05, 1}; }

}  // namespace

TEST_CASE("without settings the sensors tell the truth") {
  Sensors s({});
  plant::Output m;
  s.measure(truth(), m);
  CHECK(m.q == truth().q);
  CHECK(m.dq == truth().dq);
  CHECK(m.tau_J == truth().tau_J);
}

TEST_CASE("noise has the deviation that was set, no mean of its own, and a bound") {
  Sensors s({0, 7e-4, 0, 0.05, 7});
  const plant::Output w = truth();
  constexpr int n = 20000;
  for (std::size_t i = 0; i < kJoints; ++i) {
    double sum = 0, square = 0, worst = 0, sum_v = 0, square_v = 0;
    for (int k = 0; k < n; ++k) {
      plant::Output m;
      s.measure(w, m);
      const double e = m.tau_J[i] - w.tau_J[i];
      sum += e;
      square += e * e;
      worst = std::max(worst, std::abs(e));
      sum_v += m.dq[i];
      square_v += m.dq[i] * m.dq[i];
    }
    CHECK(std::abs(sum / n) < 6 * 0.05 / std::sqrt(n));
    CHECK(std::sqrt(square / n) == doctest::Approx(0.05).epsilon(0.03));
    CHECK(worst < 3.5 * 0.05);
    CHECK(std::abs(sum_v / n) < 6 * 7e-4 / std::sqrt(n));
    CHECK(std::sqrt(square_v / n) == doctest::Approx(7e-4).epsilon(0.03));
  }
}

TEST_CASE("joints and readings do not share their noise") {
  Sensors s({0, 0, 0, 1, 3});
  double cross = 0, serial = 0;
  Vec7 before{};
  constexpr int n = 20000;
  for (int k = 0; k < n; ++k) {
    plant::Output w, m;
    s.measure(w, m);
    cross += m.tau_J[0] * m.tau_J[1];
    serial += m.tau_J[0] * before[0];
    before = m.tau_J;
  }
  CHECK(std::abs(cross / n) < 6 / std::sqrt(n));
  CHECK(std::abs(serial / n) < 6 / std::sqrt(n));
}

TEST_CASE("a seed repeats every reading, another one repeats none") {
  SensorSettings other = lab();
  other.seed = 2;
  Sensors a(lab()), b(lab()), c(other);
  for (int k = 0; k < 100; ++k) {
    plant::Output ma, mb, mc;
    a.measure(truth(), ma);
    b.measure(truth(), mb);
    c.measure(truth(), mc);
    CHECK(ma.tau_J == mb.tau_J);
    CHECK(ma.dq == mb.dq);
    CHECK(ma.tau_J != mc.tau_J);
  }
}

TEST_CASE("the bias of a joint is constant, its own, and within what was set") {
  Sensors s({0, 0, 0.5, 0, 11});
  plant::Output first, second;
  s.measure(truth(), first);
  s.measure(truth(), second);
  CHECK(first.tau_J == second.tau_J);
  for (std::size_t i = 0; i < kJoints; ++i) {
    const double bias = first.tau_J[i] - truth().tau_J[i];
    CHECK(std::abs(bias) <= 0.5);
    CHECK(bias != 0);
    for (std::size_t j = 0; j < i; ++j) CHECK(bias != first.tau_J[j] - truth().tau_J[j]);
  }
}

TEST_CASE("positions come in steps of the encoder") {
  Sensors s({1e-3, 0, 0, 0, 0});
  plant::Output m;
  s.measure(truth(), m);
  CHECK(m.q[1] == doctest::Approx(0.123).epsilon(1e-12));
  CHECK(m.q[3] == doctest::Approx(0.370).epsilon(1e-12));
}

TEST_CASE("noise does not keep a lockstep world awake") {
  engine::Settings settings = test::settings(engine::ClockKind::kLockstep);
  settings.sensors = lab();
  test::World world(settings);
  world.idle(300);
  CHECK(world.engine.unit().at_rest());
  const Vec7 tau = world.state.tau_J;
  world.idle(3);
  CHECK(world.state.tau_J == tau);
}

TEST_CASE("an arm that noise shakes for ever counts as at rest in the end") {
  engine::Settings settings = test::settings(engine::ClockKind::kLockstep);
  settings.sensors = {0, 0.05, 0, 0, 1};  // far more than any robot's
  test::World world(settings);
  world.plant.arm().friction_factor = 0;
  world.idle(1000);
  CHECK_FALSE(world.engine.unit().at_rest());
  world.idle(4100);
  CHECK(world.engine.unit().at_rest());
}
