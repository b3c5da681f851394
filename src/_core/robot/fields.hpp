// What every field of RobotState means here: unit, frame, where its numbers come from. Must not
// know bytes. Read by Python and checked against the documentation.
#pragma once

#include <span>

namespace fsim::robot {

/// Where a field's numbers come from.
enum class Origin : unsigned char {
  kPhysics,        ///< the plant, or a measurement of it
  kModel,          ///< computed from physics with the robot's own model
  kCommand,        ///< the commanded reference
  kConfiguration,  ///< what setters or options said
  kConstant,       ///< never changes, and does not on the robot either (source says why)
  kState,          ///< the motion state machine
};

struct FieldMeaning {
  const char* name;
  const char* unit;
  const char* frame;
  Origin origin;
  const char* meaning;
  const char* source;
};

std::span<const FieldMeaning> field_meanings() noexcept;
const char* name(Origin origin) noexcept;

}  // namespace fsim::robot
