// _timing: the timing functions as Python sees them. Thin: measuring is in kernels.cpp and
// cycle.cpp.
#include "timing.hpp"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace py = pybind11;

namespace fsim::bench {
namespace {

py::array_t<double> array(const Samples& samples) {
  return py::array_t<double>(static_cast<py::ssize_t>(samples.size()), samples.data());
}

using Kernel = Samples (*)(std::size_t, std::size_t);
using PairOf = Pair (*)(std::size_t, std::size_t);

void add(py::module_& m, const char* name, Kernel kernel, const char* doc) {
  m.def(
      name,
      [kernel](std::size_t batches, std::size_t per_batch) {
        Samples samples;
        {
          const py::gil_scoped_release release;
          samples = kernel(batches, per_batch);
        }
        return array(samples);
      },
      py::arg("batches"), py::arg("per_batch"), doc);
}

void add(py::module_& m, const char* name, PairOf kernel, const char* doc) {
  m.def(
      name,
      [kernel](std::size_t batches, std::size_t per_batch) {
        Pair pair;
        {
          const py::gil_scoped_release release;
          pair = kernel(batches, per_batch);
        }
        return py::make_tuple(array(pair.core), array(pair.plain));
      },
      py::arg("batches"), py::arg("per_batch"), doc);
}

}  // namespace

PYBIND11_MODULE(_timing, m) {
  m.doc() = "Times parts of the core one by one, in nanoseconds.";
  py::module_::import("franka_sim._engine");  // registers Plant
  add(m, "encode", &encode, "Encode a state: (core, plain copy) [ns], one entry a batch.");
  add(m, "judge", &judge, "Judge a joint command: (core, plain differences) [ns].");
  add(m, "hash", &hash, "Hash one state [ns].");
  add(m, "record", &record, "Append one cycle to the history [ns].");
  add(m, "model", &model, "Evaluate the robot's model once [ns].");
  m.def(
      "cycle",
      [](plant::Plant& plant, std::size_t cycles, bool moving) {
        CycleTimes times;
        {
          const py::gil_scoped_release release;
          times = cycle(plant, cycles, moving);
        }
        return py::make_tuple(array(times.whole), array(times.plant), array(times.socket));
      },
      py::arg("plant"), py::arg("cycles"), py::arg("moving"),
      "Cycles without waiting: (whole, physics step, socket calls measured apart) [ns].");
}

}  // namespace fsim::bench
