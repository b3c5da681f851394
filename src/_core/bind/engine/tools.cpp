// The tool of an engine: protocol tables, and the methods of Engine that are about the tool:
// requests, inputs from the side, its newest state. Values are copied at the border.
#include <arpa/inet.h>
#include <pybind11/stl.h>

#include <cmath>

#include "engine/engine.hpp"
#include "engine/tool_request.hpp"
#include "registers.hpp"
#include "wire/tools.hpp"

namespace py = pybind11;

namespace fsim::bind {
namespace {

using engine::Engine;
using engine::ToolInput;

wire::ToolKind kind_named(const std::string& name) {
  if (name == "hand") return wire::ToolKind::kHand;
  if (name == "vacuum") return wire::ToolKind::kVacuum;
  throw py::value_error("tool: '" + name + "' is not one of hand, vacuum");
}

py::dict protocol_of(const std::string& kind) {
  const wire::ToolProtocol& p = wire::tool_protocol(kind_named(kind));
  py::dict commands;
  for (const wire::ToolCommandRow& row : p.commands) {
    py::dict statuses;
    if (row.id == 0)
      for (std::size_t i = 0; i < std::size(wire::kToolConnectStatuses); ++i)
        statuses[wire::kToolConnectStatuses[i]] = i;
    else
      for (std::size_t i = 0; i < std::size(wire::kToolStatuses); ++i)
        statuses[wire::kToolStatuses[i]] = i;
    py::dict entry;
    entry["id"] = row.id;
    entry["request_size"] = row.request_size;
    entry["reply_size"] = row.reply_size;
    entry["statuses"] = statuses;
    commands[row.name] = entry;
  }
  py::dict d;
  d["version"] = p.version;
  d["port"] = p.port;
  d["commands"] = commands;
  return d;
}

engine::ToolRequest request_of(const std::string& kind, std::uint32_t token, std::uint16_t command,
                               const py::bytes& payload) {
  char* at = nullptr;
  Py_ssize_t size = 0;
  PyBytes_AsStringAndSize(payload.ptr(), &at, &size);
  const wire::ToolKind tool = kind_named(kind);
  const auto request = wire::decode_tool_request(
      tool, command, {reinterpret_cast<const std::byte*>(at), static_cast<std::size_t>(size)});
  if (!request)
    throw py::value_error(kind + " has no command " + std::to_string(command) + " of " +
                          std::to_string(size) + " bytes");
  return engine::tool_request(token, tool, *request);
}

void submit(Engine& self, const engine::RequestRecord& record) {
  if (!self.submit(record)) throw std::runtime_error("too many outstanding requests");
}

engine::When when_of(const std::string& when, std::uint32_t cycles) {
  using Kind = engine::When::Kind;
  if (when == "now") return {Kind::kNow, 0};
  if (when == "after") return {Kind::kAfter, cycles};
  if (when == "motion") return {Kind::kMotion, cycles};
  throw py::value_error("when: '" + when + "' is not one of now, after, motion");
}

ToolInput::Kind input_named(const std::string& name) {
  if (name == "object") return ToolInput::Kind::kObject;
  if (name == "stall") return ToolInput::Kind::kStall;
  if (name == "temperature") return ToolInput::Kind::kTemperature;
  if (name == "power") return ToolInput::Kind::kPower;
  if (name == "device_status") return ToolInput::Kind::kDeviceStatus;
  throw py::value_error("input: '" + name + "' is unknown");
}

py::dict snapshot_of(const Engine& self) {
  const engine::ToolSnapshot s = self.tool_link().snapshot();
  py::dict d;
  d["cycle"] = s.cycle;
  d["waiting"] = s.waiting;
  d["width"] = s.hand.width;
  d["max_width"] = s.hand.max_width;
  d["is_grasped"] = s.hand.is_grasped;
  d["temperature"] = s.hand.temperature;
  d["force"] = s.hand.force;
  d["hand_state"] = gripper::name(s.hand.state);
  d["in_control_range"] = s.pump.in_control_range;
  d["part_detached"] = s.pump.part_detached;
  d["part_present"] = s.pump.part_present;
  d["device_status"] = static_cast<int>(s.pump.device_status);
  d["actual_power"] = s.pump.actual_power;
  d["vacuum"] = s.pump.vacuum;
  d["pump_state"] = gripper::name(s.pump.state);
  return d;
}

template <class State, class Input, class Transition>
py::list rows_of(std::size_t states, std::size_t inputs,
                 const Transition& (*transition)(State, Input) noexcept) {
  constexpr const char* kAnswers[] = {"none", "later", "success", "fail"};
  py::list rows;
  for (std::size_t s = 0; s < states; ++s)
    for (std::size_t i = 0; i < inputs; ++i) {
      const Transition& t = transition(static_cast<State>(s), static_cast<Input>(i));
      py::dict row;
      row["state"] = gripper::name(static_cast<State>(s));
      row["input"] = gripper::name(static_cast<Input>(i));
      row["to"] = gripper::name(t.to);
      row["answer"] = kAnswers[static_cast<std::size_t>(t.answer)];
      row["actions"] = static_cast<unsigned>(t.actions);
      row["source"] = t.source;
      rows.append(row);
    }
  return rows;
}

py::list transitions_of(const std::string& kind) {
  using namespace gripper;
  if (kind_named(kind) == wire::ToolKind::kHand)
    return rows_of<HandState, HandInput, HandTransition>(kHandStateCount, kHandInputCount,
                                                         &transition);
  return rows_of<PumpState, PumpInput, PumpTransition>(kPumpStateCount, kPumpInputCount,
                                                       &transition);
}

}  // namespace

void register_tools(py::module_& m) {
  m.def("tool_protocol", &protocol_of, py::arg("kind"));
  m.def("tool_transitions", &transitions_of, py::arg("kind"));
  m.def(
      "hand_start_width",
      [](bool homed) {
        engine::ToolSettings settings;
        settings.homed = homed;
        return engine::start_width(settings);
      },
      py::arg("homed"), "Width at which a hand starts [m].");
  // Defined by register_engine.
  auto cls = static_cast<py::class_<Engine>>(m.attr("Engine"));
  cls.def(
      "tool_attach",
      [](Engine& self, std::uint32_t connection, const std::string& ip, std::uint16_t port) {
        engine::ToolAttach attach;
        attach.connection = connection;
        attach.address.sin_family = AF_INET;
        attach.address.sin_port = htons(port);
        if (inet_pton(AF_INET, ip.c_str(), &attach.address.sin_addr) != 1)
          throw py::value_error("'" + ip + "' is not an IPv4 address");
        submit(self, attach);
      },
      py::arg("connection"), py::arg("ip"), py::arg("udp_port"));
  cls.def(
      "tool_detach",
      [](Engine& self, std::uint32_t connection) { submit(self, engine::ToolDetach{connection}); },
      py::arg("connection"));
  cls.def(
      "tool_submit",
      [](Engine& self, const std::string& kind, std::uint32_t token, std::uint16_t command,
         const py::bytes& payload, const std::string& when, std::uint32_t cycles) {
        const engine::ToolRequest request = request_of(kind, token, command, payload);
        if (when == "now") {
          submit(self, request);
          return;
        }
        ToolInput input;
        input.kind = ToolInput::Kind::kCommand;
        input.when = when_of(when, cycles);
        input.request = request;
        submit(self, input);
      },
      py::arg("kind"), py::arg("token"), py::arg("command"), py::arg("payload"),
      py::arg("when") = "now", py::arg("cycles") = 0);
  cls.def(
      "tool_input",
      [](Engine& self, const std::string& kind, double value, double stiffness,
         const std::string& when, std::uint32_t cycles) {
        if (!std::isfinite(value)) throw py::value_error(kind + ": not a finite number");
        ToolInput input;
        input.kind = input_named(kind);
        input.when = when_of(when, cycles);
        input.value = value;
        input.object.width = value;
        if (stiffness > 0) input.object.stiffness = stiffness;
        submit(self, input);
      },
      py::arg("kind"), py::arg("value"), py::arg("stiffness") = 0.0, py::arg("when") = "now",
      py::arg("cycles") = 0);
  cls.def_property_readonly("tool_event_fd",
                            [](const Engine& self) { return self.tool_link().event_fd(); });
  cls.def("poll_tool_events", [](Engine& self) {
    py::list events;
    for (engine::ToolEvent e; self.poll_tool_event(e);)
      events.append(py::make_tuple(e.token, static_cast<int>(e.outcome), e.cycle));
    return events;
  });
  cls.def("tool_snapshot", &snapshot_of);
  cls.def("tool_hash", [](const Engine& self) { return self.tool_link().hash(); });
  cls.def("tool_datagrams", [](const Engine& self) { return self.tool_link().sent(); });
}

}  // namespace fsim::bind
