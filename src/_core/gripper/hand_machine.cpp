// The transition rows of the hand.
#include "gripper/hand_machine.hpp"

#include "gripper/dense.hpp"

namespace fsim::gripper {
namespace {

using S = HandState;
using I = HandInput;
using A = HandAnswer;

constexpr States kAll = (1u << kHandStateCount) - 1;
constexpr States kRunning = set(S::kHoming, S::kMoving, S::kGrasping);
constexpr States kResting = set(S::kIdle, S::kHolding, S::kPressing);
constexpr States kWorking = kRunning | kResting | set(S::kStopping);
constexpr States kDead = set(S::kHot, S::kOff);

constexpr States but(States states) { return static_cast<States>(kAll & ~states); }
constexpr std::uint8_t go(S s) { return static_cast<std::uint8_t>(s); }

constexpr const char* kProtocol = "wire.md 4.1, semantics";
constexpr const char* kInterrupt = "issue 5: a new command interrupts the running one";
constexpr const char* kHalts = "issue 5: stop halts in place";
constexpr const char* kFault = "chosen: a hand that cannot work fails its commands (G6)";
constexpr const char* kChosen = "chosen: nothing happens";

using HandRow = Row<HandInput, HandAnswer, HandActions>;
constexpr HandRow kRows[] = {
    // Commands. Each begins at once; the one that runs ends kAborted.
    {kResting, I::kHoming, go(S::kHoming), A::kLater, kBegin, kProtocol},
    {kRunning, I::kHoming, go(S::kHoming), A::kLater, kEndAborted | kBegin, kInterrupt},
    {set(S::kStopping), I::kHoming, go(S::kHoming), A::kLater, kEndStops | kBegin, kInterrupt},
    {kDead, I::kHoming, kSame, A::kFail, kNothing, kFault},
    {kResting, I::kGrasp, go(S::kGrasping), A::kLater, kBegin, kProtocol},
    {kRunning, I::kGrasp, go(S::kGrasping), A::kLater, kEndAborted | kBegin, kInterrupt},
    {set(S::kStopping), I::kGrasp, go(S::kGrasping), A::kLater, kEndStops | kBegin, kInterrupt},
    {kDead, I::kGrasp, kSame, A::kFail, kNothing, kFault},
    {kResting, I::kMove, go(S::kMoving), A::kLater, kBegin, kProtocol},
    {kRunning, I::kMove, go(S::kMoving), A::kLater, kEndAborted | kBegin, kInterrupt},
    {set(S::kStopping), I::kMove, go(S::kMoving), A::kLater, kEndStops | kBegin, kInterrupt},
    {kDead, I::kMove, kSame, A::kFail, kNothing, kFault},
    // Stop.
    {kRunning, I::kStop, go(S::kStopping), A::kLater, kEndAborted | kHalt, kHalts},
    {set(S::kHolding, S::kPressing), I::kStop, go(S::kStopping), A::kLater, kHalt, kHalts},
    {set(S::kStopping), I::kStop, kSame, A::kLater, kNothing, kHalts},
    {set(S::kIdle, S::kHot, S::kOff), I::kStop, kSame, A::kSuccess, kNothing,
     "chosen: nothing moves, as was asked"},
    // What the fingers do.
    {set(S::kHoming), I::kArrived, go(S::kIdle), A::kNone, kEndSuccess | kLearnStroke,
     "robot-model.md 11, max_width"},
    {set(S::kMoving), I::kArrived, go(S::kIdle), A::kNone, kEndSuccess, kProtocol},
    {but(set(S::kHoming, S::kMoving)), I::kArrived, kSame, A::kNone, kNothing, kChosen},
    {set(S::kHoming, S::kMoving), I::kBlocked, go(S::kIdle), A::kNone, kEndUnsuccessful | kRelax,
     "chosen: a width that is not reached is no success (G1)"},
    {but(set(S::kHoming, S::kMoving)), I::kBlocked, kSame, A::kNone, kNothing, kChosen},
    {set(S::kGrasping), I::kGripped, go(S::kHolding), A::kNone, kEndSuccess, kProtocol},
    {but(set(S::kGrasping)), I::kGripped, kSame, A::kNone, kNothing, kChosen},
    {set(S::kGrasping), I::kMissed, go(S::kIdle), A::kNone, kEndUnsuccessful | kRelax,
     "robot-model.md 11, grasp success: on failure it relaxes slightly"},
    {but(set(S::kGrasping)), I::kMissed, kSame, A::kNone, kNothing, kChosen},
    {set(S::kHolding), I::kLost, go(S::kPressing), A::kNone, kNothing,
     "issue 5: is_grasped drops when the object is lost"},
    {but(set(S::kHolding)), I::kLost, kSame, A::kNone, kNothing, kChosen},
    {set(S::kStopping), I::kStanding, go(S::kIdle), A::kNone, kEndStops, kHalts},
    {but(set(S::kStopping)), I::kStanding, kSame, A::kNone, kNothing, kChosen},
    // Heat and power.
    {kWorking, I::kTooHot, go(S::kHot), A::kNone, kEndFail | kEndStops | kHalt, kFault},
    {kDead, I::kTooHot, kSame, A::kNone, kNothing, kChosen},
    {set(S::kHot), I::kCooled, go(S::kIdle), A::kNone, kNothing, kFault},
    {but(set(S::kHot)), I::kCooled, kSame, A::kNone, kNothing, kChosen},
    {but(set(S::kOff)), I::kPowerOff, go(S::kOff), A::kNone, kEndFail | kEndStops | kLimp | kForget,
     "robot-model.md 11, max_width before homing"},
    {set(S::kOff), I::kPowerOff, kSame, A::kNone, kNothing, kChosen},
    {set(S::kOff), I::kPowerOn, go(S::kIdle), A::kNone, kHalt, kFault},
    {but(set(S::kOff)), I::kPowerOn, kSame, A::kNone, kNothing, kChosen},
};
static_assert(total<kHandStateCount, kHandInputCount>(kRows),
              "every (state, input) pair is covered by exactly one row");
constexpr auto kDense = dense<HandTransition, S, kHandStateCount, kHandInputCount>(kRows);

}  // namespace

const HandTransition& transition(HandState state, HandInput input) noexcept {
  return kDense[static_cast<std::size_t>(state)][static_cast<std::size_t>(input)];
}

const char* name(HandState state) noexcept {
  constexpr std::array<const char*, kHandStateCount> kNames{
      "Idle", "Homing", "Moving", "Grasping", "Holding", "Pressing", "Stopping", "Hot", "Off"};
  return kNames[static_cast<std::size_t>(state)];
}

const char* name(HandInput input) noexcept {
  constexpr std::array<const char*, kHandInputCount> kNames{
      "Homing", "Grasp", "Move",     "Stop",   "Arrived", "Blocked",  "Gripped",
      "Missed", "Lost",  "Standing", "TooHot", "Cooled",  "PowerOff", "PowerOn"};
  return kNames[static_cast<std::size_t>(input)];
}

}  // namespace fsim::gripper
