// Functions that time parts of the core, and what they return. Must not know Python.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plant/plant.hpp"

namespace fsim::bench {

/// Nanoseconds of a call. A sample is the mean over one batch of calls: a single one would be
/// shorter than reading the clock.
using Samples = std::vector<double>;

/// A function of the core and the plain code that it is compared with, batches alternating.
struct Pair {
  Samples core;
  Samples plain;
};

/// Encode a state; plain: copy as many bytes.
Pair encode(std::size_t batches, std::size_t per_batch);
/// Close a cycle with one joint position command, all limits judged; plain: three backward
/// differences of seven joints and three comparisons of each.
Pair judge(std::size_t batches, std::size_t per_batch);
/// Hash the body of a state, and record a cycle in the history; no plain code.
Samples hash(std::size_t batches, std::size_t per_batch);
Samples record(std::size_t batches, std::size_t per_batch);
/// Everything the model side evaluates in a cycle: kinematics, gravity, mass matrix, Jacobian.
Samples model(std::size_t batches, std::size_t per_batch);

/// Each one entry a cycle [ns].
struct CycleTimes {
  Samples whole;   ///< from collecting the command to the last event
  Samples plant;   ///< the physics step in it
  Samples socket;  ///< a receive of one command and a send of one state, measured apart
};

/// Cycles without any waiting, on the calling thread, over a loopback socket. `moving`: in
/// lockstep, following a joint velocity command a cycle; else idle, holding the arm. A client's own
/// system calls lie between the cycles and are not in the figures. Throws std::runtime_error when
/// the motion does not start or ends by itself.
CycleTimes cycle(plant::Plant& plant, std::size_t cycles, bool moving);

/// CLOCK_MONOTONIC [ns].
std::int64_t now_ns() noexcept;

}  // namespace fsim::bench
