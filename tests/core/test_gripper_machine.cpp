// The tables of hand and pump: every row with a source and a known target, every pair of state and
// input visited by 200 random sessions, and every request answered once with a status it may have.
#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>
#include <string>

#include "gripper/hand.hpp"
#include "gripper/pump.hpp"

using namespace fsim;
using namespace fsim::gripper;

namespace {

template <class State, class Input, class Transition>
void check_rows(std::size_t states, std::size_t inputs, std::size_t requests,
                const Transition& (*of)(State, Input) noexcept) {
  for (std::size_t s = 0; s < states; ++s)
    for (std::size_t i = 0; i < inputs; ++i) {
      const Transition& t = of(static_cast<State>(s), static_cast<Input>(i));
      CAPTURE(name(static_cast<State>(s)));
      CAPTURE(name(static_cast<Input>(i)));
      REQUIRE(t.source != nullptr);
      CHECK(std::string(t.source).size() > 3);
      CHECK(static_cast<std::size_t>(t.to) < states);
      // Exactly the inputs that are requests are answered: the first of the enumeration.
      CHECK((static_cast<int>(t.answer) != 0) == (i < requests));
    }
}

}  // namespace

TEST_CASE("every pair of the hand has a transition, and exactly the requests are answered") {
  check_rows<HandState, HandInput, HandTransition>(kHandStateCount, kHandInputCount, 4,
                                                   &transition);
}

TEST_CASE("every pair of the pump has a transition, and exactly the requests are answered") {
  check_rows<PumpState, PumpInput, PumpTransition>(kPumpStateCount, kPumpInputCount, 3,
                                                   &transition);
}

TEST_CASE("200 random sessions of a hand: each request is answered once and rightly, none hangs") {
  using Kind = HandCommand::Kind;
  std::map<HandState, std::set<Kind>> asked;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto pick = [&random](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(random);
    };
    KinematicFingers fingers;
    fingers.reset(pick(0, 0.08));
    Hand hand;
    hand.reset(pick(0, 1) < 0.8, fingers.fingers());
    std::map<Ticket, HandCommand> open;
    std::map<Ticket, Outcome> answered;
    Ticket next = 1;
    const auto collect = [&] {
      for (const Answer& a : hand.answers()) {
        REQUIRE(open.count(a.ticket) == 1);
        const HandCommand& asked_for = open[a.ticket];
        // A stop always succeeds (wire.md 4.1); only what may run can be aborted or unsuccessful.
        if (asked_for.kind == Kind::kStop) CHECK(a.outcome == Outcome::kSuccess);
        // robot-model.md 11: a grasp is judged on the width at which it stalls.
        const bool judged = a.outcome == Outcome::kSuccess || a.outcome == Outcome::kUnsuccessful;
        if (asked_for.kind == Kind::kGrasp && judged) {
          const double over = hand.report().width - asked_for.width;
          const double margin =
              std::min(over + asked_for.epsilon_inner, asked_for.epsilon_outer - over);
          if (std::abs(margin) > 1e-6) CHECK((a.outcome == Outcome::kSuccess) == (margin > 0));
        }
        answered[a.ticket] = a.outcome;
        open.erase(a.ticket);
      }
      hand.clear_answers();
    };
    const auto cycle = [&] {
      fingers.hold_away(hand.homing());
      hand.observe(fingers.step(hand.drive()));
      collect();
      const HandReport r = hand.report();
      REQUIRE(r.width >= 0);
      REQUIRE(r.width <= 0.08 + 1e-12);
      REQUIRE(r.force <= 140 + 1e-9);
      REQUIRE(r.is_grasped == (r.state == HandState::kHolding));
    };
    bool power = true;
    double object = 0;
    for (int step = 0; step < 30; ++step) {
      const auto kind = static_cast<Kind>(std::uniform_int_distribution<int>(0, 3)(random));
      HandCommand command{kind,          pick(0, 0.08),   pick(0, 0.01),
                          pick(0, 0.01), pick(0.02, 0.2), pick(1, 200)};
      // Half of the grasps are of what is there.
      if (kind == Kind::kGrasp && pick(0, 1) < 0.5) command.width = object;
      collect();  // what heat or power ended
      const HandState before = hand.report().state;
      asked[before].insert(kind);
      const std::map<Ticket, HandCommand> running = open;
      open[next] = command;
      hand.request(next, command);
      collect();
      const bool dead = before == HandState::kHot || before == HandState::kOff;
      const bool refused = answered.count(next) == 1 && answered[next] == Outcome::kFail;
      if (dead && kind != Kind::kStop) CHECK(refused);
      // What is refused stops nothing; everything else ends what runs, at once (issue 5).
      for (const auto& [ticket, what] : running) {
        if (refused || dead)
          CHECK(open.count(ticket) == 1);
        else if (what.kind != Kind::kStop)
          CHECK((answered.count(ticket) == 1 && answered[ticket] == Outcome::kAborted));
      }
      ++next;
      const double what = pick(0, 1);
      if (what < 0.7) fingers.place({object = pick(0, 0.06)});
      if (what < 0.05) hand.heat_to(pick(20, 100));
      if (what > 0.95) hand.power(power = !power);
      const bool long_pause = pick(0, 1) < 0.4;
      const double short_pause = pick(0, 1) < 0.5 ? pick(0, 6) : pick(0, 100);
      const int cycles = static_cast<int>(long_pause ? pick(0, 6000) : short_pause);
      for (int i = 0; i < cycles; ++i) cycle();
      if (pick(0, 1) < 0.3) {
        fingers.place({object = 0});
        for (int i = 0; i < 200; ++i) cycle();
      }
    }
    // Whatever it was, it ends: homing takes 5 s, the slowest way 4 s.
    for (int i = 0; i < 20000 && !open.empty(); ++i) cycle();
    CHECK(open.empty());
  }
  for (std::size_t s = 0; s < kHandStateCount; ++s) {
    CAPTURE(std::string(name(static_cast<HandState>(s))));
    CHECK(asked.count(static_cast<HandState>(s)) == 1);
  }
  for (const auto& [state, kinds] : asked) {
    const std::string in(name(state));
    CAPTURE(in);
    CHECK(kinds.size() == 4);
  }
}

TEST_CASE("200 random sessions of a pump: every request is answered once, none hangs") {
  using Kind = PumpCommand::Kind;
  std::map<PumpState, std::set<Kind>> asked;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto pick = [&random](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(random);
    };
    Pump pump;
    std::map<Ticket, Kind> open;
    Ticket next = 1;
    const auto collect = [&] {
      for (const Answer& a : pump.answers()) {
        REQUIRE(open.count(a.ticket) == 1);
        if (open[a.ticket] == Kind::kStop) CHECK(a.outcome == Outcome::kSuccess);
        open.erase(a.ticket);
      }
      pump.clear_answers();
    };
    const auto cycle = [&] {
      pump.advance();
      collect();
      const PumpReport r = pump.report();
      REQUIRE(r.vacuum >= 0);
      REQUIRE(r.vacuum <= 750);
    };
    bool power = true;
    for (int step = 0; step < 30; ++step) {
      const auto kind = static_cast<Kind>(std::uniform_int_distribution<int>(0, 2)(random));
      const PumpCommand command{kind, pick(10, 900), static_cast<unsigned>(pick(0, 5)),
                                static_cast<std::int64_t>(pick(0, 3000))};
      asked[pump.report().state].insert(kind);
      open[next] = kind;
      pump.request(next++, command);
      collect();
      if (pick(0, 1) < 0.3) pump.part(pick(0, 1) < 0.7);
      if (pick(0, 1) < 0.1) pump.power(power = !power);
      const int cycles = static_cast<int>(pick(0, 1) < 0.5 ? pick(0, 3000) : pick(0, 50));
      for (int i = 0; i < cycles; ++i) cycle();
    }
    for (int i = 0; i < 3000 && !open.empty(); ++i) cycle();
    CHECK(open.empty());
  }
  CHECK(asked.size() == kPumpStateCount);
  for (const auto& [state, kinds] : asked) {
    const std::string in(name(state));
    CAPTURE(in);
    CHECK(kinds.size() == 3);
  }
}
