// Joint velocities: the start, the envelope at the integrated q_d, driving into a stop.
// Source: reference 000, "The position-based joint velocity limits".
#include <cmath>

#include "test_judge_support.hpp"

namespace fsim::judge::test {
namespace {

TEST_CASE("a first velocity away from dq_d is an acceleration discontinuity") {
  const CycleResult r = Client(kVelocity, strict()).answer(with({}, 0, 0.2));
  CHECK(breaks(r, Row::kVelocityStart));
  CHECK(static_cast<int>(r.violations[0].error) == 15);
  CHECK(r.violations[0].limit == 0.1);
}

TEST_CASE("driving into a stop leaves the envelope before the range") {
  const double stop = fr3_limits().upper[0];
  Client client(kVelocity, strict(), with(kReady, 0, 2.0));
  double v = 0;
  CycleResult r;
  do {
    v = std::min(1.0, v + 4e-3);
    r = client.answer(with({}, 0, v));
  } while (!r.abort.any());
  CHECK(breaks(r, Row::kVelocityEnvelope));
  const double q = client.judge.reference().q_d[0];
  CHECK(q < stop);
  // Where the braking parabola gives 1 rad/s: (1 + 0.3)^2 / (2 * 6) before the stop.
  CHECK(stop - q == doctest::Approx(1.69 / 12).epsilon(0.01));
}

TEST_CASE("the envelope is taken at the q_d before the command") {
  // Joint 2 at rest on the slope; the velocity fits where it is, not where it would be.
  const robot::JointLimits l = fr3_limits();
  const double q = 1.2;
  const double fits = -0.20 + std::sqrt(2 * 2.585 * (l.upper[1] - q));
  Rules rules = permissive();
  Client client(kVelocity, rules, with(kReady, 1, q));
  client.answer(with({}, 1, 0.0));
  const CycleResult step = client.answer(with({}, 1, fits));
  CHECK(breaks(step, Row::kVelocityAcceleration));
  // The next one is judged at the integrated q_d, where the same velocity is too fast.
  CHECK(breaks(client.answer(with({}, 1, fits)), Row::kVelocityJerk));
  CHECK(breaks(client.answer(with({}, 1, fits)), Row::kVelocityEnvelope));
}

TEST_CASE("q_d of a velocity motion is the integral of dq_c") {
  Client client(kVelocity, strict(), with(kReady, 0, 0.0));
  double q = 0;
  for (int k = 1; k <= 400; ++k) {
    const double dq = 0.3 * std::sin(0.01 * k);
    q += dq * kDt;
    const CycleResult r = client.answer(with({}, 0, dq));
    REQUIRE(clean(r));
    CHECK(r.reference.dq_d[0] == dq);
    CHECK(std::abs(r.reference.q_d[0] - q) < 1e-14);
  }
}

}  // namespace
}  // namespace fsim::judge::test
