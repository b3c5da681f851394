// Random Cartesian streams with losses, delays and nonsense, and whole traces: what always holds.
#include <cstdlib>
#include <random>

#include "judge/trajectory.hpp"
#include "test_judge_cartesian_support.hpp"

namespace fsim::judge::test {
namespace {

unsigned seed_or(unsigned chosen) {
  const char* given = std::getenv("FSIM_TEST_SEED");
  return given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : chosen;
}
bool finite(const Reference& r) {
  const CartesianReference& c = r.cartesian;
  double sum = 0;
  for (double x : r.q_d) sum += x;
  for (double x : r.ddq_d) sum += x;
  for (double x : c.O_T_EE_c) sum += x;
  for (double x : c.goal) sum += x;
  for (double x : c.O_dP_EE_c) sum += x;
  for (double x : c.O_ddP_EE_c) sum += x;
  return std::isfinite(sum + c.elbow_c[0] + c.ddelbow_c[0]);
}

TEST_CASE("whatever arrives, the books balance and the reference is finite and lawful") {
  const unsigned seed = seed_or(17);
  CAPTURE(seed);
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) {
    return std::uniform_int_distribution<unsigned>(0, n - 1)(random);
  };
  for (int motion = 0; motion < 300; ++motion) {
    CAPTURE(motion);
    Rules rules;
    rules.enforce_motion_limits = below(2) == 0;
    rules.enforce_comm_constraints = below(2) == 0;
    rules.apply_late = below(2) == 0;
    rules.f32_state = below(2) == 0;
    LinearArm arm;
    for (Vec7& column : arm.J)
      for (double& x : column) x = 0.1 * below(10);
    const MotionSpec spec{
        below(2) == 0 ? Generator::kCartesianPosition : Generator::kCartesianVelocity,
        below(4) == 0};
    CartesianClient client(spec, rules, below(4) == 0 ? JointSolver{} : arm.solver());
    client.lag = below(3) == 0 ? below(6) : 0;
    const unsigned loss = below(60);
    const double roughness = std::pow(10.0, -static_cast<double>(below(10)));
    double t = 0;
    std::uint64_t sent = 0;
    for (int k = 0; k < 300; ++k) {
      arm.works = below(50) != 0;
      std::vector<wire::RobotCommand> batch;
      while (below(100) >= loss && batch.size() < 5) {
        std::uint64_t echo = client.now.n + 1;
        if (below(6) == 0) echo -= below(40);
        if (below(50) == 0) echo += 1 + below(1000);
        t += 1e-3;
        const double x = 0.1 * (1 - std::cos(t)) + roughness * (below(1000) * 1e-3 - 0.5) * 1e-2;
        wire::RobotCommand c = client.command({echo});
        c.O_T_EE_c = moved(moved(kHome, below(6), x), below(6), x);
        c.O_dP_EE_c = along(below(6), x);
        c.elbow_c = {x, -1};
        c.valid_elbow = below(3) != 0;
        if (below(3000) == 0) c.O_T_EE_c[below(16)] = std::nan("");
        if (below(3000) == 0) c.O_dP_EE_c[below(6)] = 1e308;
        if (below(3000) == 0) c.elbow_c[below(2)] = std::nan("");
        batch.push_back(c);
        if (below(3) != 0) break;
      }
      sent += batch.size();
      client.judge.observe({kReady, {}, kHome, kHomeElbow});
      const Reference before = client.judge.reference();
      const CycleResult r = client.close(batch);
      const Counters& c = client.judge.counters();
      REQUIRE(c.fresh + c.superseded + c.late + c.duplicate + c.unpublished == sent);
      REQUIRE(finite(r.reference));
      REQUIRE(finite(client.judge.reference()));
      bool enforced = false;
      for (const Violation& v : r.violations) {
        enforced |= v.enforced;
        REQUIRE(static_cast<int>(v.cause) < static_cast<int>(Cause::kCount));
        REQUIRE(v.generator == spec.generator);
        if (v.enforced) REQUIRE(r.abort.has(v.error));
      }
      REQUIRE(r.abort.any() == enforced);
      if (r.abort.any() && !r.late_applied)
        REQUIRE(r.reference.cartesian.goal == before.cartesian.goal);
      if (spec.generator == Generator::kCartesianVelocity)
        REQUIRE(r.reference.cartesian.O_T_EE_c == kHome);
      if (r.abort.any()) break;
    }
  }
}

TEST_CASE("a whole trace has the verdicts of the live judge, with elbows and losses") {
  std::mt19937 random(seed_or(23));
  for (const MotionSpec& spec : {kPose, kTwist}) {
    constexpr std::size_t kCount = 600;
    LinearArm arm;
    arm.J[0][1] = 8;
    const std::size_t width = sample_width(spec);
    CHECK(width == (spec.generator == Generator::kCartesianPosition ? 16u : 6u));
    std::vector<double> samples, elbows;
    std::vector<std::uint8_t> lost;
    CartesianClient client(spec, permissive(), arm.solver());
    client.now = {0};
    std::vector<CycleResult> live;
    for (std::size_t k = 0; k < kCount; ++k) {
      const double x = 2e-3 * static_cast<double>(k % 300) * kDt * static_cast<double>(k % 300);
      const Mat4 T = moved(kHome, 0, 0.1 * x);
      const Vec6 twist = along(0, x);
      if (width == 16)
        samples.insert(samples.end(), T.begin(), T.end());
      else
        samples.insert(samples.end(), twist.begin(), twist.end());
      elbows.insert(elbows.end(), {1e-4 * x, -1.0});
      lost.push_back(k > 0 && random() % 10 == 0);
      wire::RobotCommand c = width == 16 ? client.pose(T) : client.twist(twist);
      c.elbow_c = {1e-4 * x, -1.0};
      c.valid_elbow = true;
      live.push_back(lost.back() != 0 ? client.lose() : client.close({c}));
    }
    const TraceMotion motion{spec, cartesian_limits(), strict(), client.start, arm.solver()};
    std::vector<TraceVerdict> verdicts(kCount);
    const std::ptrdiff_t first =
        judge_trace(motion, samples.data(), elbows.data(), lost.data(), kCount, verdicts.data())
            .first;
    REQUIRE(first >= 0);
    for (std::size_t k = 0; k < kCount; ++k) {
      const auto& v = live[k].violations;
      REQUIRE(verdicts[k].row == (v.empty() ? -1 : static_cast<int>(v[0].row)));
      if (!v.empty()) REQUIRE(verdicts[k].value == v[0].value);
      if (static_cast<std::ptrdiff_t>(k) < first) REQUIRE(v.empty());
    }
  }
}

}  // namespace
}  // namespace fsim::judge::test
