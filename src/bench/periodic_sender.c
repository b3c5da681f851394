// The reference for the realtime clock: a bare loop that sends 1377 bytes on an absolute 1 kHz
// grid. It does nothing else, so its periods are what this machine and scheduling class allow.
//
//   periodic_sender HOST PORT COUNT other|fifo[:PRIORITY]|rr[:PRIORITY] [CPU]
//
// Exit code 3 if the scheduling class was refused.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>

enum { kStateSize = 1377, kPeriodNs = 1000000, kDefaultPriority = 80 };

int main(int argc, char** argv) {
  if (argc < 5) {
    fprintf(stderr,
            "usage: periodic_sender HOST PORT COUNT other|fifo[:PRIORITY]|rr[:PRIORITY] [CPU]\n");
    return 2;
  }
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[2]))};
  if (inet_pton(AF_INET, argv[1], &to.sin_addr) != 1) return 2;
  const uint64_t count = strtoull(argv[3], NULL, 10);
  if (strncmp(argv[4], "other", 5) != 0) {
    const char* colon = strchr(argv[4], ':');
    const struct sched_param parameter = {.sched_priority =
                                              colon ? atoi(colon + 1) : kDefaultPriority};
    if (sched_setscheduler(0, argv[4][0] == 'r' ? SCHED_RR : SCHED_FIFO, &parameter) != 0) {
      perror(argv[4]);
      return 3;
    }
    mlockall(MCL_CURRENT | MCL_FUTURE);  // best effort, as for the server
  }
  prctl(PR_SET_TIMERSLACK, 1UL);  // as the server does; matters without a real-time class only
  if (argc > 5) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)atoi(argv[5]), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) perror("pin");
  }
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  if (fd < 0 || connect(fd, (struct sockaddr*)&to, sizeof to) != 0) return 2;

  uint8_t state[kStateSize] = {0};
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (uint64_t id = 1; id <= count; ++id) {
    next.tv_nsec += kPeriodNs;
    if (next.tv_nsec >= 1000000000) {
      next.tv_nsec -= 1000000000;
      ++next.tv_sec;
    }
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL) == EINTR) {
    }
    memcpy(state, &id, sizeof id);
    if (send(fd, state, sizeof state, 0) < 0 && errno != ECONNREFUSED) {
      perror("send");
      return 2;
    }
  }
  return 0;
}
