// NumPy dtypes that lie over the core's message and history structs.
#pragma once

#include <pybind11/numpy.h>

namespace fsim::bind {

/// wire::RobotState, fields by their wire names, every number float64.
pybind11::dtype state_dtype();
/// wire::RobotCommand.
pybind11::dtype command_dtype();
/// engine::CycleRecord: the state's fields, `command`, and the cycle's times and flags.
pybind11::dtype record_dtype();

}  // namespace fsim::bind
