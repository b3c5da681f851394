// The floor of a lockstep cycle: two processes on loopback exchange datagrams of the protocol's
// sizes (1377 out, 371 back) and do nothing else.
//
//   udp_ping_pong spin|block ROUNDS
//
// Prints one line of JSON: rounds, seconds, cycles per second.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { kStateSize = 1377, kCommandSize = 371, kWatchdogS = 10 };

static void die(const char* what) {
  perror(what);
  exit(2);
}

static int bound_socket(struct sockaddr_in* address) {
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  const struct timeval watchdog = {.tv_sec = kWatchdogS};
  socklen_t length = sizeof *address;
  *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (fd < 0 || bind(fd, (struct sockaddr*)address, sizeof *address) != 0) die("bind");
  if (getsockname(fd, (struct sockaddr*)address, &length) != 0) die("getsockname");
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &watchdog, sizeof watchdog);
  return fd;
}

static void receive(int fd, uint8_t* into, ssize_t expected, int spin) {
  for (uint32_t tries = 1; tries != 0; ++tries) {
    const ssize_t got = recv(fd, into, 2048, spin ? MSG_DONTWAIT : 0);
    if (got == expected) return;
    if (got >= 0 || !spin || (errno != EAGAIN && errno != EWOULDBLOCK)) die("receive");
  }
  die("nothing arrives");
}

static void transmit(int fd, const uint8_t* data, size_t size, const struct sockaddr_in* to) {
  if (sendto(fd, data, size, 0, (const struct sockaddr*)to, sizeof *to) != (ssize_t)size)
    die("send");
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: udp_ping_pong spin|block ROUNDS\n");
    return 2;
  }
  const int spin = strcmp(argv[1], "spin") == 0;
  const long rounds = atol(argv[2]);
  uint8_t state[2048] = {0}, command[2048] = {0};
  struct sockaddr_in here, there;
  const int near = bound_socket(&here), far = bound_socket(&there);

  const pid_t child = fork();
  if (child < 0) die("fork");
  if (child == 0) {
    for (long i = 0; i < rounds; ++i) {
      receive(far, state, kStateSize, spin);
      memcpy(command, state, 8);
      transmit(far, command, kCommandSize, &here);
    }
    _exit(0);
  }
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (long i = 0; i < rounds; ++i) {
    memcpy(state, &i, sizeof i);
    transmit(near, state, kStateSize, &there);
    receive(near, command, kCommandSize, spin);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) die("the far end");
  const double seconds =
      (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
  printf("{\"rounds\": %ld, \"seconds\": %.6f, \"cycles_per_s\": %.1f}\n", rounds, seconds,
         (double)rounds / seconds);
  return 0;
}
