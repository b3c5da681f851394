// Engine, Settings and what they hand to Python. Values are copied at the border.
#include "engine/engine.hpp"

#include <arpa/inet.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cmath>
#include <cstring>

#include "record_dtype.hpp"
#include "registers.hpp"

namespace py = pybind11;

namespace fsim::bind {
namespace {

using engine::Engine;
using engine::Settings;

engine::ClockKind clock_named(const std::string& name) {
  if (name == "realtime") return engine::ClockKind::kRealtime;
  if (name == "lockstep") return engine::ClockKind::kLockstep;
  if (name == "scaled") return engine::ClockKind::kScaled;
  throw py::value_error("clock: '" + name + "' is not one of realtime, lockstep, scaled");
}

engine::RealtimeWish wish_named(const std::string& name) {
  if (name == "auto") return engine::RealtimeWish::kAuto;
  if (name == "off") return engine::RealtimeWish::kOff;
  if (name == "require") return engine::RealtimeWish::kRequire;
  throw py::value_error("realtime: '" + name + "' is not one of auto, off, require");
}

engine::ToolSettings::Kind tool_named(const std::string& name) {
  if (name == "none") return engine::ToolSettings::Kind::kNone;
  if (name == "hand") return engine::ToolSettings::Kind::kHand;
  if (name == "vacuum") return engine::ToolSettings::Kind::kVacuum;
  throw py::value_error("tool: '" + name + "' is not one of none, hand, vacuum");
}

Settings make_settings(const std::string& host, const std::string& clock, double scale,
                       bool enforce_motion_limits, bool enforce_comm_constraints, bool apply_late,
                       const std::string& realtime, int cpu, int priority, double spin_us,
                       double lockstep_timeout, bool idle_run, std::size_t history,
                       const std::string& robot, double joint_discontinuity_scale, bool locked,
                       double recovery_time, const Vec3& gravity, double m_ee, const Vec3& F_x_Cee,
                       const Mat3& I_ee, const Mat4& F_T_NE, double encoder_resolution,
                       double velocity_noise, double torque_bias, double torque_noise,
                       std::uint64_t seed, double friction_known, const std::string& tool,
                       bool hand_homed, double hand_object_width, bool hand_physics,
                       bool vacuum_part) {
  if (robot::find_robot(robot.c_str()) == nullptr)
    throw py::value_error("robot: '" + robot + "' is not built in; known: fr3");
  if (!(scale > 0)) throw py::value_error("scale must be greater than 0");
  Settings s;
  s.host = host;
  s.clock = clock_named(clock);
  s.scale = scale;
  s.realtime = wish_named(realtime);
  s.cpu = cpu;
  s.priority = priority;
  s.spin_ns = static_cast<std::int64_t>(spin_us * 1e3);
  s.lockstep_timeout = lockstep_timeout;
  s.idle_run = idle_run;
  s.history = history;
  s.rules.enforce_motion_limits = enforce_motion_limits;
  s.rules.enforce_comm_constraints = enforce_comm_constraints;
  s.rules.apply_late = apply_late;
  s.rules.joint_discontinuity_scale = joint_discontinuity_scale;
  s.locked = locked;
  s.recovery_time = recovery_time;
  s.gravity = gravity;
  s.ee = {m_ee, F_x_Cee, I_ee};
  s.F_T_NE = F_T_NE;
  s.sensors = {encoder_resolution, velocity_noise, torque_bias, torque_noise, seed};
  s.friction_known = friction_known;
  s.tool = {tool_named(tool), hand_homed, hand_object_width, hand_physics, vacuum_part};
  return s;
}

const char* kind_name(engine::EventKind kind) {
  switch (kind) {
    case engine::EventKind::kReply:
      return "reply";
    case engine::EventKind::kMotionStarted:
      return "motion_started";
    case engine::EventKind::kMotionEnded:
      return "motion_ended";
    case engine::EventKind::kViolation:
      return "violation";
    case engine::EventKind::kNotice:
      return "notice";
  }
  return "";
}

const char* notice_name(engine::Notice notice) {
  switch (notice) {
    case engine::Notice::kNone:
      return "";
    case engine::Notice::kUnsolvedPose:
      return "unsolved_pose";
    case engine::Notice::kMalformedCommand:
      return "malformed_command";
    case engine::Notice::kForeignDatagram:
      return "foreign_datagram";
    case engine::Notice::kUnpublishedId:
      return "unpublished_id";
    case engine::Notice::kLockstepTimeout:
      return "lockstep_timeout";
    case engine::Notice::kTooManyPushes:
      return "too_many_pushes";
  }
  return "";
}

py::dict violation_dict(const judge::Violation& v) {
  const judge::CheckRow& row = judge::checks()[v.row];
  py::dict d;
  d["error"] = std::string(wire::name(v.error));
  d["signal"] = row.signal;
  d["condition"] = row.condition;
  d["unit"] = row.unit;
  d["joint"] = static_cast<int>(v.joint);
  d["value"] = v.value;
  d["limit"] = v.limit;
  d["cycle"] = v.cycle.n;
  d["extrapolated"] = v.extrapolated;
  d["enforced"] = v.enforced;
  d["generator"] = judge::name(v.generator);
  d["axis"] = judge::name(v.axis);
  d["over"] = v.over;
  d["lost_in_last_20"] = static_cast<int>(v.lost_in_last_20);
  d["previous_extrapolated"] = v.previous_extrapolated;
  d["gap"] = static_cast<int>(v.gap);
  d["cause"] = judge::name(v.cause);
  d["explanation"] = judge::text(v.cause);
  if (v.other >= 0)
    d["links"] = py::make_tuple(static_cast<int>(v.joint), static_cast<int>(v.other));
  return d;
}

py::dict event_data(const engine::Event& e) {
  if (e.kind == engine::EventKind::kViolation) {
    py::dict d = violation_dict(e.violation);
    d["motion"] = e.motion;
    return d;
  }
  py::dict d;
  d["motion"] = e.motion;
  if (e.kind == engine::EventKind::kNotice) d["notice"] = notice_name(e.notice);
  if (e.kind == engine::EventKind::kMotionEnded) {
    py::list names;
    for (std::size_t i = 0; i < wire::kErrorCount; ++i)
      if (e.errors.has(static_cast<wire::Error>(i)))
        names.append(std::string(wire::kErrorNames[i]));
    d["errors"] = names;
    // Numbers are those of the newest version built in.
    const wire::CommandRow& move = *wire::find_command(10, 1);
    d["ended"] = e.status < move.statuses.size() ? wire::name(move.statuses[e.status]) : "";
    d["timing"] = timing_summary(e.timing);
  }
  return d;
}

/// The last `n` records that could be copied whole, oldest first.
py::array history_of(const Engine& self, std::optional<std::size_t> n) {
  const engine::History& h = self.history();
  std::vector<engine::CycleRecord> rows;
  {
    const py::gil_scoped_release release;
    const std::uint64_t end = h.count();
    std::uint64_t begin = end > h.capacity() ? end - h.capacity() : 0;
    if (n && end - begin > *n) begin = end - *n;
    rows.resize(end - begin);
    std::size_t kept = 0;
    for (std::uint64_t i = begin; i < end; ++i)
      if (h.copy(i, rows[kept])) ++kept;
    rows.resize(kept);
  }
  py::array result(record_dtype(), static_cast<py::ssize_t>(rows.size()));
  if (!rows.empty())
    std::memcpy(result.mutable_data(), rows.data(), rows.size() * sizeof(engine::CycleRecord));
  return result;
}

py::array snapshot_of(const Engine& self) {
  engine::CycleRecord record;
  const engine::History& h = self.history();
  // The newest record can only be missed while it is being written: the next try finds another.
  for (;;) {
    const std::uint64_t count = h.count();
    if (count == 0) throw std::runtime_error("the engine has not published a state yet");
    if (h.copy(count - 1, record)) break;
  }
  py::array result(record_dtype(), std::vector<py::ssize_t>{});
  std::memcpy(result.mutable_data(), &record, sizeof record);
  return result;
}

py::dict counters_of(const Engine& self) {
  const engine::EngineCounters c = self.counters();
  py::dict d;
  d["cycles"] = c.cycles;
  d["slips"] = c.slips;
  d["slipped_ns"] = c.slipped_ns;
  d["lockstep_timeouts"] = c.lockstep_timeouts;
  d["dropped_logs"] = c.dropped_logs;
  d["udp_received"] = c.udp.received;
  d["udp_malformed"] = c.udp.malformed;
  d["udp_foreign"] = c.udp.foreign;
  d["udp_overflow"] = c.udp.overflow;
  d["udp_send_errors"] = c.udp.send_errors;
  d["fresh"] = c.judge.fresh;
  d["late"] = c.judge.late;
  d["duplicate"] = c.judge.duplicate;
  d["unpublished"] = c.judge.unpublished;
  d["lost"] = c.judge.lost;
  d["extrapolated"] = c.judge.extrapolated;
  d["superseded"] = c.judge.superseded;
  return d;
}

void submit_client(Engine& self, std::uint32_t token, unsigned version, std::uint32_t command,
                   const py::bytes& payload) {
  const wire::CommandRow* row = wire::find_command(version, command);
  if (row == nullptr)
    throw py::value_error("FCI version " + std::to_string(version) + " has no command " +
                          std::to_string(command));
  char* at = nullptr;
  Py_ssize_t size = 0;
  PyBytes_AsStringAndSize(payload.ptr(), &at, &size);
  const auto request = wire::decode_request(
      *row, {reinterpret_cast<const std::byte*>(at), static_cast<std::size_t>(size)});
  if (!request)
    throw py::value_error(std::string(row->name) + ": payload of " + std::to_string(size) +
                          " bytes, expected " +
                          std::to_string(row->request_size - wire::kHeaderSize));
  if (!self.submit(engine::ClientRequest{token, row, *request}))
    throw std::runtime_error("too many outstanding requests");
}

void attach_client(Engine& self, const std::string& ip, std::uint16_t port, unsigned version) {
  if (wire::state_layout(version) == nullptr)
    throw py::value_error("FCI version " + std::to_string(version) + " is not built in");
  engine::Attach attach;
  attach.address.sin_family = AF_INET;
  attach.address.sin_port = htons(port);
  if (inet_pton(AF_INET, ip.c_str(), &attach.address.sin_addr) != 1)
    throw py::value_error("'" + ip + "' is not an IPv4 address");
  attach.version = version;
  if (!self.submit(attach)) throw std::runtime_error("the request queue is full");
}

void side(Engine& self, engine::SideInput::Kind kind, bool on) {
  if (!self.submit(engine::SideInput{kind, on}))
    throw std::runtime_error("the request queue is full");
}

}  // namespace

void register_engine(py::module_& m) {
  using Kind = engine::SideInput::Kind;
  m.attr("history_dtype") = record_dtype();
  py::class_<Settings>(m, "Settings", "What an engine is started with.")
      .def(py::init(&make_settings), py::kw_only(), py::arg("host") = "127.0.0.1",
           py::arg("clock") = "realtime", py::arg("scale") = 1.0,
           py::arg("enforce_motion_limits") = false, py::arg("enforce_comm_constraints") = false,
           py::arg("apply_late") = true, py::arg("realtime") = "auto", py::arg("cpu") = -1,
           py::arg("priority") = 80, py::arg("spin_us") = 0.0, py::arg("lockstep_timeout") = 0.5,
           py::arg("idle_run") = false, py::arg("history") = 10000, py::arg("robot") = "fr3",
           py::arg("joint_discontinuity_scale") = 1.0, py::arg("locked") = false,
           py::arg("recovery_time") = 0.0, py::arg("gravity") = robot::kTableGravity,
           py::arg("m_ee") = 0.0, py::arg("F_x_Cee") = Vec3{}, py::arg("I_ee") = Mat3{},
           py::arg("F_T_NE") = kIdentity4, py::arg("encoder_resolution") = 0.0,
           py::arg("velocity_noise") = 0.0, py::arg("torque_bias") = 0.0,
           py::arg("torque_noise") = 0.0, py::arg("seed") = 0, py::arg("friction_known") = 1.0,
           py::arg("tool") = "none", py::arg("hand_homed") = true,
           py::arg("hand_object_width") = 0.0, py::arg("hand_physics") = false,
           py::arg("vacuum_part") = false)
      .def_readonly("host", &Settings::host)
      .def_readonly("scale", &Settings::scale)
      .def_readonly("history", &Settings::history);

  py::class_<engine::Event>(m, "Event", "One message of the cycle to Python.")
      .def_property_readonly("kind", [](const engine::Event& e) { return kind_name(e.kind); })
      .def_readonly("token", &engine::Event::token)
      .def_property_readonly("status", [](const engine::Event& e) { return int{e.status}; })
      .def_readonly("cycle", &engine::Event::cycle)
      .def_property_readonly("data", &event_data);

  py::class_<Engine>(m, "Engine", "One world: a thread at 1 kHz, a robot, a plant.")
      .def(py::init([](const Settings& settings, plant::Plant& plant) {
             return std::make_unique<Engine>(settings, robot::kFr3, plant);
           }),
           py::arg("settings"), py::arg("plant"), py::keep_alive<1, 3>())
      .def("start", &Engine::start, py::call_guard<py::gil_scoped_release>())
      .def("stop", &Engine::stop, py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("udp_port", &Engine::udp_port)
      .def_property_readonly("event_fd", &Engine::event_fd)
      .def("attach", &attach_client, py::arg("ip"), py::arg("udp_port"), py::arg("version"))
      .def("detach",
           [](Engine& self) {
             if (!self.submit(engine::Detach{}))
               throw std::runtime_error("the request queue is full");
           })
      .def("submit", &submit_client, py::arg("token"), py::arg("version"), py::arg("command"),
           py::arg("payload"))
      .def("poll_events",
           [](Engine& self) {
             std::vector<engine::Event> events;
             for (engine::Event e; self.poll_event(e);) events.push_back(e);
             return events;
           })
      .def("snapshot", &snapshot_of)
      .def("history", &history_of, py::arg("n") = py::none())
      .def("lose", &Engine::lose, py::arg("n"))
      .def_property_readonly("began", [](const Engine& self) { return self.counters().began; })
      .def("restart",
           [](Engine& self) {
             if (!self.submit(engine::Restart{}))
               throw std::runtime_error("the request queue is full");
           })
      .def("ask_timing", &Engine::ask_timing)
      .def("take_timing", &take_timing)
      .def_property_readonly("losing", &Engine::losing)
      .def(
          "user_stop", [](Engine& e, bool on) { side(e, Kind::kUserStop, on); }, py::arg("pressed"))
      .def(
          "guiding", [](Engine& e, bool on) { side(e, Kind::kGuiding, on); }, py::arg("active"))
      .def(
          "brakes", [](Engine& e, bool on) { side(e, Kind::kBrakes, on); }, py::arg("closed"))
      .def("counters", &counters_of)
      .def("state_hash",
           [](const Engine& e) {
             const auto [value, cycles] = e.state_hash();
             return py::make_tuple(value, cycles);
           })
      .def("realtime_report", [](const Engine& e) {
        const engine::RealtimeReport& r = e.realtime_report();
        py::dict d;
        d["policy"] = r.fifo ? "SCHED_FIFO" : "SCHED_OTHER";
        d["priority"] = r.priority;
        d["locked"] = r.locked;
        d["cpu"] = r.cpu;
        d["error"] = r.error == 0 ? "" : std::strerror(r.error);
        return d;
      });
}

}  // namespace fsim::bind
