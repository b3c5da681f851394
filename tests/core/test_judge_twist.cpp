// Cartesian velocities: the start from rest, what outranks what, what is published and integrated.
// Source: reference 000, "What is checked" and the Cartesian rows of the field table.
#include <limits>

#include "test_judge_cartesian_support.hpp"

namespace fsim::judge::test {
namespace {

TEST_CASE("a step in the twist is 20, never 18, also from rest") {
  for (std::size_t k = 0; k < 6; ++k) {
    CartesianClient opening(kTwist, permissive());
    const CycleResult first = opening.answer(along(k, 5.0));
    CHECK(error_index(first) == 20);
    CHECK(first.violations.size() == 1);
    CHECK(first.violations[0].cause == Cause::kOpeningStep);
    CartesianClient running(kTwist, permissive());
    running.answer(Vec6{});
    CHECK(error_index(running.answer(along(k, 5.0))) == 20);
  }
  CHECK(clean(CartesianClient(kTwist, strict()).answer(along(0, 4.4e-3))));
}

TEST_CASE("a twist that grows smoothly is 18 when it is too fast") {
  for (std::size_t k : {0u, 5u}) {
    const double limit = k < 3 ? 3.0 : 2.5;
    CartesianClient client(kTwist, strict());
    double v = 0;
    CycleResult r;
    do {
      v += 4e-3;
      r = client.answer(along(k, v));
    } while (!r.abort.any());
    CHECK(error_index(r) == 18);
    CHECK(v == doctest::Approx(limit).epsilon(5e-3));
    CHECK(r.violations[0].limit == limit);
    CHECK(r.violations[0].axis == (k < 3 ? Axis::kTranslation : Axis::kRotation));
  }
}

TEST_CASE("a twist that is not finite is 18 and aborts, enforced or not") {
  for (const Rules rules : {strict(), permissive()})
    for (const double bad : {std::nan(""), -std::numeric_limits<double>::infinity(), 1e307})
      for (std::size_t k = 0; k < 6; ++k) {
        CartesianClient client(kTwist, rules);
        REQUIRE(clean(client.answer(Vec6{})));
        const CycleResult r = client.answer(along(k, bad));
        CHECK(error_index(r) == 18);
        CHECK(r.violations[0].cause == Cause::kNotFinite);
        CHECK(r.abort.any());
        CHECK(client.judge.reference().cartesian.O_dP_EE_c == Vec6{});
      }
}

TEST_CASE("the pose is frozen where the motion began and the twist is published and integrated") {
  CartesianClient client(kTwist, strict());
  const Mat4 measured = moved(kHome, 0, 1e-4);
  client.judge.observe({kReady, {}, measured, kHomeElbow});
  double x = 0, turn = 0, v = 0;
  for (int k = 1; k <= 500; ++k) {
    client.judge.observe({kReady, {}, moved(kHome, 0, x), kHomeElbow});
    if (k == 1) client.judge.observe({kReady, {}, measured, kHomeElbow});
    v = std::min(0.5, v + 2e-3);
    x += v * kDt;
    turn += v * kDt;
    Vec6 twist = along(0, v);
    twist[3] = v;  // about O's x, which is the EE's x here
    const CartesianReference c = client.answer(twist).reference.cartesian;
    CHECK(c.O_T_EE_c == measured);
    CHECK(c.O_dP_EE_c == twist);
    const Mat4 expected = moved(moved(kHome, 0, x), 3, turn);
    for (std::size_t i = 0; i < 16; ++i) CHECK(std::abs(c.goal[i] - expected[i]) < 1e-12);
  }
}

TEST_CASE("finishing on a moving twist is 20") {
  CartesianClient client(kTwist, strict());
  for (int k = 1; k <= 100; ++k) REQUIRE(clean(client.answer(along(1, 4e-3 * k))));
  const auto broken = client.judge.judge_hold(client.now);
  REQUIRE_FALSE(broken.empty());
  CHECK(static_cast<int>(broken[0].error) == 20);
  CHECK(broken[0].cause == Cause::kFinishedMoving);
}

}  // namespace
}  // namespace fsim::judge::test
