// One function a category of bound things; module.cpp calls them in order.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>

namespace fsim::engine {
class Engine;
struct TimingSummary;
}  // namespace fsim::engine

namespace fsim::bind {

void register_tables(pybind11::module_& m);
void register_codec(pybind11::module_& m);
void register_plants(pybind11::module_& m);
void register_engine(pybind11::module_& m);
void register_timing(pybind11::module_& m);
void register_disturbances(pybind11::module_& m);  // adds to the Engine of register_engine
void register_tools(pybind11::module_& m);

/// Of Engine and Event; in timing.cpp.
std::optional<pybind11::dict> take_timing(engine::Engine& engine);
pybind11::dict timing_summary(const engine::TimingSummary& summary);

}  // namespace fsim::bind
