// What a world is started with. Plain values; checked by the Python side before they come here.
#pragma once

#include <cstdint>
#include <string>

#include "engine/sensors.hpp"
#include "judge/judge.hpp"
#include "robot/model.hpp"

namespace fsim::engine {

enum class ClockKind : std::uint8_t { kRealtime, kLockstep, kScaled };
enum class RealtimeWish : std::uint8_t { kAuto, kOff, kRequire };

/// What stands at the flange.
struct ToolSettings {
  enum class Kind : std::uint8_t { kNone, kHand, kVacuum } kind = Kind::kNone;
  bool homed = true;        ///< hand: it knows its stroke
  double object_width = 0;  ///< hand: of what lies between the fingers [m]; 0: nothing
  bool physics = false;     ///< hand: the plant moves its fingers
  bool part = false;        ///< vacuum: a part closes the cup
};

struct Settings {
  std::string host = "127.0.0.1";  ///< address the UDP socket is bound to
  ClockKind clock = ClockKind::kRealtime;
  double scale = 1.0;  ///< scaled clock: simulated seconds per real second
  RealtimeWish realtime = RealtimeWish::kAuto;
  int cpu = -1;                   ///< pin the cycle's thread; -1: do not
  int priority = 80;              ///< SCHED_FIFO priority, 1..99
  std::int64_t spin_ns = 0;       ///< spin this long before a boundary, or for an answer
  double lockstep_timeout = 0.5;  ///< [s]; infinity: wait for ever
  bool idle_run = false;          ///< lockstep: the world runs on when nothing moves
  std::size_t history = 10000;    ///< cycles kept
  judge::Rules rules;
  SensorSettings sensors{};
  double friction_known = 1;  ///< joint friction that the controllers compensate, as a factor on
                              ///< the robot type's
  robot::Load ee{};           ///< end effector as configured in Desk
  Mat4 F_T_NE = kIdentity4;   ///< its nominal frame in the flange's
  bool locked = false;        ///< start with closed brakes
  double recovery_time = 0;   ///< least duration of AutomaticErrorRecovery [s], simulated
  ToolSettings tool;
  Vec3 gravity = robot::kTableGravity;  ///< in O: how the base is mounted [m/s^2]
};

}  // namespace fsim::engine
