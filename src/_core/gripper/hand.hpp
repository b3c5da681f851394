// A Franka Hand: carries out what the machine's table says, cycle by cycle, on fingers that
// somebody else moves (kinematic ones or physics). Must not know bytes, clocks or who asked.
#pragma once

#include "base/fixed.hpp"
#include "gripper/command.hpp"
#include "gripper/fingers.hpp"
#include "gripper/hand_machine.hpp"

namespace fsim::gripper {

/// What the hand says of itself.
struct HandReport {
  double width = 0;      ///< [m]
  double max_width = 0;  ///< [m]; 0 before homing
  bool is_grasped = false;
  double temperature = 0;  ///< [degC]
  double force = 0;        ///< [N] that the fingers exert; not on the wire
  HandState state = HandState::kIdle;
};

class Hand {
 public:
  /// Answers that one cycle may give: all requests that may be outstanding.
  static constexpr std::size_t kMaxAnswers = 256;
  using Answers = FixedVector<Answer, kMaxAnswers>;

  /// Idle; with `homed` it knows its stroke.
  void reset(bool homed, const Fingers& fingers) noexcept;

  void request(Ticket ticket, const HandCommand& command) noexcept;
  /// Answer kFail and do nothing.
  void refuse(Ticket ticket) noexcept { answer(ticket, Outcome::kFail); }
  void power(bool on) noexcept;
  /// The case has this temperature now [degC].
  void heat_to(double temperature) noexcept;
  /// The drive is stuck and the hand does not notice.
  void stall(bool stalled) noexcept;

  /// Something changed around the fingers.
  void stir() noexcept { rest_cycles_ = 0; }

  /// What the drive does in this cycle.
  const Drive& drive() const noexcept { return drive_; }
  /// The fingers at the end of the cycle.
  void observe(const Fingers& fingers) noexcept;

  HandReport report() const noexcept;
  /// The fingers are sent over their whole way: what lies between them is taken away meanwhile.
  bool homing() const noexcept { return state_ == HandState::kHoming; }
  /// Nothing of the hand changes.
  bool at_rest() const noexcept;

  const Answers& answers() const noexcept { return answers_; }
  void clear_answers() noexcept { answers_.clear(); }

 private:
  void input(HandInput in) noexcept;
  void act(HandActions actions) noexcept;
  void begin() noexcept;
  void halt() noexcept;
  void end(Outcome outcome) noexcept;
  void answer(Ticket ticket, Outcome outcome) noexcept;
  bool acceptable(const HandCommand& command) const noexcept;
  void warm() noexcept;
  void sense() noexcept;
  void sense_homing() noexcept;
  bool in_band() const noexcept;

  HandState state_ = HandState::kIdle;
  double max_width_ = 0;
  double temperature_ = 0;
  bool stalled_ = false;

  // The running command; 0 when none runs.
  Ticket ticket_ = 0;
  HandCommand command_;  ///< stays after its end: the band of what is held
  HandCommand next_;     ///< the command that is the input
  Ticket next_ticket_ = 0;
  bool opening_ = false;  ///< second half of homing
  FixedVector<Ticket, 16> stops_;

  Drive drive_;
  Fingers fingers_;
  unsigned blocked_cycles_ = 0;
  unsigned loose_cycles_ = 0;  ///< the drive does not press, though something was grasped
  unsigned standing_cycles_ = 0;
  unsigned rest_cycles_ = 0;

  Answers answers_;
};

}  // namespace fsim::gripper
