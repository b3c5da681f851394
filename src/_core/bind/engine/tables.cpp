// Read-only views of the core's tables for Python, the documentation and the tests.
#include <pybind11/stl.h>

#include "gripper/assumed.hpp"
#include "judge/assumed.hpp"
#include "judge/judge.hpp"
#include "judge/unraised.hpp"
#include "motion/machine.hpp"
#include "registers.hpp"
#include "robot/fields.hpp"
#include "robot/model.hpp"
#include "wire/commands.hpp"
#include "wire/layout.hpp"

namespace py = pybind11;

namespace fsim::bind {
namespace {

const char* type_name(wire::WireType type) {
  switch (type) {
    case wire::WireType::kU64:
      return "uint64";
    case wire::WireType::kU32:
      return "uint32";
    case wire::WireType::kU16:
      return "uint16";
    case wire::WireType::kI32:
      return "int32";
    case wire::WireType::kF32:
      return "float32";
    case wire::WireType::kF64:
      return "float64";
    case wire::WireType::kU8:
      return "uint8";
    case wire::WireType::kBool:
      return "bool8";
  }
  return "";
}

py::list fields_of(const wire::Layout* layout, unsigned version) {
  if (layout == nullptr)
    throw py::value_error("FCI version " + std::to_string(version) + " is not built in");
  py::list rows;
  std::size_t offset = 0;
  for (const wire::FieldRow& f : layout->fields) {
    rows.append(py::make_tuple(f.name, type_name(f.type), f.count, offset));
    offset += wire::size_of(f.type) * f.count;
  }
  return rows;
}

py::dict commands_of(unsigned version) {
  const auto* table = wire::commands(version);
  if (table == nullptr)
    throw py::value_error("FCI version " + std::to_string(version) + " is not built in");
  py::dict result;
  for (const wire::CommandRow& row : *table) {
    py::dict statuses;
    for (std::size_t i = 0; i < row.statuses.size(); ++i) statuses[wire::name(row.statuses[i])] = i;
    py::dict entry;
    entry["id"] = row.id;
    entry["request_size"] = row.request_size;
    entry["reply_size"] = row.reply_size;
    entry["statuses"] = statuses;
    result[row.name] = entry;
  }
  return result;
}

py::list transitions() {
  constexpr const char* kAnswers[] = {"none", "success", "not_possible", "started", "at_rest"};
  py::list rows;
  for (std::size_t s = 0; s < motion::kStateCount; ++s)
    for (std::size_t i = 0; i < motion::kInputCount; ++i) {
      const auto state = static_cast<motion::State>(s);
      const auto in = static_cast<motion::Input>(i);
      const motion::Transition& t = motion::transition(state, in);
      py::dict row;
      row["state"] = motion::name(state);
      row["input"] = motion::name(in);
      row["to"] = motion::name(t.to);
      row["answer"] = kAnswers[static_cast<std::size_t>(t.answer)];
      row["actions"] = t.actions;
      row["source"] = t.source;
      rows.append(row);
    }
  return rows;
}

py::dict limits_of(const robot::JointLimits& l) {
  py::dict d;
  d["lower"] = l.lower;
  d["upper"] = l.upper;
  d["velocity"] = l.velocity;
  d["acceleration"] = l.acceleration;
  d["jerk"] = l.jerk;
  d["torque"] = l.torque;
  d["torque_rate"] = l.torque_rate;
  d["velocity_offset"] = l.velocity_offset;
  d["deceleration"] = l.deceleration;
  d["position_based"] = l.position_based;
  return d;
}

const robot::RobotType& robot_named(const std::string& name) {
  const robot::RobotType* type = robot::find_robot(name.c_str());
  if (type == nullptr) throw py::value_error("robot: '" + name + "' is not built in; known: fr3");
  return *type;
}

/// The controller side's model, for tests and offline tools.
py::dict model_of(const std::string& name, const Vec7& q, const Vec7& dq, double m, const Vec3& c,
                  const Mat3& I) {
  const robot::RobotType& type = robot_named(name);
  robot::ArmState arm;
  robot::evaluate(type, q, dq, {m, c, I}, {0, 0, -9.81}, arm);
  py::dict d;
  d["O_T_F"] = arm.O_T_F;
  d["O_T_J"] = arm.O_T_J;
  d["J_F"] = arm.J_F;
  d["M"] = arm.M;
  d["coriolis"] = arm.coriolis;
  d["gravity"] = arm.gravity;
  d["elbow"] = robot::elbow(type, q);
  return d;
}

}  // namespace

void register_tables(py::module_& m) {
  m.def(
      "error_names",
      [] {
        py::tuple names(wire::kErrorCount);
        for (std::size_t i = 0; i < wire::kErrorCount; ++i)
          names[i] = std::string(wire::kErrorNames[i]);
        return names;
      },
      "The robot's 41 error names in index order (wire.md 8).");
  m.def(
      "wire_fields", [](unsigned v) { return fields_of(wire::state_layout(v), v); },
      py::arg("version"), "RobotState fields of an FCI version: (name, type, count, offset).");
  m.def(
      "command_fields", [](unsigned v) { return fields_of(wire::command_layout(v), v); },
      py::arg("version"), "RobotCommand fields of an FCI version: (name, type, count, offset).");
  m.def("commands", &commands_of, py::arg("version"), "TCP commands of an FCI version by name.");
  m.def(
      "field_meanings",
      [] {
        py::list rows;
        for (const robot::FieldMeaning& f : robot::field_meanings())
          rows.append(
              py::make_tuple(f.name, f.unit, f.frame, robot::name(f.origin), f.meaning, f.source));
        return rows;
      },
      "Meaning of every RobotState field: (name, unit, frame, origin, meaning, source).");
  m.def("transitions", &transitions, "The motion state machine, one row a (state, input) pair.");
  m.def(
      "checks",
      [] {
        py::list rows;
        for (const judge::CheckRow& r : judge::checks())
          rows.append(py::make_tuple(r.signal, r.condition, r.unit,
                                     std::string(wire::name(r.error)), r.source));
        return rows;
      },
      "What is judged, in precedence order: (signal, condition, unit, error, source).");
  m.def(
      "assumed",
      [] {
        py::list rows;
        for (const judge::Assumption& a : judge::kAssumed)
          rows.append(py::make_tuple(a.id, a.what, a.why, a.wrong_if, a.test));
        for (const gripper::Assumption& a : gripper::kAssumed)
          rows.append(py::make_tuple(a.id, a.what, a.why, a.wrong_if, a.test));
        return rows;
      },
      "Decisions that no document settles: (id, what, why, what would show it wrong, test).");
  m.def(
      "unraised",
      [] {
        py::list rows;
        for (const judge::Unraised& u : judge::kUnraised)
          rows.append(py::make_tuple(std::string(wire::name(u.error)), u.reason));
        return rows;
      },
      "Errors that are never raised: (error, reason).");
  m.def(
      "joint_limits", [](const std::string& name) { return limits_of(robot_named(name).limits); },
      py::arg("robot"), "Nominal joint limits: what Control checks (rad, s, Nm).");
  m.def(
      "ready_pose", [](const std::string& name) { return robot_named(name).q_ready; },
      py::arg("robot"), "Start pose [rad].");
  m.def("model", &model_of, py::arg("robot"), py::arg("q"), py::arg("dq"), py::arg("mass") = 0.0,
        py::arg("F_x_C") = Vec3{}, py::arg("inertia") = Mat3{},
        "The controller's own model at (q, dq) with a load at the flange; arrays column-major.");
}

}  // namespace fsim::bind
