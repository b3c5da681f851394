// Turning at the top speed: what libfranka's limiter makes of random walks passes, and nothing that
// it does not make. The limiter is client/limiter.cpp, held to libfranka's bit by bit elsewhere.
#include <random>

#include "base/rotation.hpp"
#include "client/limiter.hpp"
#include "judge/cartesian.hpp"
#include "test_judge_cartesian_support.hpp"

namespace fsim::judge::test {
namespace {

/// FR3 constants of libfranka rate_limiting.h: nominal less 1e-3.
constexpr client::CartesianLimits kAims{{2.999, 8.999, 4499.999}, {2.499, 16.999, 8499.999}};

Rules exact() {
  Rules rules = strict();
  rules.f32_state = false;
  return rules;
}
double jerk_between(const Vec6& a, const Vec6& b, std::size_t from) {
  return std::hypot(b[from] - a[from], b[from + 1] - a[from + 1], b[from + 2] - a[from + 2]) / kDt;
}

}  // namespace

TEST_CASE(
    "what libfranka's limiter shortens at the speed limit passes, over the jerk limit or not") {
  constexpr unsigned kSeed = 4242;
  MESSAGE("seed ", kSeed);
  std::mt19937 rng(kSeed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> unit(-1, 1);
  for (const bool poses : {false, true}) {
    int over = 0;
    double worst = 0;
    for (int walk = 0; walk < 200; ++walk) {
      CartesianClient client(poses ? kPose : kTwist, exact());
      const double size = std::pow(10.0, unit(rng) - (poses ? 1.0 : 0.5));
      Vec6 asked{}, sent{}, rate{};
      Mat4 at = kHome, wanted = kHome;
      if (poses) REQUIRE(clean(client.answer(kHome)));
      for (int n = 0; n < 1000; ++n) {
        for (double& x : asked) x += 0.1 * size * normal(rng);
        Vec6 now;
        if (poses) {
          Vec6 step;
          for (std::size_t k = 0; k < 6; ++k) step[k] = 0.03 * size * normal(rng);
          wanted = integrate_twist(wanted, step, 1);
          const Mat4 next = client::limit_pose(kAims, wanted, at, sent, rate);
          now = client::twist_between(at, next);
          at = next;
          REQUIRE(clean(client.answer(at)));
        } else {
          now = client::limit_twist(kAims, asked, sent, rate);
          REQUIRE(clean(client.answer(now)));
        }
        Vec6 acceleration;
        for (std::size_t k = 0; k < 6; ++k) acceleration[k] = (now[k] - sent[k]) / kDt;
        for (const std::size_t from : {0u, 3u}) {
          const double share = jerk_between(rate, acceleration, from) / (from == 0 ? 4500 : 8500);
          over += share > 1.001;
          worst = std::max(worst, share);
        }
        sent = now;
        rate = acceleration;
      }
    }
    // The test must meet what it is about.
    MESSAGE(poses, ": ", over, " of 400000 over, worst ", worst);
    CHECK(over > 20);
    CHECK(worst > 1.2);
  }
}

TEST_CASE("a jerk over its limit is 20 where the speed limit does not ask for it") {
  // At vx along x and vy along y, speeding up along y at 9 m/s^2; then at `a`, and with a part
  // `askew` along z. What is left along y is what the sphere of 2.999 m/s leaves, times 500 / s.
  struct Turn {
    double vx, vy, a, askew;
    bool passes;
  };
  const double left = 500 * (std::sqrt(2.999 * 2.999 - 2.98 * 2.98) - 0.335);
  REQUIRE(left > 0.5);
  REQUIRE(left < 4.4);  // 4500 m/s^3 reach down to 4.5
  const Turn turns[] = {
      {2.98, 0.335, left, 0, true},
      {2.98, 0.335, left * 1.01, 0, true},     // shortened less
      {2.98, 0.335, left * 0.99, 0, false},    // more than it asks for
      {2.98, 0.335, -left, 0, false},          // turned back
      {2.98, 0.335, left, 0.49 * left, true},  // as a legal step aside, shortened: 0.5 of 9
      {2.98, 0.335, left, 0.6 * left, false},  // further aside than a legal step
      {2.98, 0.30, left, 0, false},            // room for 9 m/s^2
      {2.9, 0.0, 4.4, 0, false},               // far from the limit
      {2.9, 0.0, 4.6, 0, true},                // a legal jerk
  };
  for (const Turn& turn : turns)
    for (const std::size_t from : {0u, 3u}) {
      CAPTURE(turn.vy);
      CAPTURE(turn.a);
      CAPTURE(turn.askew);
      const robot::Derivatives limits{3.0, 9.0, 4500.0};
      Reference prev, next;
      prev.cartesian.O_dP_EE_c[from] = turn.vx;
      prev.cartesian.O_dP_EE_c[from + 1] = turn.vy;
      prev.cartesian.O_ddP_EE_c[from + 1] = 9;
      next.cartesian.O_ddP_EE_c[from + 1] = turn.a;
      next.cartesian.O_ddP_EE_c[from + 2] = turn.askew;
      const Sample sample{prev, next, kDt, Phase::kRunning};
      const auto broken = judge_jerk(sample, {Row::kTwistTranslationJerk, from}, limits, {});
      CHECK(broken.has_value() != turn.passes);
      if (broken) CHECK(broken->limit == 4500);
      if (broken) CHECK(broken->axis == (from == 0 ? Axis::kTranslation : Axis::kRotation));
    }
}

}  // namespace fsim::judge::test
