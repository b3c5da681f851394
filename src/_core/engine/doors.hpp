// The two doors of values between Python and the cycle: requests in, events out. Must not decide
// anything. (The third door is history.hpp.)
#pragma once

#include <netinet/in.h>

#include <atomic>
#include <cstdint>
#include <variant>

#include "base/fixed.hpp"
#include "engine/certificate.hpp"
#include "engine/disturbance.hpp"
#include "gripper/command.hpp"
#include "gripper/fingers.hpp"
#include "judge/judge.hpp"
#include "wire/commands.hpp"

namespace fsim::engine {

/// Names one request across the border; 0 is nobody.
using Token = std::uint32_t;

/// A TCP request of the client.
struct ClientRequest {
  Token token = 0;
  const wire::CommandRow* row = nullptr;
  wire::Request request;
};
/// Stream states to this address from now on.
struct Attach {
  sockaddr_in address{};
  unsigned version = 10;
};
struct Detach {};
/// An input from the side: activation device, guiding buttons, brakes.
struct SideInput {
  enum class Kind : std::uint8_t { kUserStop, kGuiding, kBrakes } kind{};
  bool on = false;
};

/// Something in the world was changed: it must not stand still over it.
struct Stir {};

/// Everything back to where it began: robot, world, what was asked of them. A client is let go.
struct Restart {};

/// A command of the tool's client.
struct ToolRequest {
  Token token = 0;
  std::variant<gripper::HandCommand, gripper::PumpCommand> command;
};
/// Send the tool's states to this address as well; `connection` names it for ToolDetach.
struct ToolAttach {
  Token connection = 0;
  sockaddr_in address{};
};
struct ToolDetach {
  Token connection = 0;
};
/// When an input from the side acts.
struct When {
  enum class Kind : std::uint8_t {
    kNow,
    kAfter,   ///< so many cycles of the tool from now
    kMotion,  ///< in that cycle of the running motion, or of the next; 0 is its first command's
  } kind = Kind::kNow;
  std::uint32_t cycles = 0;
};
/// An input from the side at the tool: what lies between the fingers, faults, a command of nobody's
/// connection.
struct ToolInput {
  enum class Kind : std::uint8_t {
    kCommand,       ///< `request`
    kObject,        ///< `object`; its width 0: nothing is there (pump: any width closes the cup)
    kStall,         ///< `value` cycles long
    kTemperature,   ///< `value` [degC]
    kPower,         ///< on when `value` is not 0
    kDeviceStatus,  ///< `value` 0 to 3
  } kind{};
  When when;
  double value = 0;
  gripper::Obstacle object;
  ToolRequest request;
};

using RequestRecord = std::variant<ClientRequest, Attach, Detach, SideInput, Push, ReleasePushes,
                                   Stir, ToolRequest, ToolAttach, ToolDetach, ToolInput, Restart>;
using RequestQueue = SpscQueue<RequestRecord, 256>;

enum class EventKind : std::uint8_t {
  kReply,          ///< the only answer of a request that is no Move, or a Move's rejection
  kMotionStarted,  ///< first answer of a Move
  kMotionEnded,    ///< terminal answer of a Move
  kViolation,      ///< a limit was broken; warned or enforced
  kNotice,         ///< see Notice
};

/// Things a user should read in the log, each once per motion or connection.
enum class Notice : std::uint8_t {
  kNone,
  kUnsolvedPose,      ///< a commanded pose has no joints: not judged on its joints
  kMalformedCommand,  ///< a datagram of the wrong size from the client
  kForeignDatagram,   ///< a datagram from an address or port that is not the client's
  kUnpublishedId,     ///< a command echoed an id never published
  kLockstepTimeout,   ///< the client did not answer within --lockstep-timeout
  kTooManyPushes,     ///< a push found no room and does not act
};

struct Event {
  EventKind kind = EventKind::kReply;
  Notice notice = Notice::kNone;
  std::uint8_t status = 0;  ///< wire number of the command's status
  Token token = 0;
  std::uint64_t cycle = 0;  ///< the published state this event is about
  wire::ErrorSet errors;    ///< motion ended by a reflex: what was latched
  judge::Violation violation;
  std::uint64_t motion = 0;  ///< running number of the motion
  TimingSummary timing;      ///< of a motion that ended
};

/// The end of a tool's command.
struct ToolEvent {
  Token token = 0;
  gripper::Outcome outcome = gripper::Outcome::kSuccess;
  std::uint64_t cycle = 0;
};

/// Replies have their own queue: as many slots as requests may be outstanding, twice (a Move has
/// two answers), so a reply is never dropped. Logs may be dropped, counted.
inline constexpr std::size_t kMaxOutstanding = 128;
using ReplyQueue = SpscQueue<Event, 2 * kMaxOutstanding>;
using LogQueue = SpscQueue<Event, 256>;
inline constexpr std::size_t kMaxToolOutstanding = 256;
using ToolQueue = SpscQueue<ToolEvent, kMaxToolOutstanding>;

}  // namespace fsim::engine
