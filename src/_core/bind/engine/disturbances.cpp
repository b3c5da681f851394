// What a script does to the world of an Engine: pushes, changed bodies. Checked in Python
// (franka_sim.world).
#include <pybind11/stl.h>

#include <stdexcept>
#include <string>

#include "engine/engine.hpp"
#include "registers.hpp"

namespace py = pybind11;

namespace fsim::bind {
namespace {

using engine::Engine;
using engine::Push;

Push::Anchor anchor_named(const std::string& name) {
  if (name == "link") return Push::Anchor::kLink;
  if (name == "flange") return Push::Anchor::kFlange;
  if (name == "EE") return Push::Anchor::kEE;
  throw py::value_error("anchor: '" + name + "' is not one of link, flange, EE");
}

engine::PushShape shape_named(const std::string& name) {
  if (name == "step") return engine::PushShape::kStep;
  if (name == "ramp") return engine::PushShape::kRamp;
  if (name == "pulse") return engine::PushShape::kPulse;
  throw py::value_error("shape: '" + name + "' is not one of step, ramp, pulse");
}

engine::PushStart start_named(const std::string& name) {
  if (name == "now") return engine::PushStart::kNow;
  if (name == "cycle") return engine::PushStart::kAtCycle;
  if (name == "motion_cycle") return engine::PushStart::kAtMotionCycle;
  throw py::value_error("start: '" + name + "' is not one of now, cycle, motion_cycle");
}

template <class Record>
void submit(Engine& self, const Record& record) {
  if (!self.submit(record)) throw std::runtime_error("the request queue is full");
}

void push(Engine& self, std::uint8_t link, const std::string& anchor, bool in_O, const Vec3& force,
          const Vec3& torque, const Vec3& point, const std::string& shape, const std::string& start,
          std::uint64_t cycle, std::optional<std::uint64_t> duration, std::uint64_t rise) {
  if (link >= plant::kLinks) throw py::value_error("link: at most 7");
  Push p;
  p.link = link;
  p.anchor = anchor_named(anchor);
  p.in_O = in_O;
  p.force = force;
  p.torque = torque;
  p.point = point;
  p.shape = shape_named(shape);
  p.start = start_named(start);
  p.cycle = cycle;
  p.duration = duration.value_or(Push::kForever);
  p.rise = rise;
  submit(self, p);
}

}  // namespace

void register_disturbances(py::module_& m) {
  auto engine = py::reinterpret_borrow<py::class_<Engine>>(m.attr("Engine"));
  engine
      .def("push", &push, py::kw_only(), py::arg("link"), py::arg("anchor"), py::arg("in_O"),
           py::arg("force"), py::arg("torque"), py::arg("point"), py::arg("shape"),
           py::arg("start"), py::arg("cycle"), py::arg("duration"), py::arg("rise"))
      .def("stir", [](Engine& self) { submit(self, engine::Stir{}); })
      .def_property_readonly("plant", &Engine::plant, py::return_value_policy::reference)
      .def("release", [](Engine& self) { submit(self, engine::ReleasePushes{}); });
}

}  // namespace fsim::bind
