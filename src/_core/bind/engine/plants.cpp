// Plants for the engine. Addresses come from Python, which keeps the objects alive.
#include <dlfcn.h>
#include <pybind11/stl.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "plant/mujoco_plant.hpp"
#include "registers.hpp"

namespace py = pybind11;

namespace fsim::bind {
namespace {

using Address = std::uintptr_t;

template <class F>
F symbol(void* library, const char* name) {
  void* at = dlsym(library, name);
  if (at == nullptr) throw std::runtime_error(std::string("libmujoco has no ") + name);
  return reinterpret_cast<F>(at);
}

/// The library that the installed mujoco package has loaded already; it is not loaded a second
/// time.
void* loaded(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) throw std::runtime_error("libmujoco is not loaded: " + path);
  return library;
}

std::unique_ptr<plant::MujocoPlant> make(
    const std::string& path, Address model, Address data, const py::dict& arrays, int nv,
    const std::array<int, 7>& qpos, const std::array<int, 7>& dof,
    const std::array<int, 7>& actuator, const std::array<int, 7>& torque_sensor,
    const std::array<int, 8>& bodies, const py::object&, const py::dict& fingers) {
  void* library = loaded(path);
  const auto array = [&arrays](const char* name) {
    return reinterpret_cast<double*>(arrays[name].cast<Address>());
  };
  plant::MujocoHandles h;
  h.model = reinterpret_cast<void*>(model);
  h.data = reinterpret_cast<void*>(data);
  h.step = symbol<void (*)(const void*, void*)>(library, "mj_step");
  h.forward = symbol<void (*)(const void*, void*)>(library, "mj_forward");
  h.reset_data = symbol<void (*)(const void*, void*)>(library, "mj_resetData");
  h.kinematics = symbol<void (*)(const void*, void*)>(library, "mj_kinematics");
  h.qpos = array("qpos");
  h.qvel = array("qvel");
  h.qacc = array("qacc");
  h.ctrl = array("ctrl");
  h.sensordata = array("sensordata");
  h.xfrc_applied = array("xfrc_applied");
  h.xpos = array("xpos");
  h.xmat = array("xmat");
  h.xipos = array("xipos");
  h.nv = nv;
  h.qpos_index = qpos;
  h.dof_index = dof;
  h.actuator_index = actuator;
  h.torque_sensor_index = torque_sensor;
  h.body_index = bodies;
  h.fingers = !fingers.empty();
  if (h.fingers) {
    h.finger_qpos = fingers["qpos"].cast<std::array<int, 2>>();
    h.finger_dof = fingers["dof"].cast<std::array<int, 2>>();
    h.finger_actuator = fingers["actuator"].cast<std::array<int, 2>>();
    h.finger_start = fingers["start"].cast<double>();
  }
  return std::make_unique<plant::MujocoPlant>(h);
}

}  // namespace

void register_plants(py::module_& m) {
  py::class_<plant::Plant>(m, "Plant", "Physics behind an engine.");
  py::class_<plant::MujocoPlant, plant::Plant>(
      m, "MujocoPlant", "A MuJoCo model stepped by the core, one step a cycle.")
      .def(py::init(&make), py::arg("library"), py::arg("model"), py::arg("data"),
           py::arg("arrays"), py::arg("nv"), py::arg("qpos"), py::arg("dof"), py::arg("actuator"),
           py::arg("torque_sensor"), py::arg("bodies"), py::arg("owner"),
           py::arg("fingers") = py::dict(), py::keep_alive<1, 12>(),
           "`owner` holds model and data; it lives as long as the plant.")
      .def(
          "offer",
          [](plant::MujocoPlant& self, Address model) {
            self.offer(reinterpret_cast<const void*>(model));
          },
          py::arg("model"),
          "Go on with another model of the same structure from the next step; any thread.")
      .def_property_readonly("model", [](const plant::MujocoPlant& self) {
        return reinterpret_cast<Address>(self.model());
      });
}

}  // namespace fsim::bind
