// A vacuum gripper (Cobot Pump): the machine's table on a cup that may be closed by a part. Must
// not know bytes, clocks or who asked.
#pragma once

#include "base/fixed.hpp"
#include "gripper/command.hpp"
#include "gripper/pump_machine.hpp"

namespace fsim::gripper {

/// What the pump says of itself.
struct PumpReport {
  bool in_control_range = false;
  bool part_detached = false;
  bool part_present = false;
  std::uint8_t device_status = 0;  ///< green, yellow, orange, red
  int actual_power = 0;            ///< [%]
  double vacuum = 0;               ///< [mbar]
  PumpState state = PumpState::kIdle;
};

class Pump {
 public:
  /// Answers that one cycle may give: all requests that may be outstanding.
  static constexpr std::size_t kMaxAnswers = 256;
  using Answers = FixedVector<Answer, kMaxAnswers>;

  void request(Ticket ticket, const PumpCommand& command) noexcept;
  /// Answer kFail and do nothing.
  void refuse(Ticket ticket) noexcept { answer(ticket, Outcome::kFail); }
  void power(bool on) noexcept;
  /// A part closes the cup, or none does.
  void part(bool there) noexcept { sealed_ = there; }
  /// Pressure does not change, whatever pump and valve do.
  void stall(bool stalled) noexcept { stalled_ = stalled; }
  /// The pump reports this status, while it has power: green 0, yellow, orange, red 3.
  void device_status(std::uint8_t status) noexcept { device_status_ = status; }

  /// One cycle.
  void advance() noexcept;

  PumpReport report() const noexcept;
  /// Nothing of the pump changes.
  bool at_rest() const noexcept;

  const Answers& answers() const noexcept { return answers_; }
  void clear_answers() noexcept { answers_.clear(); }

 private:
  void input(PumpInput in) noexcept;
  void end(Outcome outcome) noexcept;
  void answer(Ticket ticket, Outcome outcome) noexcept;
  bool sucks() const noexcept;
  bool in_range() const noexcept;

  PumpState state_ = PumpState::kIdle;
  Ticket ticket_ = 0;
  PumpCommand next_;
  Ticket next_ticket_ = 0;
  std::int64_t left_ms_ = 0;  ///< of the running command's timeout
  double setpoint_ = 0;       ///< [mbar]
  unsigned profile_ = 0;

  double vacuum_ = 0;  ///< [mbar] below the surroundings
  bool sealed_ = false;
  bool stalled_ = false;
  bool present_ = false;
  bool detached_ = false;
  std::uint8_t device_status_ = 0;

  Answers answers_;
};

}  // namespace fsim::gripper
