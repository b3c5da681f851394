// Real-time rights of the calling thread. Must not be called from a cycle.
#pragma once

#include <cstddef>

#include "engine/settings.hpp"

namespace fsim::engine {

/// What was obtained; Python prints it in the start line.
struct RealtimeReport {
  bool fifo = false;  ///< SCHED_FIFO with `priority`
  int priority = 0;
  bool locked = false;  ///< the core's pages are locked in memory
  int cpu = -1;         ///< pinned to this processor; -1: not pinned
  int error = 0;        ///< errno of the first refusal
};

/// Give the calling thread what `settings` asks for and the system allows, and lock `size` bytes at
/// `memory`. With RealtimeWish::kOff nothing but the pin is asked for.
RealtimeReport acquire_realtime(const Settings& settings, const void* memory,
                                std::size_t size) noexcept;

}  // namespace fsim::engine
