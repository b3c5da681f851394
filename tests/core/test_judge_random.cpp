// Random streams with losses, delays, copies and nonsense: what holds whatever a client sends.
#include <cmath>
#include <cstdlib>
#include <random>

#include "test_judge_support.hpp"

namespace fsim::judge::test {
namespace {

bool finite(const Reference& r) {
  for (std::size_t i = 0; i < kJoints; ++i)
    if (!std::isfinite(r.q_d[i]) || !std::isfinite(r.dq_d[i]) || !std::isfinite(r.ddq_d[i]) ||
        !std::isfinite(r.tau_J_d[i]))
      return false;
  return true;
}

TEST_CASE("whatever arrives, the books balance and the reference is finite and lawful") {
  const char* given = std::getenv("FSIM_TEST_SEED");
  const unsigned seed =
      given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : 7;
  CAPTURE(seed);
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) {
    return std::uniform_int_distribution<unsigned>(0, n - 1)(random);
  };

  for (int motion = 0; motion < 400; ++motion) {
    CAPTURE(motion);
    Rules rules;
    rules.enforce_motion_limits = below(2) == 0;
    rules.enforce_comm_constraints = below(2) == 0;
    rules.apply_late = below(2) == 0;
    rules.f32_state = below(2) == 0;
    const MotionSpec specs[] = {kPosition, kVelocity, kTorque, {Generator::kJointPosition, true}};
    Client client(specs[below(4)], rules);
    client.lag = below(3) == 0 ? below(6) : 0;
    const unsigned loss = below(60);
    const double roughness = std::pow(10.0, -static_cast<double>(below(10)));
    double phase = 0;
    std::uint64_t sent = 0;
    std::uint64_t cycles = 0;
    for (int k = 0; k < 300; ++k) {
      std::vector<wire::RobotCommand> batch;
      while (below(100) >= loss && batch.size() < 5) {
        // Mostly the open cycle, sometimes the past, sometimes the future.
        std::uint64_t echo = client.now.n + 1;
        if (below(6) == 0) echo -= below(40);
        if (below(50) == 0) echo += 1 + below(1000);
        phase += 1e-3;
        const double x =
            0.1 * (1 - std::cos(phase)) + roughness * (below(1000) * 1e-3 - 0.5) * 1e-2;
        Vec7 signal = client.spec.generator == Generator::kJointPosition ? kReady : Vec7{};
        signal[below(7)] += x;
        if (below(4000) == 0) signal[below(7)] = std::nan("");
        batch.push_back(client.command({echo}, signal));
        if (below(3) != 0) break;
      }
      sent += batch.size();
      const bool started = client.judge.started();
      const Reference before = client.judge.reference();
      const Counters was = client.judge.counters();
      const CycleResult r = client.close(batch);
      const Counters& c = client.judge.counters();

      // Every datagram is counted once; every cycle since the first command is fresh or lost.
      REQUIRE(c.fresh + c.superseded + c.late + c.duplicate + c.unpublished == sent);
      if (started || r.started) ++cycles;
      REQUIRE(c.fresh + c.lost == cycles);
      REQUIRE(r.answered == (c.fresh == was.fresh + 1));
      REQUIRE(client.judge.success_rate() >= 0.0);
      REQUIRE(client.judge.success_rate() <= 1.0);
      REQUIRE(finite(r.reference));
      REQUIRE(finite(client.judge.reference()));
      if (!rules.apply_late) REQUIRE_FALSE(r.late_applied);
      // Aborts are what was enforced, and leave the reference alone.
      bool enforced = false;
      for (const Violation& v : r.violations) {
        enforced |= v.enforced;
        if (v.enforced) REQUIRE(r.abort.has(v.error));
        if (v.joint >= 0) REQUIRE(v.joint < 7);
      }
      REQUIRE(r.abort.any() == enforced);
      if (r.abort.any() && !r.late_applied) REQUIRE(r.reference.q_d == before.q_d);
      if (r.abort.any()) break;
      // A lost cycle obeys the law: the acceleration is frozen or the reference holds.
      if (started && !r.answered && !r.late_applied) {
        const bool holds = r.reference.dq_d == Vec7{} && r.reference.q_d == before.q_d;
        REQUIRE((holds || r.reference.ddq_d == before.ddq_d));
        REQUIRE(r.reference.tau_J_d == before.tau_J_d);
      }
      // With enforced limits whatever was applied is within them.
      if (rules.enforce_motion_limits && started && client.spec.generator != Generator::kNone &&
          !r.hold_reached && client.judge.lost_in_a_row() < 20 && !r.late_applied &&
          client.judge.reference().ddq_d != Vec7{})
        for (std::size_t i = 0; i < kJoints; ++i)
          REQUIRE(std::abs(client.judge.reference().ddq_d[i]) <= 10.0 + 1.0);
    }
  }
}

TEST_CASE("the same stream gives the same verdicts") {
  const auto run = [] {
    std::mt19937 random(11);
    Client client(kPosition, permissive());
    double sum = 0;
    for (int k = 0; k < 2000; ++k) {
      const double x = static_cast<double>(random() % 1000) * 1e-9;
      const CycleResult r = random() % 5 == 0 ? client.lose() : client.answer(plus(kReady, 0, x));
      for (double v : r.reference.ddq_d) sum += v;
      for (const Violation& v : r.violations) sum += v.value;
    }
    return sum;
  };
  CHECK(run() == run());
}

}  // namespace
}  // namespace fsim::judge::test
