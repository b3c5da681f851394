// Contact and collision: external torque and wrench against the thresholds that
// SetCollisionBehavior set. Must not know how they are estimated, or what the arm does about a
// collision. Source: robot-model.md section 9; libfranka robot_state.h (joint_contact,
// joint_collision).
#pragma once

#include <cstdint>

#include "base/types.hpp"
#include "judge/measured.hpp"
#include "wire/commands.hpp"

namespace fsim::judge {

/// Torque per joint [Nm], force and moment per axis of K [N, Nm]. Above lower is a contact, above
/// upper a collision.
struct ContactThresholds {
  Vec7 lower_torque{};
  Vec7 upper_torque{};
  Vec6 lower_force{};
  Vec6 upper_force{};
};

/// Those of the phase: the acceleration thresholds while the commanded motion speeds up or slows
/// down (assumed.hpp X3), else the nominal ones. A torque command has no commanded motion: nominal.
ContactThresholds thresholds_of(const wire::SetCollisionBehaviorRequest& set, const Vec7& ddq_d,
                                bool external_torque) noexcept;

/// One flag for each of seven joints and six axes.
class ContactFlags {
 public:
  static constexpr std::size_t kCount = kJoints + 6;
  constexpr bool has(std::size_t channel) const noexcept { return (bits_ >> channel & 1u) != 0; }
  constexpr void set(std::size_t channel) noexcept {
    bits_ = static_cast<std::uint16_t>(bits_ | 1u << channel);
  }
  constexpr void clear() noexcept { bits_ = 0; }
  constexpr ContactFlags& operator|=(ContactFlags o) noexcept {
    bits_ = static_cast<std::uint16_t>(bits_ | o.bits_);
    return *this;
  }
  constexpr ContactFlags& operator&=(ContactFlags o) noexcept {
    bits_ = static_cast<std::uint16_t>(bits_ & o.bits_);
    return *this;
  }
  /// Per joint, and per axis, as the state carries them.
  Vec7 joints() const noexcept;
  Vec6 axes() const noexcept;

 private:
  std::uint16_t bits_ = 0;
};

/// The levels of one robot. A contact clears itself; a collision stays until `recovered`.
class ContactJudge {
 public:
  /// What the state of `published` breaks. Not `armed`: a collision is no violation, and what is
  /// over its threshold then counts again only once it was below (assumed.hpp X4).
  SafetyResult observe(const Vec7& tau_ext, const Vec6& K_F_ext,
                       const ContactThresholds& thresholds, bool armed,
                       Cycle published) FSIM_NONBLOCKING;
  void recovered() noexcept { collision_.clear(); }

  ContactFlags contact() const noexcept { return contact_; }
  ContactFlags collision() const noexcept { return collision_; }

 private:
  ContactFlags contact_;
  ContactFlags collision_;
  ContactFlags excused_;
};

}  // namespace fsim::judge
