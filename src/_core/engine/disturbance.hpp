// Who pushes the arm, where and how hard, cycle by cycle. Must not know sockets or physics: what
// acts goes to the plant as wrenches on links.
#pragma once

#include <cstdint>
#include <limits>

#include "base/fixed.hpp"
#include "base/types.hpp"
#include "plant/plant.hpp"

namespace fsim::engine {

enum class PushShape : std::uint8_t {
  kStep,   ///< whole from the first cycle to the last
  kRamp,   ///< grows in equal steps over `rise` cycles, then stays whole
  kPulse,  ///< half a sine
};
enum class PushStart : std::uint8_t {
  kNow,            ///< with the next cycle
  kAtCycle,        ///< in the cycle whose state carries this id; at once when it has passed
  kAtMotionCycle,  ///< n cycles after the first command of the running motion, or of the next one
};

/// A wrench of the environment on a frame that is fixed to one link.
struct Push {
  static constexpr std::uint64_t kForever = std::numeric_limits<std::uint64_t>::max();

  std::uint8_t link = 0;
  enum class Anchor : std::uint8_t { kLink, kFlange, kEE } anchor = Anchor::kLink;
  bool in_O = true;  ///< axes of force and torque: O, else the anchor's frame
  Vec3 force{};      ///< on the robot [N]
  Vec3 torque{};     ///< on the robot [Nm]
  Vec3 point{};      ///< where the force acts, in the anchor's frame [m]
  PushShape shape = PushShape::kStep;
  PushStart start = PushStart::kNow;
  std::uint64_t cycle = 0;            ///< of `start`
  std::uint64_t duration = kForever;  ///< [cycles], at least 1; a pulse is never for ever
  std::uint64_t rise = 0;             ///< of a ramp [cycles], 1 to `duration`
};
/// Ends every push, also those that have not begun.
struct ReleasePushes {};

/// The pushes of one arm. Fixed in size; asked once a cycle.
class Disturbances {
 public:
  /// When the motion that runs had its first command.
  struct Motion {
    bool running = false;  ///< it has had one
    Cycle first;           ///< the cycle that took it
  };

  /// False when there is no room.
  bool add(const Push& push) noexcept;
  void release() noexcept;

  /// Go to the cycle that publishes `now`. True when what acts differs from the cycle before or
  /// will change by itself: the arm cannot be counted on to stand still.
  bool advance(Cycle now, const Motion& motion) noexcept;

  /// What acts in this cycle. `link7_T_F` places the flange, `F_T_EE` the end effector.
  void evaluate(const Mat4& link7_T_F, const Mat4& F_T_EE,
                FixedVector<plant::LinkWrench, plant::kMaxWrenches>& out) const noexcept;

 private:
  struct Entry {
    Push push;
    bool begun = false;
    std::uint64_t age = 0;  ///< cycles it has acted, this one included
    double share = 0;       ///< of its wrench in this cycle
  };
  FixedVector<Entry, plant::kMaxWrenches> entries_;
  bool changed_ = false;  ///< by release
};

}  // namespace fsim::engine
