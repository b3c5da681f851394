// The hand on kinematic fingers: times, forces, widths and answers against robot-model.md 11,
// wire.md 4.1 and the numbers of issue 5.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <vector>

#include "gripper/hand.hpp"

using namespace fsim;
using namespace fsim::gripper;
using Kind = HandCommand::Kind;

namespace {

constexpr double kStroke = 0.08;  // robot-model.md 11

HandCommand move(double width, double speed) { return {Kind::kMove, width, 0, 0, speed, 0}; }
HandCommand grasp(double width, double epsilon, double speed = 0.1, double force = 20) {
  return {Kind::kGrasp, width, epsilon, epsilon, speed, force};
}
HandCommand homing() { return {Kind::kHoming}; }
HandCommand stop() { return {Kind::kStop}; }

/// A hand, its fingers, and what it answered.
struct Bench {
  Hand hand;
  KinematicFingers fingers;
  std::map<Ticket, Outcome> answers;
  int cycles = 0;

  explicit Bench(bool homed = true, double width = kStroke) {
    fingers.reset(width);
    hand.reset(homed, fingers.fingers());
  }
  void cycle() {
    fingers.hold_away(hand.homing());
    hand.observe(fingers.step(hand.drive()));
    collect();
    ++cycles;
  }
  void collect() {
    for (const Answer& a : hand.answers()) {
      REQUIRE(answers.count(a.ticket) == 0);  // one answer each
      answers[a.ticket] = a.outcome;
    }
    hand.clear_answers();
  }
  void run(int n) {
    for (int i = 0; i < n; ++i) cycle();
  }
  void ask(Ticket ticket, const HandCommand& command) {
    hand.request(ticket, command);
    collect();
  }
  bool answered(Ticket ticket) const { return answers.count(ticket) != 0; }
  /// Run until `ticket` is answered; the seconds that took.
  double until(Ticket ticket, int limit = 20000) {
    int n = 0;
    for (; n < limit && !answered(ticket); ++n) cycle();
    REQUIRE(answered(ticket));
    return n * 1e-3;
  }
  double width() const { return hand.report().width; }
};

}  // namespace

TEST_CASE("a move takes the time its speed takes") {
  // Issue 5, Show 1: from closed to 0.07 m at 0.02 m/s in 3.5 +- 0.2 s.
  Bench bench(true, 0.0);
  bench.ask(1, move(0.07, 0.02));
  CHECK(bench.until(1) == doctest::Approx(3.5).epsilon(0.2 / 3.5));
  CHECK(bench.answers[1] == Outcome::kSuccess);
  CHECK(bench.width() == doctest::Approx(0.07).epsilon(0.005));
}

TEST_CASE("no command moves the fingers faster than the hand can") {
  // robot-model.md 11: 0.1 m/s.
  Bench bench;
  bench.ask(1, move(0.0, 5.0));
  double fastest = 0, before = bench.width();
  while (!bench.answered(1)) {
    bench.cycle();
    fastest = std::max(fastest, std::abs(bench.width() - before) / 1e-3);
    before = bench.width();
  }
  CHECK(fastest == doctest::Approx(0.1).epsilon(0.001));
}

TEST_CASE("stop halts in place") {
  // Issue 5, Show 1: 0.5 s into a move at 0.02 m/s, answered within 0.2 s, 10 +- 3 mm, then still.
  Bench bench(true, 0.0);
  bench.ask(1, move(0.07, 0.02));
  bench.run(500);
  bench.ask(2, stop());
  CHECK(bench.answers.at(1) == Outcome::kAborted);
  CHECK(bench.until(2) < 0.2);
  CHECK(bench.answers.at(2) == Outcome::kSuccess);
  const double halted = bench.width();
  CHECK(halted == doctest::Approx(0.010).epsilon(0.3));
  for (int i = 0; i < 2000; ++i) {
    bench.cycle();
    REQUIRE(bench.width() == doctest::Approx(halted).epsilon(1e-6));
  }
}

TEST_CASE("fast fingers brake before they halt and do not come back") {
  Bench bench;
  bench.ask(1, move(0.0, 0.1));
  bench.run(400);
  bench.ask(2, stop());
  double before = bench.width();
  for (int i = 0; i < 200; ++i) {
    bench.cycle();
    REQUIRE(bench.width() <= before + 1e-9);
    before = bench.width();
  }
  CHECK(bench.answers.at(2) == Outcome::kSuccess);
}

TEST_CASE("a grasp is judged on the width at which the fingers stall") {
  // Issue 5, Show 1: 20 mm object, target 18 mm, fails at 1 mm and succeeds at 5 mm.
  struct Case {
    double object, target, epsilon;
    Outcome outcome;
  };
  for (const Case& c : {Case{0.020, 0.018, 0.001, Outcome::kUnsuccessful},
                        Case{0.020, 0.018, 0.005, Outcome::kSuccess},
                        Case{0.0, 0.0, 0.005, Outcome::kSuccess},           // reference 000
                        Case{0.0, 0.04, 0.005, Outcome::kUnsuccessful}}) {  // thin air
    CAPTURE(c.object);
    CAPTURE(c.target);
    CAPTURE(c.epsilon);
    Bench bench;
    bench.fingers.place({c.object});
    bench.ask(1, grasp(c.target, c.epsilon));
    bench.until(1);
    CHECK(bench.answers[1] == c.outcome);
    CHECK(bench.hand.report().is_grasped == (c.outcome == Outcome::kSuccess));
    CHECK(bench.width() == doctest::Approx(c.object).epsilon(0.02));
  }
}

TEST_CASE("force builds up to the commanded force and not beyond") {
  Bench bench;
  bench.fingers.place({0.03, 2e4});
  bench.ask(1, grasp(0.03, 0.005, 0.05, 40));
  double most = 0;
  int building = 0;
  while (!bench.answered(1)) {
    bench.cycle();
    const double force = bench.hand.report().force;
    most = std::max(most, force);
    building += force > 1 && force < 39;
  }
  bench.run(500);
  CHECK(most == doctest::Approx(40));
  CHECK(bench.hand.report().force == doctest::Approx(40));
  // 40 N on 2e4 N/m are 2 mm: 40 ms at 0.05 m/s.
  CHECK(building == doctest::Approx(39).epsilon(0.1));
  CHECK(bench.width() == doctest::Approx(0.028).epsilon(1e-3));
}

TEST_CASE("no grasp presses harder than the hand can") {
  Bench bench;
  bench.fingers.place({0.03});
  bench.ask(1, grasp(0.03, 0.005, 0.1, 5000));
  bench.until(1);
  CHECK(bench.hand.report().force == doctest::Approx(140));  // robot-model.md 11
}

TEST_CASE("is_grasped drops when the object is lost") {
  Bench bench;
  bench.fingers.place({0.03});
  bench.ask(1, grasp(0.03, 0.005));
  bench.until(1);
  bench.run(1000);
  REQUIRE(bench.hand.report().is_grasped);
  bench.fingers.place({});
  bench.hand.stir();
  bench.run(500);
  CHECK(!bench.hand.report().is_grasped);
  CHECK(bench.width() == doctest::Approx(0.0));
}

TEST_CASE("an object lost from a grasp with wide tolerances is noticed too") {
  Bench bench;
  bench.fingers.place({0.06});
  bench.ask(1, grasp(0.04, 0.08, 0.02));
  bench.until(1);
  REQUIRE(bench.hand.report().is_grasped);
  bench.fingers.place({});
  bench.run(100);
  CHECK(!bench.hand.report().is_grasped);
}

TEST_CASE("a blocked move stops at the object and is unsuccessful; opening is never blocked") {
  // ASSUMED G1; reference 000: an inward move past W stops at W.
  Bench bench;
  bench.fingers.place({0.04});
  bench.ask(1, move(0.01, 0.1));
  bench.until(1);
  CHECK(bench.answers[1] == Outcome::kUnsuccessful);
  CHECK(bench.width() == doctest::Approx(0.04).epsilon(0.01));
  bench.ask(2, move(0.07, 0.1));
  bench.until(2);
  CHECK(bench.answers[2] == Outcome::kSuccess);
}

TEST_CASE("an object wider than the gap is met only after the fingers opened that far") {
  Bench bench(true, 0.02);
  bench.fingers.place({0.05});
  bench.ask(1, grasp(0.0, 0.005));
  bench.until(1);
  CHECK(bench.answers[1] == Outcome::kSuccess);
  bench.ask(2, move(0.06, 0.1));
  bench.until(2);
  bench.ask(3, grasp(0.05, 0.005));
  bench.until(3);
  CHECK(bench.answers[3] == Outcome::kSuccess);
  CHECK(bench.width() == doctest::Approx(0.05).epsilon(0.01));
}

TEST_CASE("before homing there is no width to go to; homing takes some 5 s and opens the hand") {
  // robot-model.md 11: max_width 0 before homing, about 5 s, full close and open travel.
  Bench bench(false, 0.04);
  CHECK(bench.hand.report().max_width == 0.0);
  bench.ask(1, move(0.05, 0.1));
  CHECK(bench.answers.at(1) == Outcome::kFail);
  bench.ask(2, homing());
  double least = 1;
  while (!bench.answered(2)) {
    bench.cycle();
    least = std::min(least, bench.width());
  }
  CHECK(bench.answers[2] == Outcome::kSuccess);
  CHECK(least == 0.0);
  CHECK(bench.hand.report().max_width == doctest::Approx(kStroke));
  CHECK(bench.width() == doctest::Approx(kStroke));
  bench.ask(3, homing());
  CHECK(bench.until(3) == doctest::Approx(5.0).epsilon(0.1));
}

TEST_CASE("the object is held aside while the hand homes") {
  // ASSUMED G2.
  Bench bench(false, 0.06);
  bench.fingers.place({0.05});
  bench.ask(1, homing());
  bench.until(1);
  CHECK(bench.answers[1] == Outcome::kSuccess);
  bench.ask(2, grasp(0.05, 0.005));
  bench.until(2);
  CHECK(bench.answers[2] == Outcome::kSuccess);
}

TEST_CASE("stop after a grasp ends it and leaves the fingers where they are") {
  // ASSUMED G3.
  Bench bench;
  bench.fingers.place({0.03});
  bench.ask(1, grasp(0.03, 0.005, 0.1, 60));
  bench.until(1);
  const double width = bench.width();
  bench.ask(2, stop());
  CHECK(bench.until(2) < 0.2);
  CHECK(bench.answers[2] == Outcome::kSuccess);
  CHECK(!bench.hand.report().is_grasped);
  bench.run(1000);
  CHECK(bench.width() == doctest::Approx(width).epsilon(1e-6));
  CHECK(bench.hand.report().force == doctest::Approx(60));
}

TEST_CASE("a missed grasp lets go of what it met") {
  // robot-model.md 11: on failure it relaxes slightly.
  Bench bench;
  bench.fingers.place({0.03, 2e4});
  bench.ask(1, grasp(0.06, 0.005, 0.1, 100));
  bench.until(1);
  bench.run(100);
  CHECK(bench.answers[1] == Outcome::kUnsuccessful);
  CHECK(bench.hand.report().force < 10);
  CHECK(bench.width() > 0.0295);
}

TEST_CASE("a command that is out of range fails and stops nothing") {
  Bench bench;
  bench.ask(1, move(0.02, 0.02));
  bench.run(100);
  const double nan = std::nan(""), inf = HUGE_VAL;
  Ticket ticket = 2;
  for (const HandCommand& bad :
       {move(-0.01, 0.1), move(0.0801, 0.1), move(nan, 0.1), move(inf, 0.1), move(0.04, 0.0),
        move(0.04, -0.1), move(0.04, nan), move(0.04, inf), grasp(-0.01, 0.005), grasp(0.09, 0.005),
        grasp(nan, 0.005), grasp(0.04, nan), grasp(0.04, 0.005, 0), grasp(0.04, 0.005, 0.1, nan),
        grasp(0.04, 0.005, 0.1, -1), grasp(0.04, 0.005, 0.1, inf), grasp(0.04, 0.005, 0.1, 0)}) {
    bench.ask(ticket, bad);
    CAPTURE(ticket);
    CHECK(bench.answers.at(ticket) == Outcome::kFail);
    ++ticket;
  }
  bench.until(1);
  CHECK(bench.answers[1] == Outcome::kSuccess);
}

TEST_CASE("a new command ends the running one kAborted at once") {
  for (const HandCommand& first : {homing(), move(0.0, 0.02), grasp(0.02, 0.005, 0.02)})
    for (const HandCommand& second : {homing(), move(0.06, 0.1), grasp(0.0, 0.005)}) {
      Bench bench;
      bench.ask(1, first);
      bench.run(50);
      bench.ask(2, second);
      CHECK(bench.answers.at(1) == Outcome::kAborted);
      bench.until(2);
      CHECK(bench.answers[2] == Outcome::kSuccess);
    }
}

TEST_CASE("a stalled grasp does not end until it is stopped, or the stall is over") {
  Bench bench;
  bench.ask(1, grasp(0.0, 0.005));
  bench.run(100);
  const auto stall = [&bench](bool on) {
    bench.fingers.block(on);
    bench.hand.stall(on);
  };
  stall(true);
  bench.run(10000);
  CHECK(!bench.answered(1));
  SUBCASE("stopped") {
    bench.ask(2, stop());
    CHECK(bench.until(2) < 0.2);
    CHECK(bench.answers.at(1) == Outcome::kAborted);
  }
  SUBCASE("over") {
    stall(false);
    bench.until(1);
    CHECK(bench.answers[1] == Outcome::kSuccess);
  }
}

TEST_CASE("the case warms under force and cools; too warm, the hand does not work") {
  // ASSUMED G5: 30 K under 70 N, 300 s.
  Bench bench;
  CHECK(bench.hand.report().temperature == doctest::Approx(30));
  bench.fingers.place({0.03});
  bench.ask(1, grasp(0.03, 0.005, 0.1, 70));
  bench.until(1);
  bench.run(300'000);
  CHECK(bench.hand.report().temperature ==
        doctest::Approx(30 + 30 * (1 - std::exp(-1.0))).epsilon(0.01));
  bench.ask(2, stop());
  bench.run(300'000);
  const double cooled = bench.hand.report().temperature;
  CHECK(cooled == doctest::Approx(30 + 30 * (1 - std::exp(-1.0)) * std::exp(-1.0)).epsilon(0.01));

  bench.ask(3, move(0.08, 0.01));
  bench.run(100);
  bench.hand.heat_to(85);
  bench.cycle();
  CHECK(bench.answers.at(3) == Outcome::kFail);
  bench.ask(4, homing());
  CHECK(bench.answers.at(4) == Outcome::kFail);
  bench.ask(5, stop());
  CHECK(bench.answers.at(5) == Outcome::kSuccess);
  CHECK(!bench.hand.at_rest());  // it cools, or nobody could use it again
  bench.hand.heat_to(60);
  bench.cycle();
  bench.ask(6, move(0.08, 0.1));
  bench.until(6);
  CHECK(bench.answers[6] == Outcome::kSuccess);
}

TEST_CASE("without power commands fail, and afterwards the hand has to be homed") {
  // ASSUMED G6.
  Bench bench;
  bench.ask(1, move(0.0, 0.02));
  bench.run(100);
  bench.hand.power(false);
  bench.cycle();
  CHECK(bench.answers.at(1) == Outcome::kFail);
  CHECK(bench.hand.report().max_width == 0.0);
  bench.ask(2, homing());
  CHECK(bench.answers.at(2) == Outcome::kFail);
  const double width = bench.width();
  bench.run(1000);
  CHECK(bench.width() == width);
  bench.hand.power(true);
  bench.ask(3, move(0.04, 0.1));
  CHECK(bench.answers.at(3) == Outcome::kFail);
  bench.ask(4, homing());
  bench.until(4);
  CHECK(bench.answers[4] == Outcome::kSuccess);
}

TEST_CASE("a hand at rest says so, one that moves or is stalled does not") {
  Bench bench;
  bench.run(100);
  CHECK(bench.hand.at_rest());
  bench.ask(1, move(0.02, 0.1));
  CHECK(!bench.hand.at_rest());
  bench.until(1);
  bench.run(100);
  CHECK(bench.hand.at_rest());
  bench.hand.stall(true);
  CHECK(!bench.hand.at_rest());
}
