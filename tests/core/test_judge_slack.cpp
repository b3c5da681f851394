// The slack of limits on a wire of 32-bit floats (architecture.md, "Judging on a wire of 32-bit
// floats"; assumed.hpp J1).
#include <algorithm>
#include <cmath>
#include <random>

#include "test_judge_support.hpp"

namespace fsim::judge::test {
namespace {

Rules strict_f32() {
  Rules rules = strict();
  rules.f32_state = true;
  return rules;
}
double plain_half_ulp(double x) {
  const float f = std::abs(static_cast<float>(x));
  return (static_cast<double>(std::nextafterf(f, 1e30F)) - static_cast<double>(f)) / 2;
}
double f32(double x) { return static_cast<double>(static_cast<float>(x)); }

TEST_CASE("half an ULP is the distance to the next float") {
  for (double x : {1e-30, 1e-6, 0.5, 0.75, 1.0, 1.9999, 2.0, -2.3562, 64.0, 86.9, -1e6})
    CHECK(half_ulp_f32(x) == plain_half_ulp(x));
  CHECK(half_ulp_f32(0.0) == 0.0);
}

TEST_CASE("slack of a position jerk is 2u of q_d over dt^3") {
  // Joint 4 of the ready pose: u = 2^-23, so 238 rad/s^3.
  const double slack = 2 * plain_half_ulp(kReady[3]) / 1e-9;
  CHECK(slack == doctest::Approx(238.4).epsilon(1e-3));
  const auto opening = [&](double jerk, Rules rules) {
    return Client(kPosition, rules).answer(plus(kReady, 3, jerk * 1e-9));
  };
  CHECK(clean(opening(5000 + 0.999 * slack, strict_f32())));
  const CycleResult over = opening(5000 + 1.001 * slack, strict_f32());
  CHECK(breaks(over, Row::kPositionJerk));
  CHECK(over.violations[0].limit == 5000.0);
  CHECK(breaks(opening(5000.01, strict()), Row::kPositionJerk));
}

TEST_CASE("slack of a torque rate is 2u of tau_J_d over dt") {
  const double slack = 2 * plain_half_ulp(70.0) / 1e-3;
  CHECK(slack == doctest::Approx(7.6e-3).epsilon(1e-2));
  const auto step = [&](double rate, Rules rules) {
    rules.enforce_motion_limits = false;
    Client client(kTorque, rules);
    client.answer(with({}, 0, 70.0));
    return client.answer(with({}, 0, 70.0 + rate * kDt));
  };
  CHECK(clean(step(1000 + 0.99 * slack, strict_f32())));
  CHECK(breaks(step(1000 + 1.01 * slack, strict_f32()), Row::kTorqueRate));
  CHECK(breaks(step(1000.001, strict()), Row::kTorqueRate));
}

TEST_CASE("slack of a range is 2u of the value itself") {
  const double stop = fr3_limits().upper[0];
  const Vec7 q_d = with(kReady, 0, stop);
  CHECK(breaks(Client(kPosition, strict(), q_d).answer(plus(q_d, 0, 1e-9)), Row::kPositionRange));
  // 1e-9 rad over the stop is 1e-6 rad/s outward, inside the slack of the envelope as well.
  CHECK(clean(Client(kPosition, strict_f32(), q_d).answer(plus(q_d, 0, 1e-9))));
  // Further out it moves too fast for the stop, but the range is named first.
  const double beyond = 2.01 * plain_half_ulp(stop);
  CHECK(breaks(Client(kPosition, strict_f32(), q_d).answer(plus(q_d, 0, beyond)),
               Row::kPositionRange));
}

// Clamps like libfranka's limiter: against the 32-bit echo, 1e-3 below each limit.
struct LimitingClient {
  double q = 0, dq = 0, ddq = 0;  // the echo
  double next(double wanted_dq) const {
    const double jerk = std::clamp(((wanted_dq - dq) / kDt - ddq) / kDt, -4999.999, 4999.999);
    // Keep enough acceleration in hand to come back to zero at the jerk limit.
    const double room = std::sqrt(2 * 4999.999 * std::abs(wanted_dq - dq));
    double a = std::clamp(ddq + jerk * kDt, -std::min(9.999, room), std::min(9.999, room));
    a = std::clamp(a, ddq - 4999.999 * kDt, ddq + 4999.999 * kDt);
    return std::clamp(dq + a * kDt, -2.619, 2.619);
  }
};

TEST_CASE("slack lets a client through that limits itself against the 32-bit echo") {
  const unsigned seed = 20240611;
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (const MotionSpec spec : {kPosition, kVelocity}) {
    Client client(spec, strict_f32());
    LimitingClient echo;
    double wanted = 0;
    int crossings = 0;
    for (int k = 0; k < 200000; ++k) {
      if (k % 250 == 0)
        wanted = (client.judge.reference().q_d[0] > 0 ? -1 : 1) *
                 std::uniform_real_distribution<double>(0.1, 1.5)(random);
      const double dq = echo.next(wanted);
      const CycleResult r = client.answer(spec.generator == Generator::kJointPosition
                                              ? with(kReady, 0, echo.q + dq * kDt)
                                              : with({}, 0, dq));
      if (!r.violations.empty()) {
        CAPTURE(k);
        CAPTURE(r.violations[0].value);
        CAPTURE(static_cast<int>(r.violations[0].row));
        REQUIRE(r.violations.empty());
      }
      if ((echo.q < 0) != (r.reference.q_d[0] < 0)) ++crossings;
      echo = {f32(r.reference.q_d[0]), f32(r.reference.dq_d[0]), f32(r.reference.ddq_d[0])};
    }
    CHECK(crossings > 100);
  }
}

}  // namespace
}  // namespace fsim::judge::test
