// What a tool is asked for and how it answers, as plain values. Must not know bytes, ports or time.
#pragma once

#include <cstdint>

namespace fsim::gripper {

/// Names one request across rooms; 0 is nobody.
using Ticket = std::uint32_t;

/// How a request ends; the order is the number on the wire (wire.md 4.1).
enum class Outcome : std::uint8_t { kSuccess, kFail, kUnsuccessful, kAborted };

struct Answer {
  Ticket ticket = 0;
  Outcome outcome = Outcome::kSuccess;
};

struct HandCommand {
  enum class Kind : std::uint8_t { kHoming, kGrasp, kMove, kStop };
  Kind kind = Kind::kStop;
  double width = 0;          ///< Move, Grasp [m]
  double epsilon_inner = 0;  ///< Grasp [m]
  double epsilon_outer = 0;  ///< Grasp [m]
  double speed = 0;          ///< Move, Grasp: of the width [m/s]
  double force = 0;          ///< Grasp [N]
};

struct PumpCommand {
  enum class Kind : std::uint8_t { kVacuum, kDropOff, kStop };
  Kind kind = Kind::kStop;
  double vacuum = 0;         ///< Vacuum: setpoint [mbar]
  unsigned profile = 0;      ///< Vacuum: P0 to P3
  std::int64_t timeout = 0;  ///< Vacuum, DropOff [ms]
};

}  // namespace fsim::gripper
