// The vacuum gripper: states in time against robot-model.md 11 and wire.md 4.2.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "gripper/pump.hpp"

using namespace fsim;
using namespace fsim::gripper;
using Kind = PumpCommand::Kind;

namespace {

struct Bench {
  Pump pump;
  std::map<Ticket, Outcome> answers;

  explicit Bench(bool part = true) { pump.part(part); }
  void ask(Ticket ticket, const PumpCommand& command) {
    pump.request(ticket, command);
    collect();
  }
  void collect() {
    for (const Answer& a : pump.answers()) {
      REQUIRE(answers.count(a.ticket) == 0);
      answers[a.ticket] = a.outcome;
    }
    pump.clear_answers();
  }
  void run(int n) {
    for (int i = 0; i < n; ++i) {
      pump.advance();
      collect();
    }
  }
  double until(Ticket ticket) {
    int n = 0;
    for (; n < 20000 && answers.count(ticket) == 0; ++n) run(1);
    REQUIRE(answers.count(ticket) == 1);
    return n * 1e-3;
  }
};

PumpCommand vacuum(double mbar, std::int64_t timeout_ms, unsigned profile = 0) {
  return {Kind::kVacuum, mbar, profile, timeout_ms};
}
PumpCommand drop_off(std::int64_t timeout_ms) { return {Kind::kDropOff, 0, 0, timeout_ms}; }
PumpCommand stop() { return {Kind::kStop, 0, 0, 0}; }

}  // namespace

TEST_CASE("a part is sucked on with a time constant of 0.3 s and held at the setpoint") {
  // robot-model.md 11: reach 750 mbar, time constant 0.3 s; within 10 mbar of 600 after
  // -0.3 ln(1 - 590/750) s.
  Bench bench;
  bench.ask(1, vacuum(600, 5000));
  CHECK(bench.pump.report().actual_power == 100);
  CHECK(bench.until(1) == doctest::Approx(-0.3 * std::log(1 - 590.0 / 750)).epsilon(0.02));
  CHECK(bench.answers[1] == Outcome::kSuccess);
  CHECK(bench.pump.report().in_control_range);
  bench.run(2000);
  CHECK(bench.pump.report().vacuum == doctest::Approx(600));
  CHECK(bench.pump.report().part_present);
  CHECK(!bench.pump.report().part_detached);
  CHECK(bench.pump.report().actual_power < 100);
  CHECK(bench.pump.at_rest());
}

TEST_CASE("a part is present above H2 until the vacuum falls below H2 - h2, in every profile") {
  // robot-model.md 11: H2 550, h2 10; libfranka's part_present. ASSUMED V1.
  for (unsigned profile = 0; profile < 4; ++profile) {
    Bench bench;
    bench.ask(1, vacuum(700, 5000, profile));
    double appears = 0;
    for (int i = 0; i < 3000 && appears == 0; ++i) {
      bench.run(1);
      if (bench.pump.report().part_present) appears = bench.pump.report().vacuum;
    }
    CHECK(appears == doctest::Approx(550).epsilon(0.005));
    bench.run(2000);
    bench.ask(2, stop());
    double vanishes = 0;
    for (int i = 0; i < 60000 && vanishes == 0; ++i) {
      bench.run(1);
      if (!bench.pump.report().part_present) vanishes = bench.pump.report().vacuum;
    }
    CHECK(vanishes == doctest::Approx(540).epsilon(0.001));
    CHECK(bench.pump.report().part_detached);
  }
}

TEST_CASE("an open cup runs into its timeout") {
  // ASSUMED V3.
  Bench bench(false);
  bench.ask(1, vacuum(600, 1500));
  CHECK(bench.until(1) == doctest::Approx(1.5));
  CHECK(bench.answers[1] == Outcome::kUnsuccessful);
  CHECK(bench.pump.report().actual_power == 0);
  CHECK(!bench.pump.report().part_present);
}

TEST_CASE("dropOff lets go and says that the part is detached") {
  Bench bench;
  bench.ask(1, vacuum(600, 5000));
  bench.until(1);
  bench.ask(2, drop_off(1000));
  CHECK(bench.until(2) < 0.5);
  CHECK(bench.answers[2] == Outcome::kSuccess);
  CHECK(bench.pump.report().part_detached);
  CHECK(!bench.pump.report().part_present);
  bench.ask(3, vacuum(600, 5000));
  bench.run(1);
  CHECK(!bench.pump.report().part_detached);
}

TEST_CASE("a part that is pulled off is detached, and the vacuum out of range") {
  Bench bench;
  bench.ask(1, vacuum(700, 5000));
  bench.until(1);
  bench.pump.part(false);
  bench.run(500);
  const PumpReport r = bench.pump.report();
  CHECK(!r.in_control_range);
  CHECK(!r.part_present);
  CHECK(r.part_detached);
  CHECK(r.actual_power == 100);
}

TEST_CASE("stop ends what runs and keeps a held part for a while") {
  // ASSUMED V2.
  Bench bench;
  bench.ask(1, vacuum(700, 5000));
  bench.run(100);
  bench.ask(2, stop());
  CHECK(bench.answers.at(1) == Outcome::kAborted);
  CHECK(bench.answers.at(2) == Outcome::kSuccess);
  bench.ask(3, vacuum(700, 5000));
  bench.until(3);
  bench.ask(4, stop());
  CHECK(bench.answers.at(4) == Outcome::kSuccess);
  bench.run(5000);
  CHECK(bench.pump.report().part_present);
  CHECK(bench.pump.report().actual_power == 0);
}

TEST_CASE("a lower setpoint is reached from above") {
  Bench bench;
  bench.ask(1, vacuum(700, 5000));
  bench.until(1);
  bench.run(1000);
  bench.ask(2, vacuum(400, 5000));
  bench.until(2);
  CHECK(bench.answers[2] == Outcome::kSuccess);
  bench.run(1000);
  CHECK(bench.pump.report().vacuum == doctest::Approx(400).epsilon(0.001));
}

TEST_CASE("what cannot be asked for fails") {
  Bench bench;
  bench.ask(1, vacuum(0, 1000));
  bench.ask(2, vacuum(600, 1000, 4));
  bench.ask(3, vacuum(600, -1));
  bench.ask(4, drop_off(-1));
  for (Ticket t = 1; t <= 4; ++t) CHECK(bench.answers.at(t) == Outcome::kFail);
}

TEST_CASE("without power commands fail and the status is red") {
  Bench bench;
  bench.ask(1, vacuum(700, 5000));
  bench.run(10);
  bench.pump.power(false);
  bench.collect();
  CHECK(bench.answers.at(1) == Outcome::kFail);
  CHECK(bench.pump.report().device_status == 3);
  bench.ask(2, vacuum(700, 5000));
  CHECK(bench.answers.at(2) == Outcome::kFail);
  bench.pump.power(true);
  bench.ask(3, vacuum(700, 5000));
  bench.until(3);
  CHECK(bench.answers[3] == Outcome::kSuccess);
  bench.pump.device_status(2);
  CHECK(bench.pump.report().device_status == 2);
}

TEST_CASE("dropOff of a stuck valve runs into its timeout") {
  Bench bench;
  bench.ask(1, vacuum(700, 5000));
  bench.until(1);
  bench.pump.stall(true);
  bench.ask(2, drop_off(300));
  CHECK(bench.until(2) == doctest::Approx(0.3));
  CHECK(bench.answers[2] == Outcome::kUnsuccessful);
}
