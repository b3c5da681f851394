// The machine's table: total, every row with its source, and the answer of every command in every
// robot mode pinned against the documents.
#include <doctest/doctest.h>

#include <string>

#include "motion/machine.hpp"
#include "support/bench.hpp"

using namespace fsim;
using namespace fsim::test;
using motion::Answer;
using motion::Input;
using motion::State;
using Ints = std::vector<int>;

namespace {

constexpr std::size_t kRequests = 5;  // the first inputs of the enumeration answer a request

State state_at(std::size_t s) { return static_cast<State>(s); }
Input input_at(std::size_t i) { return static_cast<Input>(i); }

constexpr motion::Actions kEndings = motion::kEndSuccess | motion::kEndPreempted |
                                     motion::kEndReflex | motion::kEndEmergency |
                                     motion::kEndAborted;

// Robot modes of wire.md 5.11 in the order of the enumeration: Other, Idle, Move, Guiding, Reflex,
// UserStopped, AutomaticErrorRecovery.
constexpr std::size_t kModes = 7;

/// Bring a unit into a mode the way a robot gets there.
void enter(Bench& bench, std::size_t mode) {
  using Kind = engine::SideInput::Kind;
  bench.idle(60);
  switch (mode) {
    case 0:
      bench.side(Kind::kBrakes, true);
      break;
    case 2:
      bench.submit(900, move(kJointPosition));
      break;
    case 3:
      bench.side(Kind::kGuiding, true);
      break;
    case 5:
      bench.side(Kind::kUserStop, true);
      break;
    case 4:
    case 6:
      bench.begin(900, move(kJointPosition));
      bench.cycle(position(all_joints(std::nan(""))));
      if (mode == 6) bench.submit(901, wire::AutomaticErrorRecoveryRequest{});
      break;
    default:
      break;
  }
  bench.cycle();
}

struct Pinned {
  const char* command;
  wire::Request request;
  int status[kModes];  ///< the first answer; the number is the command's own, wire.md 1.4
  const char* source;
};

const Pinned kPinned[] = {
    // While a motion runs a Move waits for standstill, then starts: reference 000, preemption.
    {"Move",
     move(kJointPosition),
     {5, 1, 1, 5, 5, 5, 5},
     "wire.md 5.11 column Move; Move while moving: reference 000, preemption; recovery: chosen, as "
     "Reflex until it has answered"},
    {"StopMove",
     wire::StopMoveRequest{},
     {0, 0, 0, 0, 0, 0, 0},
     "wire.md 5.6: kSuccess in every mode"},
    {"SetCollisionBehavior",
     wire::SetCollisionBehaviorRequest{},
     {1, 0, 1, 1, 1, 1, 1},
     "wire.md 5.11 column setters"},
    {"SetJointImpedance",
     wire::SetJointImpedanceRequest{all_joints(1000)},
     {1, 0, 1, 1, 1, 1, 1},
     "wire.md 5.11 column setters"},
    {"SetCartesianImpedance",
     wire::SetCartesianImpedanceRequest{{100, 100, 100, 10, 10, 10}},
     {1, 0, 1, 1, 1, 1, 1},
     "wire.md 5.11 column setters"},
    {"SetGuidingMode",
     wire::SetGuidingModeRequest{},
     {1, 0, 1, 0, 1, 1, 1},
     "wire.md 5.11 column SetGuidingMode: possible while guiding"},
    {"SetEEToK",
     wire::SetEEToKRequest{kIdentity4},
     {1, 0, 1, 1, 1, 1, 1},
     "wire.md 5.11 column setters"},
    {"SetNEToEE",
     wire::SetNEToEERequest{kIdentity4},
     {1, 0, 1, 1, 1, 1, 1},
     "wire.md 5.11 column setters"},
    {"SetLoad", wire::SetLoadRequest{}, {1, 0, 1, 1, 1, 1, 1}, "wire.md 5.11 column setters"},
    {"AutomaticErrorRecovery",
     wire::AutomaticErrorRecoveryRequest{},
     {1, 0, 1, 1, 0, 1, 1},
     "wire.md 5.11 column AutomaticErrorRecovery; Guiding has none there: chosen, not possible"},
};

}  // namespace

TEST_CASE("every state and input has a transition with a source, and a known target") {
  for (std::size_t s = 0; s < motion::kStateCount; ++s)
    for (std::size_t i = 0; i < motion::kInputCount; ++i) {
      const motion::Transition& t = motion::transition(state_at(s), input_at(i));
      CAPTURE(motion::name(state_at(s)));
      CAPTURE(motion::name(input_at(i)));
      REQUIRE(t.source != nullptr);
      CHECK(std::string(t.source).size() > 3);
      CHECK(static_cast<std::size_t>(t.to) < motion::kStateCount);
      // Exactly the inputs that are requests are answered.
      CHECK((t.answer != Answer::kNone) == (i < kRequests));
      if (t.answer == Answer::kNotPossible) {
        CHECK(t.to == state_at(s));
        CHECK(t.actions == motion::kNoAction);
      }
      CHECK((t.answer == Answer::kStarted) == ((t.actions & motion::kStart) != 0));
    }
}

TEST_CASE("a transition that leaves a running motion ends its Move exactly once, no other does") {
  // wire.md 5.4: exactly one final Move reply.
  for (std::size_t s = 0; s < motion::kStateCount; ++s)
    for (std::size_t i = 0; i < motion::kInputCount; ++i) {
      const motion::Transition& t = motion::transition(state_at(s), input_at(i));
      CAPTURE(motion::name(state_at(s)));
      CAPTURE(motion::name(input_at(i)));
      int endings = 0;
      for (unsigned bit = 0; bit < 16; ++bit) endings += (t.actions & kEndings) >> bit & 1;
      const bool leaves = motion::in_motion(state_at(s)) && !motion::in_motion(t.to);
      CHECK(endings == (leaves ? 1 : 0));
    }
}

TEST_CASE("a running motion is entered only by starting one") {
  for (std::size_t s = 0; s < motion::kStateCount; ++s)
    for (std::size_t i = 0; i < motion::kInputCount; ++i) {
      const motion::Transition& t = motion::transition(state_at(s), input_at(i));
      if (!motion::in_motion(state_at(s)) && motion::in_motion(t.to)) {
        CHECK(state_at(s) == State::kIdle);
        CHECK(input_at(i) == Input::kMove);
        CHECK(t.actions == motion::kStart);
      }
    }
}

TEST_CASE("from every state the arm can come back to idle") {
  // What the outside can always do: let rest come, recover, release, open, end guiding.
  constexpr Input kOutside[] = {Input::kStopMove,     Input::kRecover,
                                Input::kAtRest,       Input::kUserStopReleased,
                                Input::kGuidingEnded, Input::kBrakesOpened};
  for (std::size_t s = 0; s < motion::kStateCount; ++s) {
    unsigned reached = 1u << s;
    for (std::size_t step = 0; step < motion::kStateCount; ++step)
      for (std::size_t from = 0; from < motion::kStateCount; ++from)
        if ((reached >> from & 1u) != 0)
          for (const Input in : kOutside)
            reached |= 1u << static_cast<unsigned>(motion::transition(state_at(from), in).to);
    CHECK((reached >> static_cast<unsigned>(State::kIdle) & 1u) == 1u);
  }
}

TEST_CASE("the modes a state shows are those of the documents") {
  // wire.md 3.1: Other 0, Idle 1, Move 2, Guiding 3, Reflex 4, UserStopped 5, recovery 6.
  const int expected[motion::kStateCount] = {0, 1, 2, 2, 2, 2, 1, 4, 6, 3, 5};
  for (std::size_t s = 0; s < motion::kStateCount; ++s)
    CHECK(static_cast<int>(motion::robot_mode(state_at(s))) == expected[s]);
}

TEST_CASE("every command answers in every robot mode with the status of the documents") {
  // The twelve commands less Connect and GetRobotModel, which the TCP side answers in any mode
  // (tests/unit/test_session.py).
  REQUIRE(std::size(kPinned) == wire::commands(10)->size() - 2);
  for (const Pinned& row : kPinned)
    for (std::size_t mode = 0; mode < kModes; ++mode) {
      CAPTURE(row.command);
      CAPTURE(mode);
      CAPTURE(row.source);
      Bench bench;
      enter(bench, mode);
      REQUIRE(static_cast<std::size_t>(bench.state.robot_mode) == mode);
      CHECK(std::string(row_of(row.request)->name) == row.command);
      bench.submit(1, row.request);
      REQUIRE(bench.run_until_answered(1, 1));
      CHECK(bench.statuses(1)[0] == row.status[mode]);
    }
}

TEST_CASE("a command that is refused leaves the mode as it was") {
  for (const Pinned& row : kPinned)
    for (std::size_t mode = 0; mode < kModes; ++mode) {
      if (mode == 1 || mode == 6) continue;  // idle accepts; recovery goes on by itself
      const bool refused = row.status[mode] == (row.request.index() == 0 ? kMoveNotPossible : 1);
      if (!refused || (mode == 2 && row.request.index() == 0)) continue;
      Bench bench;
      enter(bench, mode);
      bench.submit(1, row.request);
      bench.cycle();
      CAPTURE(row.command);
      CHECK(static_cast<std::size_t>(bench.state.robot_mode) == mode);
    }
}
