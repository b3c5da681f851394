// Measures how evenly states arrive, by the kernel's receive timestamps, so that the measuring
// process' own scheduling does not count.
//
//   state_periods listen COUNT                   bare datagrams; prints {"port": N} first
//   state_periods connect HOST PORT COUNT idle   an FCI session that only reads
//   state_periods connect HOST PORT COUNT move   one that drives joint 1 back and forth
//
// Prints one line of JSON: percentiles of |period - 1 ms| in microseconds, and id gaps.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>

enum { kStateSize = 1377, kCommandSize = 371, kWarmUp = 200, kWatchdogS = 10, kModeMove = 2 };

static int udp_fd, tcp_fd = -1;
static uint8_t state[2048];
static struct sockaddr_in state_source;
static uint32_t next_id;

static void die(const char* what) {
  fprintf(stderr, "state_periods: %s: %s\n", what, errno ? strerror(errno) : "unexpected");
  exit(2);
}

static uint32_t send_request(uint32_t command, const void* payload, uint32_t size) {
  uint8_t message[256];
  const uint32_t header[3] = {command, next_id, 12 + size};
  memcpy(message, header, 12);
  memcpy(message + 12, payload, size);
  if (send(tcp_fd, message, 12 + size, 0) != (ssize_t)(12 + size)) die("send request");
  return next_id++;
}

static int read_reply(uint32_t id) {
  uint8_t message[64];
  uint32_t header[3];
  if (recv(tcp_fd, header, 12, MSG_WAITALL) != 12) die("read a reply");
  if (header[1] != id || header[2] < 13 || header[2] > sizeof message)
    die("a reply to something else");
  if (recv(tcp_fd, message, header[2] - 12, MSG_WAITALL) != (ssize_t)(header[2] - 12))
    die("read a reply");
  return message[0];
}

// Receives one state; returns the kernel's arrival time in nanoseconds.
static int64_t receive(void) {
  struct iovec data = {.iov_base = state, .iov_len = sizeof state};
  union {
    char bytes[CMSG_SPACE(sizeof(struct timespec))];
    struct cmsghdr align;
  } control;
  struct msghdr message = {.msg_name = &state_source,
                           .msg_namelen = sizeof state_source,
                           .msg_iov = &data,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
  if (recvmsg(udp_fd, &message, 0) != kStateSize) die("receive a state");
  for (struct cmsghdr* part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS) {
      struct timespec stamp;
      memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
      return 1000000000LL * stamp.tv_sec + stamp.tv_nsec;
    }
  }
  die("no kernel timestamp");
  return 0;
}

static uint64_t state_id(void) {
  uint64_t id;
  memcpy(&id, state, 8);
  return id;
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double percentile(const double* sorted, long n, double p) {
  const long index = (long)(p * (double)(n - 1) + 0.5);
  return sorted[index];
}

static void answer(uint64_t k) {
  uint8_t command[kCommandSize] = {0};
  // 0.2 rad/s at most, 0.5 Hz, from rest: far inside every limit.
  const double dq = 0.1 * (1.0 - cos(2.0 * 3.14159265358979323846 * 0.5 * 1e-3 * (double)k));
  const double signed_dq = (k / 2000) % 2 ? -dq : dq;
  memcpy(command, state, 8);
  memcpy(command + 64, &signed_dq, 8);
  sendto(udp_fd, command, sizeof command, 0, (struct sockaddr*)&state_source, sizeof state_source);
}

int main(int argc, char** argv) {
  const int listening = argc == 3 && strcmp(argv[1], "listen") == 0;
  if (!listening && !(argc == 6 && strcmp(argv[1], "connect") == 0)) {
    fprintf(stderr, "usage: state_periods listen COUNT | connect HOST PORT COUNT idle|move\n");
    return 2;
  }
  const long count = atol(argv[listening ? 2 : 4]);
  const int moving = !listening && strcmp(argv[5], "move") == 0;
  const int one = 1, buffer = 1 << 22;
  const struct timeval watchdog = {.tv_sec = kWatchdogS};
  struct sockaddr_in mine = {.sin_family = AF_INET};
  socklen_t length = sizeof mine;
  udp_fd = socket(AF_INET, SOCK_DGRAM, 0);
  if (udp_fd < 0 || bind(udp_fd, (struct sockaddr*)&mine, sizeof mine) != 0) die("bind");
  getsockname(udp_fd, (struct sockaddr*)&mine, &length);
  setsockopt(udp_fd, SOL_SOCKET, SO_RCVTIMEO, &watchdog, sizeof watchdog);
  setsockopt(udp_fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
  if (setsockopt(udp_fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one) != 0) die("SO_TIMESTAMPNS");

  if (listening) {
    printf("{\"port\": %u}\n", ntohs(mine.sin_port));
    fflush(stdout);
  } else {
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[3]))};
    if (inet_pton(AF_INET, argv[2], &server.sin_addr) != 1) die("the address");
    tcp_fd = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(tcp_fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(tcp_fd, SOL_SOCKET, SO_RCVTIMEO, &watchdog, sizeof watchdog);
    if (connect(tcp_fd, (struct sockaddr*)&server, sizeof server) != 0) die("connect");
    const uint16_t hello[2] = {10, ntohs(mine.sin_port)};
    if (read_reply(send_request(0, hello, sizeof hello)) != 0) die("Connect was refused");
    if (moving) {
      uint8_t move[113] = {0};
      const uint32_t modes[2] = {0, 1};  // joint impedance, joint velocity
      const double deviation[3] = {10.0, 3.12, 6.283185307179586};
      memcpy(move, modes, 8);
      memcpy(move + 8, deviation, 24);
      memcpy(move + 32, deviation, 24);
      if (read_reply(send_request(1, move, sizeof move)) != 1) die("Move was refused");
      do {
        receive();
      } while (state[1372] != kModeMove);
    }
  }

  double* deviation = malloc(sizeof(double) * (size_t)count);
  if (!deviation) die("memory");
  int64_t last = 0;
  uint64_t last_id = 0, gaps = 0;
  long kept = 0;
  for (long k = 0; kept < count; ++k) {
    const int64_t stamp = receive();
    if (moving) {
      if (state[1372] != kModeMove) die("the motion ended");
      answer((uint64_t)k);
    }
    if (k > kWarmUp) {
      deviation[kept++] = fabs((double)(stamp - last) - 1e6) * 1e-3;
      gaps += state_id() - last_id - 1;
    }
    last = stamp;
    last_id = state_id();
  }
  qsort(deviation, (size_t)count, sizeof(double), by_value);
  printf(
      "{\"count\": %ld, \"p50_us\": %.2f, \"p90_us\": %.2f, \"p99_us\": %.2f, \"p999_us\": %.2f, "
      "\"max_us\": %.2f, \"gaps\": %llu}\n",
      count, percentile(deviation, count, 0.5), percentile(deviation, count, 0.9),
      percentile(deviation, count, 0.99), percentile(deviation, count, 0.999), deviation[count - 1],
      (unsigned long long)gaps);
  if (tcp_fd >= 0) shutdown(tcp_fd, SHUT_RDWR);
  return 0;
}
