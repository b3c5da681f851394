// SCHED_FIFO, affinity, mlock.
#include "engine/realtime.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <cerrno>

namespace fsim::engine {

RealtimeReport acquire_realtime(const Settings& settings, const void* memory,
                                std::size_t size) noexcept {
  RealtimeReport report;
  const auto refused = [&report](int error) {
    if (report.error == 0) report.error = error;
  };
  if (settings.cpu >= 0) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(settings.cpu), &set);
    const int error = pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    if (error == 0)
      report.cpu = settings.cpu;
    else
      refused(error);
  }
  if (settings.realtime == RealtimeWish::kOff) return report;
  // Without FIFO the kernel may round a sleep up by 50 us; ask for none of that.
  prctl(PR_SET_TIMERSLACK, 1UL);
  sched_param param{};
  param.sched_priority = settings.priority;
  const int error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
  if (error == 0) {
    report.fifo = true;
    report.priority = settings.priority;
  } else {
    refused(error);
  }
  if (mlock(memory, size) == 0)
    report.locked = true;
  else
    refused(errno);
  return report;
}

}  // namespace fsim::engine
