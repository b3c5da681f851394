// The tool of one robot: hand or vacuum gripper, with what is done to it from the side and when.
// Advances inside the cycle. Must not touch sockets or queues, or hold a rule of the tool's.
#pragma once

#include <optional>
#include <span>

#include "base/fixed.hpp"
#include "engine/doors.hpp"
#include "engine/settings.hpp"
#include "gripper/finger_drive.hpp"
#include "gripper/hand.hpp"
#include "gripper/pump.hpp"
#include "plant/plant.hpp"

namespace fsim::engine {

/// The width at which a hand starts [m].
double start_width(const ToolSettings& settings) noexcept;

/// What the outside may know of the tool; plain words, copied as a whole.
struct ToolSnapshot {
  std::uint64_t cycle = 0;
  gripper::HandReport hand;
  gripper::PumpReport pump;
  std::uint64_t waiting = 0;  ///< inputs from the side that have not acted yet
};

class Tool {
 public:
  using Kind = ToolSettings::Kind;

  explicit Tool(const ToolSettings& settings) noexcept;

  Kind kind() const noexcept { return kind_; }
  void request(const ToolRequest& request) noexcept;
  /// Carry out an input, or keep it until its time has come. With too many waiting a command is
  /// answered kFail and any other input is lost.
  void input(const ToolInput& input) noexcept;

  /// Give every command its answer; the tool ends here.
  void let_go() noexcept;

  // One cycle of simulated time, in this order.
  /// What is due acts. `motion_cycle`: of the running motion, from its first command.
  void begin(std::optional<std::uint64_t> motion_cycle) noexcept;
  /// What the plant is to do with the fingers, where it has some.
  void drive(plant::Input& input) noexcept;
  void end(const plant::Output& world) noexcept;

  /// The plant moves a part of the tool: it can only go on with the world.
  bool in_world() const noexcept { return physics_; }
  /// Time may stand for the tool. Inputs that wait for a motion do not keep it running.
  bool at_rest() const noexcept;

  ToolSnapshot snapshot() const noexcept;
  std::span<const gripper::Answer> answers() const noexcept;
  void clear_answers() noexcept;

 private:
  void apply(const ToolInput& input) noexcept;
  void stall(std::uint64_t cycles) noexcept;

  Kind kind_;
  bool physics_;
  gripper::Hand hand_;
  gripper::KinematicFingers fingers_;
  gripper::FingerDrive drive_;
  gripper::Pump pump_;
  std::uint64_t stalled_cycles_ = 0;

  struct Waiting {
    ToolInput input;
    std::uint64_t due = 0;  ///< cycle of the tool, or of the motion
  };
  static constexpr std::size_t kMaxWaiting = 64;
  FixedVector<Waiting, kMaxWaiting> waiting_;
  std::uint64_t cycle_ = 0;  ///< of the tool: it stands while the tool stands
};

}  // namespace fsim::engine
