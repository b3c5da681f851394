// The transition rows. A row covers a set of states; the dense table is made at compile time, and a
// pair that no row or two rows cover does not compile.
#include "motion/machine.hpp"

#include <array>

namespace fsim::motion {
namespace {

using enum State;
using enum Input;

using States = std::uint16_t;
template <class... S>
constexpr States set(S... states) {
  return static_cast<States>((0u | ... | (1u << static_cast<unsigned>(states))));
}
constexpr States kAll = (1u << kStateCount) - 1;
constexpr States kCommanded = set(kStarting, kMoving);
constexpr States kRunning = set(kStarting, kMoving, kFinishing, kStopping);
constexpr States kStill = set(kIdle, kHalting);

/// Stay in the state one is in.
constexpr std::uint8_t kSame = 255;

struct Row {
  States from;
  Input input;
  std::uint8_t to;
  Answer answer;
  Actions actions;
  const char* source;
};
constexpr std::uint8_t go(State s) { return static_cast<std::uint8_t>(s); }

constexpr const char* kPolicy = "wire.md 5.11";
constexpr const char* kReference = "reference 000, TCP commands";
constexpr const char* kStopAlways = "wire.md 5.6: StopMove always kSuccess";
constexpr const char* kChosen = "chosen: nothing happens";

constexpr Row kRows[] = {
    // Move. A running motion is preempted (reference 000, one Move at a time).
    {set(kIdle), kMove, go(kStarting), Answer::kStarted, kStart, kPolicy},
    {kCommanded, kMove, go(kStopping), Answer::kAtRest, kBrake, kReference},
    {set(kFinishing, kStopping, kHalting), kMove, kSame, Answer::kAtRest, kNoAction, kReference},
    {set(kOther, kReflex, kRecovering, kGuiding, kUserStopped), kMove, kSame, Answer::kNotPossible,
     kNoAction, kPolicy},
    // StopMove.
    {kCommanded, kStopMove, go(kStopping), Answer::kAtRest, kBrake, kReference},
    {set(kFinishing, kStopping, kHalting), kStopMove, kSame, Answer::kAtRest, kNoAction,
     kStopAlways},
    {set(kOther, kIdle, kReflex, kRecovering, kGuiding, kUserStopped), kStopMove, kSame,
     Answer::kSuccess, kNoAction, kStopAlways},
    // Setters. While the arm halts for a client that left, the next one may set itself up.
    {kStill, kSetter, kSame, Answer::kSuccess, kApply, kPolicy},
    {static_cast<States>(kAll & ~kStill), kSetter, kSame, Answer::kNotPossible, kNoAction, kPolicy},
    {static_cast<States>(kStill | set(kGuiding)), kSetGuidingMode, kSame, Answer::kSuccess, kApply,
     kPolicy},
    {static_cast<States>(kAll & ~(kStill | set(kGuiding))), kSetGuidingMode, kSame,
     Answer::kNotPossible, kNoAction, kPolicy},
    // AutomaticErrorRecovery answers at standstill (reference 000); nothing to recover is success.
    {kStill, kRecover, kSame, Answer::kSuccess, kNoAction, kPolicy},
    {set(kReflex), kRecover, go(kRecovering), Answer::kAtRest, kNoAction, kReference},
    {static_cast<States>(kAll & ~(kStill | set(kReflex))), kRecover, kSame, Answer::kNotPossible,
     kNoAction, kPolicy},
    // The command stream.
    {set(kStarting), kFirstCommand, go(kMoving), Answer::kNone, kNoAction, "wire.md 5.2"},
    {static_cast<States>(kAll & ~set(kStarting)), kFirstCommand, kSame, Answer::kNone, kNoAction,
     kChosen},
    {set(kMoving), kFinish, go(kFinishing), Answer::kNone, kSettle, "wire.md 5.5"},
    {static_cast<States>(kAll & ~set(kMoving)), kFinish, kSame, Answer::kNone, kNoAction, kChosen},
    {kRunning, kViolation, go(kReflex), Answer::kNone, kBrake | kLatch | kEndReflex, "wire.md 5.4"},
    {set(kIdle, kHalting, kGuiding), kViolation, go(kReflex), Answer::kNone, kBrake | kLatch,
     "reference 000: measured-side checks are armed in every mode"},
    {set(kReflex, kRecovering), kViolation, go(kReflex), Answer::kNone, kLatch,
     "chosen: a further error joins the latched ones; a recovery starts over"},
    {set(kOther, kUserStopped), kViolation, kSame, Answer::kNone, kNoAction,
     "chosen: nothing drives the arm"},
    {set(kFinishing), kAtRest, go(kIdle), Answer::kNone, kEndSuccess, "wire.md 5.5"},
    {set(kStopping), kAtRest, go(kIdle), Answer::kNone, kEndPreempted, kReference},
    {set(kHalting), kAtRest, go(kIdle), Answer::kNone, kNoAction, "wire.md 2.1"},
    {set(kRecovering), kAtRest, go(kIdle), Answer::kNone, kClear, kReference},
    {static_cast<States>(kAll & ~set(kFinishing, kStopping, kHalting, kRecovering)), kAtRest, kSame,
     Answer::kNone, kNoAction, kChosen},
    {kRunning, kClientGone, go(kHalting), Answer::kNone, kBrake | kEndAborted, "wire.md 2.1"},
    {set(kRecovering), kClientGone, go(kReflex), Answer::kNone, kNoAction,
     "chosen: a recovery ends with the client that asked for it, and the next one may ask again"},
    {static_cast<States>(kAll & ~(kRunning | set(kRecovering))), kClientGone, kSame, Answer::kNone,
     kNoAction, "issue 2: a latched reflex survives a reconnect"},
    // Inputs from the side: activation device, guiding buttons, brakes.
    {kRunning, kUserStopPressed, go(kUserStopped), Answer::kNone, kBrake | kEndEmergency,
     "wire.md 5.4"},
    {set(kIdle, kHalting, kGuiding, kReflex), kUserStopPressed, go(kUserStopped), Answer::kNone,
     kBrake, "robot-model.md 10"},
    {set(kRecovering), kUserStopPressed, go(kUserStopped), Answer::kNone, kBrake | kAbortRecovery,
     kPolicy},
    {set(kOther, kUserStopped), kUserStopPressed, kSame, Answer::kNone, kNoAction, kChosen},
    {set(kUserStopped), kUserStopReleased, go(kIdle), Answer::kNone, kResume, "needs.md 6"},
    {static_cast<States>(kAll & ~set(kUserStopped)), kUserStopReleased, kSame, Answer::kNone,
     kNoAction, kChosen},
    {set(kIdle), kGuidingStarted, go(kGuiding), Answer::kNone, kNoAction, "robot-model.md 10"},
    {static_cast<States>(kAll & ~set(kIdle)), kGuidingStarted, kSame, Answer::kNone, kNoAction,
     kChosen},
    {set(kGuiding), kGuidingEnded, go(kHalting), Answer::kNone, kBrake, "robot-model.md 10"},
    {static_cast<States>(kAll & ~set(kGuiding)), kGuidingEnded, kSame, Answer::kNone, kNoAction,
     kChosen},
    {kRunning, kBrakesClosed, go(kOther), Answer::kNone, kEndAborted, "wire.md 5.4, other cause"},
    {set(kRecovering), kBrakesClosed, go(kOther), Answer::kNone, kAbortRecovery, kPolicy},
    {static_cast<States>(kAll & ~(kRunning | set(kRecovering))), kBrakesClosed, go(kOther),
     Answer::kNone, kNoAction, "robot-model.md 10"},
    {set(kOther), kBrakesOpened, go(kIdle), Answer::kNone, kResume, "robot-model.md 10"},
    {static_cast<States>(kAll & ~set(kOther)), kBrakesOpened, kSame, Answer::kNone, kNoAction,
     kChosen},
};

using Dense = std::array<std::array<Transition, kInputCount>, kStateCount>;

constexpr int rows_for(std::size_t s, std::size_t i) {
  int found = 0;
  for (const Row& row : kRows)
    if ((row.from >> s & 1u) != 0 && row.input == static_cast<Input>(i)) ++found;
  return found;
}

constexpr bool total() {
  for (std::size_t s = 0; s < kStateCount; ++s)
    for (std::size_t i = 0; i < kInputCount; ++i)
      if (rows_for(s, i) != 1) return false;
  return true;
}
static_assert(total(), "every (state, input) pair is covered by exactly one row");

constexpr Dense make_dense() {
  Dense dense{};
  for (const Row& row : kRows)
    for (std::size_t s = 0; s < kStateCount; ++s)
      if ((row.from >> s & 1u) != 0)
        dense[s][static_cast<std::size_t>(row.input)] = {
            row.to == kSame ? static_cast<State>(s) : static_cast<State>(row.to), row.answer,
            row.actions, row.source};
  return dense;
}
constexpr Dense kDense = make_dense();

}  // namespace

const Transition& transition(State state, Input input) noexcept {
  return kDense[static_cast<std::size_t>(state)][static_cast<std::size_t>(input)];
}

const char* name(State state) noexcept {
  constexpr std::array<const char*, kStateCount> kNames{
      "Other",   "Idle",   "Starting",   "Moving",  "Finishing",  "Stopping",
      "Halting", "Reflex", "Recovering", "Guiding", "UserStopped"};
  return kNames[static_cast<std::size_t>(state)];
}

const char* name(Input input) noexcept {
  constexpr std::array<const char*, kInputCount> kNames{
      "Move",           "StopMove",     "Setter",          "SetGuidingMode",
      "Recover",        "FirstCommand", "Finish",          "Violation",
      "AtRest",         "ClientGone",   "UserStopPressed", "UserStopReleased",
      "GuidingStarted", "GuidingEnded", "BrakesClosed",    "BrakesOpened"};
  return kNames[static_cast<std::size_t>(input)];
}

}  // namespace fsim::motion
