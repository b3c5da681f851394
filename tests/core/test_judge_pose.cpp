// Cartesian poses: frames, the start, what outranks what, what is published.
// Source: reference 000, "What is checked, and what it latches".
#include <limits>

#include "test_judge_cartesian_support.hpp"

namespace fsim::judge::test {
namespace {

TEST_CASE("an invalid frame is refused whatever the switches say") {
  Mat4 stretched = kHome, skewed = kHome, low = kHome, zero{};
  stretched[0] = 1 + 2e-5;
  skewed[3] = 1e-9;
  low[15] = 1 + 1e-12;
  for (const Rules rules : {strict(), permissive()})
    for (const Mat4& bad : {stretched, skewed, low, zero})
      for (const bool first : {true, false}) {
        CartesianClient client(kPose, rules);
        if (!first) REQUIRE(clean(client.answer(kHome)));
        const CycleResult r = client.answer(bad);
        CHECK(error_index(r) == 31);
        CHECK(r.violations.size() == 1);
        CHECK(r.violations[0].enforced);
        CHECK(r.abort.has(wire::Error::kCartesianPositionMotionGeneratorInvalidFrameFlag));
        CHECK(r.reference.cartesian.O_T_EE_c == kHome);
      }
  // libfranka's tolerance: 1e-5 of each row's and column's norm.
  Mat4 nearly = kHome;
  nearly[0] = 1 + 0.9e-5;
  CHECK(clean(CartesianClient(kPose, strict()).answer(nearly)));
}

TEST_CASE("a reflection is refused and a row-major matrix is recognised") {
  Mat4 mirrored = kHome;
  mirrored[10] = 1;
  const CycleResult r = CartesianClient(kPose, permissive()).answer(mirrored);
  CHECK(error_index(r) == 31);
  CHECK(r.violations[0].cause == Cause::kOwnSignal);
  Mat4 row_major{};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) row_major[4 * i + j] = kHome[4 * j + i];
  const CycleResult t = CartesianClient(kPose, permissive()).answer(row_major);
  CHECK(error_index(t) == 31);
  CHECK(t.violations[0].cause == Cause::kRowMajor);
}

TEST_CASE("a pose that is not finite is 18 and aborts, enforced or not, per entry") {
  for (const Rules rules : {strict(), permissive()})
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 1e308, -1e308})
      for (std::size_t k = 0; k < 16; ++k) {
        CartesianClient client(kPose, rules);
        REQUIRE(clean(client.answer(kHome)));
        Mat4 T = kHome;
        T[k] = bad;
        const CycleResult r = client.answer(T);
        // A huge entry of the rotation or the last row is no frame.
        const bool huge = std::isfinite(bad) && (k < 12 || k == 15);
        CHECK(error_index(r) == (huge ? 31 : 18));
        CHECK(r.violations[0].enforced);
        CHECK(r.abort.any());
        CHECK(std::isfinite(client.judge.reference().cartesian.O_dP_EE_c[0]));
      }
}

TEST_CASE("the first pose is compared with the measured one and rebases the history") {
  CartesianClient client(kPose, strict());
  // 40 mm away: no velocity comes of it.
  const CycleResult first = client.answer(moved(kHome, 0, 0.04));
  CHECK(clean(first));
  CHECK(first.reference.cartesian.O_dP_EE_c == Vec6{});
  CHECK(first.reference.cartesian.O_ddP_EE_c == Vec6{});
  // From there the next one is judged in full.
  CHECK(clean(client.answer(moved(kHome, 0, 0.04 + 4e-6))));
  CHECK(error_index(CartesianClient(kPose, strict()).answer(moved(kHome, 0, 0.051))) == 16);
  CHECK(error_index(CartesianClient(kPose, strict()).answer(moved(kHome, 4, 0.11))) == 16);
  // Half a turn is an angle, not zero.
  CHECK(error_index(CartesianClient(kPose, strict()).answer(moved(kHome, 3, M_PI))) == 16);
  CHECK(error_index(CartesianClient(kPose, strict()).answer(moved(kHome, 0, 10.0))) == 16);
}

TEST_CASE("what is measured before the first command counts, not what was at the Move") {
  CartesianClient client(kPose, strict());
  const Mat4 now = moved(kHome, 1, 0.2);
  client.judge.observe({kReady, {}, now, kHomeElbow});
  CHECK(clean(client.answer(now)));
  client.judge.observe({kReady, {}, kHome, kHomeElbow});
  CHECK(clean(client.answer(now)));
}

TEST_CASE("the start tolerances are parameters") {
  Rules rules = strict();
  rules.start_translation_tolerance = 0.001;
  rules.start_rotation_tolerance = 0.002;
  CHECK(error_index(CartesianClient(kPose, rules).answer(moved(kHome, 2, 0.0011))) == 16);
  CHECK(error_index(CartesianClient(kPose, rules).answer(moved(kHome, 5, 0.0021))) == 16);
  CHECK(clean(CartesianClient(kPose, rules).answer(moved(kHome, 2, 0.0009))));
}

TEST_CASE("a step breaks many rows and is 19, at the start it is 16, out of a frame 31") {
  for (std::size_t k = 0; k < 6; ++k) {
    CartesianClient running(kPose, permissive());
    running.answer(kHome);
    const CycleResult r = running.answer(moved(kHome, k, 0.5));
    CHECK(error_index(r) == 19);
    CHECK(r.violations.size() == 1);
    CHECK(r.violations[0].axis == (k < 3 ? Axis::kTranslation : Axis::kRotation));
    CHECK(error_index(CartesianClient(kPose, permissive()).answer(moved(kHome, k, 0.5))) == 16);
  }
  Mat4 both = moved(kHome, 0, 0.5);
  both[0] = 2;
  CHECK(error_index(CartesianClient(kPose, permissive()).answer(both)) == 31);
  // Translation and rotation at once: the translation is named.
  CartesianClient two(kPose, permissive());
  two.answer(kHome);
  const CycleResult r = two.answer(moved(moved(kHome, 0, 0.5), 3, 0.5));
  REQUIRE(r.violations.size() == 1);
  CHECK(r.violations[0].axis == Axis::kTranslation);
}

TEST_CASE("smoothly too fast is 18, and the norm counts, not an axis") {
  CartesianClient client(kPose, strict());
  client.answer(kHome);
  double v = 0, x = 0;
  CycleResult r;
  do {
    v += 5e-3;  // along the diagonal: 8.7 m/s^2
    x += v * kDt;
    r = client.answer(moved(moved(moved(kHome, 0, x), 1, -x), 2, x));
    if (v == 5e-3) CHECK(error_index(r) == 20);  // 8660 m/s^3 at once
    if (v == 5e-3) break;
  } while (!r.abort.any());
  CartesianClient slow(kPose, strict());
  slow.answer(kHome);
  v = x = 0;
  double a = 0;
  do {
    a = std::min(5.0, a + 2.5);
    v += a * kDt;
    x += v * kDt;
    r = slow.answer(moved(moved(moved(kHome, 0, x), 1, -x), 2, x));
  } while (!r.abort.any());
  CHECK(error_index(r) == 18);
  CHECK(v * std::sqrt(3.0) == doctest::Approx(3.0).epsilon(5e-3));
  CHECK(r.violations[0].value == doctest::Approx(v * std::sqrt(3.0)).epsilon(1e-9));
}

TEST_CASE("the backward differences of the pose are published in base axes") {
  CartesianClient client(kPose, permissive());
  client.answer(kHome);
  // Turning about its own x and y in turn; expected by the rotation on the left.
  Mat4 before = kHome;
  Vec3 w_before{};
  for (int k = 1; k <= 50; ++k) {
    const Mat4 T = moved(moved(moved(before, 0, 1e-4 * k), 3, 2e-5 * k), 4, 1e-7 * k * k);
    const CartesianReference c = client.answer(T).reference.cartesian;
    const auto D = [&](std::size_t i, std::size_t j) {  // T before^T
      double sum = 0;
      for (std::size_t m = 0; m < 3; ++m) sum += T[4 * m + i] * before[4 * m + j];
      return sum;
    };
    const Vec3 w{(D(2, 1) - D(1, 2)) / 2 / kDt, (D(0, 2) - D(2, 0)) / 2 / kDt,
                 (D(1, 0) - D(0, 1)) / 2 / kDt};
    CHECK(c.O_T_EE_c == T);
    CHECK(c.goal == T);
    CHECK(c.O_dP_EE_c[0] == doctest::Approx((T[12] - before[12]) / kDt));
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(c.O_dP_EE_c[3 + i] == doctest::Approx(w[i]).epsilon(1e-5));
      if (k > 1)
        CHECK(c.O_ddP_EE_c[3 + i] ==
              doctest::Approx((w[i] - w_before[i]) / kDt).epsilon(2e-5).scale(20));
    }
    before = T;
    w_before = w;
  }
}

TEST_CASE("finishing on a moving pose breaks its hold, at rest it does not") {
  CartesianClient client(kPose, strict());
  client.answer(kHome);
  double v = 0, x = 0;
  for (int k = 0; k < 100; ++k) {
    v += 4e-3;
    x += v * kDt;
    REQUIRE(clean(client.answer(moved(kHome, 0, x))));
  }
  const auto broken = client.judge.judge_hold(client.now);
  REQUIRE_FALSE(broken.empty());
  CHECK(static_cast<int>(broken[0].error) == 19);
  CHECK(broken[0].cause == Cause::kFinishedMoving);
  CartesianClient still(kPose, strict());
  still.answer(kHome);
  CHECK(still.judge.judge_hold(still.now).empty());
}

TEST_CASE("external torques are judged beside a pose and held through a gap") {
  CartesianClient client({Generator::kCartesianPosition, true}, strict());
  wire::RobotCommand c = client.pose(kHome);
  c.tau_J_d = with({}, 0, 0.5);
  CHECK(client.close({c}).reference.tau_J_d[0] == 0.5);
  CHECK(client.lose().reference.tau_J_d[0] == 0.5);
  c = client.pose(kHome);
  c.tau_J_d = with({}, 0, 2.0);
  CHECK(error_index(client.close({c})) == 32);
}

}  // namespace
}  // namespace fsim::judge::test
