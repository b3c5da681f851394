// The transition rows of the vacuum gripper.
#include "gripper/pump_machine.hpp"

#include "gripper/dense.hpp"

namespace fsim::gripper {
namespace {

using S = PumpState;
using I = PumpInput;
using A = PumpAnswer;

constexpr States kAll = (1u << kPumpStateCount) - 1;
constexpr States kRunning = set(S::kEvacuating, S::kDropping);
constexpr States kResting = set(S::kIdle, S::kHolding);
constexpr States kOff = set(S::kOff);

constexpr States but(States states) { return static_cast<States>(kAll & ~states); }
constexpr std::uint8_t go(S s) { return static_cast<std::uint8_t>(s); }

constexpr const char* kProtocol = "wire.md 4.2";
constexpr const char* kInterrupt = "issue 5: a new command interrupts the running one";
constexpr const char* kFault = "chosen: a pump without power fails its commands (G6)";
constexpr const char* kChosen = "chosen: nothing happens";

using PumpRow = Row<PumpInput, PumpAnswer, PumpActions>;
constexpr PumpRow kRows[] = {
    {kResting, I::kVacuum, go(S::kEvacuating), A::kLater, kPumpBegin, kProtocol},
    {kRunning, I::kVacuum, go(S::kEvacuating), A::kLater, kPumpAborted | kPumpBegin, kInterrupt},
    {kOff, I::kVacuum, kSame, A::kFail, kPumpNothing, kFault},
    {kResting, I::kDropOff, go(S::kDropping), A::kLater, kPumpBegin, kProtocol},
    {kRunning, I::kDropOff, go(S::kDropping), A::kLater, kPumpAborted | kPumpBegin, kInterrupt},
    {kOff, I::kDropOff, kSame, A::kFail, kPumpNothing, kFault},
    {kRunning, I::kStop, go(S::kIdle), A::kSuccess, kPumpAborted, kProtocol},
    {set(S::kHolding), I::kStop, go(S::kIdle), A::kSuccess, kPumpNothing,
     "chosen: the pump stops, its valve stays closed (V2)"},
    {set(S::kIdle, S::kOff), I::kStop, kSame, A::kSuccess, kPumpNothing,
     "chosen: nothing runs, as was asked"},
    {set(S::kEvacuating), I::kEstablished, go(S::kHolding), A::kNone, kPumpSuccess, kProtocol},
    {but(set(S::kEvacuating)), I::kEstablished, kSame, A::kNone, kPumpNothing, kChosen},
    {set(S::kDropping), I::kReleased, go(S::kIdle), A::kNone, kPumpSuccess, kProtocol},
    {but(set(S::kDropping)), I::kReleased, kSame, A::kNone, kPumpNothing, kChosen},
    {kRunning, I::kTimedOut, go(S::kIdle), A::kNone, kPumpUnsuccessful, kProtocol},
    {but(kRunning), I::kTimedOut, kSame, A::kNone, kPumpNothing, kChosen},
    {but(kOff), I::kPowerOff, go(S::kOff), A::kNone, kPumpFail, kFault},
    {kOff, I::kPowerOff, kSame, A::kNone, kPumpNothing, kChosen},
    {kOff, I::kPowerOn, go(S::kIdle), A::kNone, kPumpNothing, kFault},
    {but(kOff), I::kPowerOn, kSame, A::kNone, kPumpNothing, kChosen},
};
static_assert(total<kPumpStateCount, kPumpInputCount>(kRows),
              "every (state, input) pair is covered by exactly one row");
constexpr auto kDense = dense<PumpTransition, S, kPumpStateCount, kPumpInputCount>(kRows);

}  // namespace

const PumpTransition& transition(PumpState state, PumpInput input) noexcept {
  return kDense[static_cast<std::size_t>(state)][static_cast<std::size_t>(input)];
}

const char* name(PumpState state) noexcept {
  constexpr std::array<const char*, kPumpStateCount> kNames{"Idle", "Evacuating", "Holding",
                                                            "Dropping", "Off"};
  return kNames[static_cast<std::size_t>(state)];
}

const char* name(PumpInput input) noexcept {
  constexpr std::array<const char*, kPumpInputCount> kNames{
      "Vacuum", "DropOff", "Stop", "Established", "Released", "TimedOut", "PowerOff", "PowerOn"};
  return kNames[static_cast<std::size_t>(input)];
}

}  // namespace fsim::gripper
