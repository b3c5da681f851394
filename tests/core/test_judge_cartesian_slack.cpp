// The slack of Cartesian limits on a wire of 32-bit floats, and a client that limits itself against
// what it reads (architecture.md, "Judging on a wire of 32-bit floats"; assumed.hpp C1, C7).
#include <algorithm>
#include <cstdlib>
#include <random>

#include "test_judge_cartesian_support.hpp"

namespace fsim::judge::test {
namespace {

Rules strict_f32() {
  Rules rules = strict();
  rules.f32_state = true;
  return rules;
}
double f32(double x) { return static_cast<double>(static_cast<float>(x)); }
template <std::size_t N>
std::array<double, N> f32(std::array<double, N> v) {
  for (double& x : v) x = f32(x);
  return v;
}
double half_ulp(double x) {
  const float f = std::abs(static_cast<float>(x));
  return (static_cast<double>(std::nextafterf(f, 1e30F)) - static_cast<double>(f)) / 2;
}

TEST_CASE("slack of a translational jerk is 2u of the position's norm over dt^3") {
  const double slack = 2 * std::hypot(half_ulp(0.307), half_ulp(0.487)) / 1e-9;
  CHECK(slack == doctest::Approx(42.1).epsilon(1e-2));
  const auto step = [](double jerk, Rules rules) {
    CartesianClient client(kPose, rules);
    client.answer(kHome);
    return client.answer(moved(kHome, 1, jerk * 1e-9));
  };
  CHECK(clean(step(4500 + 0.999 * slack, strict_f32())));
  const CycleResult over = step(4500 + 1.001 * slack, strict_f32());
  CHECK(error_index(over) == 20);
  CHECK(over.violations[0].limit == 4500);
  CHECK(error_index(step(4500.01, strict())) == 20);
}

TEST_CASE("slack of a rotational jerk is 2u of the matrix's norm over sqrt(2) dt^3") {
  const double slack = 2 * std::sqrt(3.0) * half_ulp(1.0) / std::sqrt(2.0) / 1e-9;
  const auto step = [](double jerk) {
    CartesianClient client(kPose, strict_f32());
    client.answer(kHome);
    return client.answer(moved(kHome, 4, jerk * 1e-9));
  };
  CHECK(clean(step(8500 + 0.999 * slack)));
  CHECK(error_index(step(8500 + 1.001 * slack)) == 20);
}

TEST_CASE("rounding a rotation to 32 bits turns it by no more than its slack") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> angle(-3, 3);
  double largest = 0;
  for (int k = 0; k < 2000; ++k) {
    const Mat4 T = moved(moved(moved(kHome, 3, angle(random)), 4, angle(random)), 5, angle(random));
    const Mat4 R = f32(T);
    // Skew part of T^T R.
    const auto at = [&](std::size_t r, std::size_t c) {
      return T[4 * r] * R[4 * c] + T[4 * r + 1] * R[4 * c + 1] + T[4 * r + 2] * R[4 * c + 2];
    };
    const double turned =
        std::hypot(at(2, 1) - at(1, 2), at(0, 2) - at(2, 0), at(1, 0) - at(0, 1)) / 2;
    double u = 0;
    for (std::size_t i = 0; i < 12; ++i) u += half_ulp(T[i]) * half_ulp(T[i]);
    CHECK(turned <= std::sqrt(u / 2));
    largest = std::max(largest, turned / std::sqrt(u / 2));
  }
  CHECK(largest > 0.5);  // the bound is no gift
}

TEST_CASE(
    "slack reaches the joints through the inverse of the Jacobian, per metre, radian, elbow") {
  constexpr double kElbowAt = 0.7;
  // 2u of each part of the state: translation, rotation matrix over sqrt(2), elbow.
  const double parts[] = {2 * std::hypot(half_ulp(0.307), half_ulp(0.487)),
                          2 * std::sqrt(3.0) * half_ulp(1.0) / std::sqrt(2.0),
                          2 * half_ulp(kElbowAt)};
  // Joint 4 follows one of O's y, the EE's y or the elbow, ten times as fast.
  for (std::size_t part = 0; part < 3; ++part) {
    LinearArm arm;
    const std::size_t columns[] = {1, 4, 6};
    arm.J[columns[part]][3] = 10;
    arm.elbow0 = kElbowAt;
    const auto step = [&](double jerk) {
      Start start{kReady, kHome, {kReady, {}, kHome, {kElbowAt, -1}}};
      CartesianClient client(kPose, strict_f32(), arm.solver(), cartesian_limits(), start);
      client.answer(kHome, {kElbowAt, -1});
      const double x = jerk * 1e-9 / 10;
      return part < 2 ? client.answer(moved(kHome, columns[part], x), {kElbowAt, -1})
                      : client.answer(kHome, {kElbowAt + x, -1});
    };
    CAPTURE(part);
    const double slack = 10 * parts[part] / 1e-9;
    arm.gives_gains = true;
    CHECK(clean(step(5000 + 0.99 * slack)));
    CHECK(error_index(step(5000 + 1.01 * slack)) == 30);
    arm.gives_gains = false;
    CHECK(error_index(step(5000.1)) == 30);
  }
}

// libfranka's limiter on a vector, from its published behaviour (reference 001, wire.md 6): jerk
// first, then an acceleration from which the velocity limit can still be met.
template <std::size_t N>
std::array<double, N> limited(const std::array<double, N>& wanted, const std::array<double, N>& v,
                              const std::array<double, N>& a, const robot::Derivatives& nominal,
                              double factor = 1) {
  const double v_max = factor * nominal.velocity - 1e-3;
  const double a_max = factor * nominal.acceleration - 1e-3;
  const double j_max = factor * nominal.jerk - 1e-3;
  const auto norm = [](const std::array<double, N>& x) {
    double sum = 0;
    for (double y : x) sum += y * y;
    return std::sqrt(sum);
  };
  std::array<double, N> jerk{}, next{}, out{};
  for (std::size_t k = 0; k < N; ++k) jerk[k] = ((wanted[k] - v[k]) / kDt - a[k]) / kDt;
  const double j_scale = std::min(1.0, j_max / std::max(norm(jerk), 1e-12));
  for (std::size_t k = 0; k < N; ++k) next[k] = a[k] + jerk[k] * j_scale * kDt;
  const double size = norm(next);
  double dot = 0;
  if (size > 0)
    for (std::size_t k = 0; k < N; ++k) dot += next[k] / size * v[k];
  const double distance =
      -dot + std::sqrt(std::max(0.0, dot * dot - norm(v) * norm(v) + v_max * v_max));
  const double safe = std::min(j_max / a_max * distance, a_max);
  const double a_scale = size > safe ? safe / size : 1.0;
  for (std::size_t k = 0; k < N; ++k) out[k] = v[k] + next[k] * a_scale * kDt;
  return out;
}

/// The jerk of what the limiter gave out: where a velocity limit binds while the direction changes,
/// its last clamp can leave the jerk limit behind (assumed.hpp, C15).
template <std::size_t N>
double jerk_of(const std::array<double, N>& out, const std::array<double, N>& v,
               const std::array<double, N>& a) {
  double sum = 0;
  for (std::size_t k = 0; k < N; ++k) {
    const double j = ((out[k] - v[k]) / kDt - a[k]) / kDt;
    sum += j * j;
  }
  return std::sqrt(sum);
}

Vec3 head(const Vec6& v) { return {v[0], v[1], v[2]}; }
Vec3 tail(const Vec6& v) { return {v[3], v[4], v[5]}; }
double largest(const Vec6& v) {
  double m = 0;
  for (double x : v) m = std::max(m, std::abs(x));
  return m;
}

/// What a client wants, cycle by cycle: steps, sines or a random walk of a twist and an elbow rate.
struct Wish {
  std::mt19937 random;
  int kind;
  Vec6 twist{};
  double elbow = 0;
  void next(int k) {
    std::normal_distribution<double> normal;
    const double t = k * kDt;
    for (std::size_t i = 0; i < 6; ++i) {
      if (kind == 0 && k % 200 == 0) twist[i] = 3 * normal(random);
      if (kind == 1) twist[i] = 2.5 * std::sin(2 * M_PI * (1.0 + static_cast<double>(i)) * t);
      if (kind == 2) twist[i] += 0.05 * normal(random);
    }
    if (kind == 0 && k % 200 == 0) elbow = 2 * normal(random);
    if (kind == 1) elbow = 1.6 * std::sin(2 * M_PI * 1.5 * t);
    if (kind == 2) elbow += 0.05 * normal(random);
  }
};

TEST_CASE("a client that limits itself against the 32-bit echo never trips a Cartesian limit") {
  const char* given = std::getenv("FSIM_TEST_SEED");
  const unsigned seed =
      given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : 3;
  CAPTURE(seed);
  Limits limits = cartesian_limits();
  limits.joint.lower[2] = -1e9;  // the elbow may turn for ever
  limits.joint.upper[2] = 1e9;
  int over = 0;
  for (const MotionSpec& spec : {kPose, kTwist})
    for (int kind = 0; kind < 3; ++kind)
      for (unsigned run = 0; run < 20; ++run) {
        CAPTURE(kind);
        CAPTURE(run);
        Wish wish{std::mt19937(seed + run), kind};
        Start start{kReady, kHome, {kReady, {}, kHome, kHomeElbow}};
        CartesianClient client(spec, strict_f32(), {}, limits, start);
        REQUIRE(clean(client.answer(kHome, kHomeElbow)));
        double fastest = 0;
        for (int k = 0; k < 1000; ++k) {
          wish.next(k);
          const CartesianReference& c = client.judge.reference().cartesian;
          const Vec6 dP = f32(c.O_dP_EE_c), ddP = f32(c.O_ddP_EE_c);
          const bool pose = spec.generator == Generator::kCartesianPosition;
          const Vec3 v =
              limited(head(wish.twist), head(dP), head(ddP), kCartesianLimits.translation);
          const Vec3 w = limited(tail(wish.twist), tail(dP), tail(ddP), kCartesianLimits.rotation,
                                 pose ? 0.99 : 1.0);
          const double elbow = f32(c.elbow_c[0]) +
                               kDt * limited<1>({wish.elbow}, {f32(c.delbow_c[0])},
                                                {f32(c.ddelbow_c[0])}, kCartesianLimits.elbow)[0];
          wire::RobotCommand command = client.twist({v[0], v[1], v[2], w[0], w[1], w[2]});
          if (pose) {
            // Rodrigues on the left, from the rounded pose.
            Mat4 T = f32(c.O_T_EE_c);
            const Mat4 from = T;
            const double angle = std::hypot(w[0], w[1], w[2]) * kDt;
            if (angle > 0)
              for (std::size_t col = 0; col < 3; ++col) {
                const Vec3 n{w[0] * kDt / angle, w[1] * kDt / angle, w[2] * kDt / angle};
                const double* x = &from[4 * col];
                const double along_n = n[0] * x[0] + n[1] * x[1] + n[2] * x[2];
                const Vec3 cross{n[1] * x[2] - n[2] * x[1], n[2] * x[0] - n[0] * x[2],
                                 n[0] * x[1] - n[1] * x[0]};
                for (std::size_t i = 0; i < 3; ++i)
                  T[4 * col + i] = std::cos(angle) * x[i] + std::sin(angle) * cross[i] +
                                   (1 - std::cos(angle)) * along_n * n[i];
              }
            for (std::size_t i = 0; i < 3; ++i) T[12 + i] += v[i] * kDt;
            command.O_T_EE_c = T;
          }
          command.elbow_c = {elbow, -1};
          command.valid_elbow = true;
          over += jerk_of(v, head(dP), head(ddP)) > 1.01 * kCartesianLimits.translation.jerk ||
                  jerk_of(w, tail(dP), tail(ddP)) > 1.01 * kCartesianLimits.rotation.jerk;
          const CycleResult r = client.close({command});
          if (!r.violations.empty()) {
            CAPTURE(k);
            CAPTURE(r.violations[0].value);
            CAPTURE(r.violations[0].limit);
            CAPTURE(checks()[r.violations[0].row].condition);
            REQUIRE(r.violations.empty());
          }
          fastest = std::max(fastest, largest(r.reference.cartesian.O_dP_EE_c));
        }
        if (kind == 0) CHECK(fastest > 1.5);
      }
  CHECK(over > 20);
}

TEST_CASE("a limited twist reaches the full speed it asks for") {
  CartesianClient client(kTwist, strict_f32());
  Vec3 v{};
  for (int k = 0; k < 1500; ++k) {
    const CartesianReference& c = client.judge.reference().cartesian;
    v = limited<3>({2.9985, 0, 0}, head(f32(c.O_dP_EE_c)), head(f32(c.O_ddP_EE_c)),
                   kCartesianLimits.translation);
    REQUIRE(clean(client.answer(Vec6{v[0], v[1], v[2], 0, 0, 0})));
  }
  CHECK(v[0] == doctest::Approx(2.9985).epsilon(1e-5));
}

}  // namespace
}  // namespace fsim::judge::test
