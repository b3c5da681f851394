// One function a category of bound things; module.cpp calls them in order.
#pragma once

#include <pybind11/pybind11.h>

namespace fsim::bind {

void register_tables(pybind11::module_& m);
void register_codec(pybind11::module_& m);
void register_plants(pybind11::module_& m);
void register_engine(pybind11::module_& m);
void register_disturbances(pybind11::module_& m);  // adds to the Engine of register_engine

}  // namespace fsim::bind
