// A fast FCI v10 client that plays recorded samples: the lockstep client of benchmarks, and the
// second, independent client of the determinism tests. Answers each state once; decides nothing.
//
//   raw_client HOST PORT SCRIPT [spin|block] [pause_every pause_ms]
//
// SCRIPT (little endian): u32 motions; for each u32 kind, u32 controller, u32 n, then n x 7 f64.
//   kind 0  joint position, offsets from q_d at the start
//   kind 1  joint velocity
//   kind 2  torque, PD towards the offsets from q at the start (gains below)
// Prints one line of JSON: cycles answered, seconds in motion, cycles per second, status a motion.
// Exit code 0 if every motion ended with kSuccess, 1 if one did not, 2 for anything else.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { kStateSize = 1377, kCommandSize = 371, kWatchdogS = 30 };
enum {
  kQ = 596,
  kQd = 624,
  kDq = 652,
  kGenerator = 1288,
  kController = 1289,
  kMode = 1372,
  kRate = 1373
};
enum { kCmdQ = 8, kCmdDq = 64, kMotionFinished = 313, kCmdTau = 314, kTorqueFinished = 370 };
enum { kModeMove = 2 };

static const double kKp[7] = {120, 120, 120, 120, 40, 30, 20};  // Nm/rad, chosen: soft and calm
static const double kKd[7] = {15, 15, 15, 15, 5, 4, 3};         // Nm s/rad, chosen

static int tcp_fd, udp_fd, spin;
static struct sockaddr_in state_source;
static uint8_t state[2048];
static uint32_t next_id;

static void die(const char* what) {
  fprintf(stderr, "raw_client: %s: %s\n", what, errno ? strerror(errno) : "unexpected");
  exit(2);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- TCP ----

static void put_u32(uint8_t* at, uint32_t value) { memcpy(at, &value, 4); }

static uint32_t send_request(uint32_t command, const uint8_t* payload, uint32_t size) {
  uint8_t message[512];
  const uint32_t id = next_id++;
  put_u32(message, command);
  put_u32(message + 4, id);
  put_u32(message + 8, 12 + size);
  memcpy(message + 12, payload, size);
  if (send(tcp_fd, message, 12 + size, 0) != (ssize_t)(12 + size)) die("send request");
  return id;
}

static int read_reply(uint32_t id) {
  uint8_t message[512];
  uint32_t size, got_id;
  if (recv(tcp_fd, message, 12, MSG_WAITALL) != 12) die("read a reply");
  memcpy(&got_id, message + 4, 4);
  memcpy(&size, message + 8, 4);
  if (size < 13 || size > sizeof message || got_id != id) die("a reply to something else");
  if (recv(tcp_fd, message + 12, size - 12, MSG_WAITALL) != (ssize_t)(size - 12))
    die("read a reply");
  return message[12];
}

// ---- UDP ----

static uint64_t state_id(void) {
  uint64_t id;
  memcpy(&id, state, 8);
  return id;
}

static void check_state(ssize_t got) {
  if (got != kStateSize) die("a state of another size");
}

static void read_state(void) {
  socklen_t length = sizeof state_source;
  if (spin) {
    for (uint32_t tries = 1;; ++tries) {
      ssize_t got = recvfrom(udp_fd, state, sizeof state, MSG_DONTWAIT,
                             (struct sockaddr*)&state_source, &length);
      if (got >= 0) return check_state(got);
      if (errno != EAGAIN && errno != EWOULDBLOCK) die("receive a state");
      if (tries == 0) die("no state");
    }
  }
  ssize_t got = recvfrom(udp_fd, state, sizeof state, 0, (struct sockaddr*)&state_source, &length);
  if (got < 0) die("receive a state");
  check_state(got);
}

static void drain(void) {
  for (;;) {
    uint8_t newer[2048];
    ssize_t got = recv(udp_fd, newer, sizeof newer, MSG_DONTWAIT);
    if (got < 0) return;
    check_state(got);
    memcpy(state, newer, kStateSize);
  }
}

static void send_command(uint8_t* command) {
  memcpy(command, state, 8);  // the id of the state that is answered
  if (sendto(udp_fd, command, kCommandSize, 0, (struct sockaddr*)&state_source,
             sizeof state_source) != kCommandSize)
    die("send a command");
}

static float f32_at(int offset, int index) {
  float value;
  memcpy(&value, state + offset + 4 * index, 4);
  return value;
}

// ---- one motion ----

typedef struct {
  uint32_t kind, controller, n;
  double* samples;
} Motion;

static void fill(uint8_t* command, const Motion* motion, uint32_t k, const double* start) {
  const double* row = motion->samples + 7 * (size_t)k;
  double out[7];
  for (int i = 0; i < 7; ++i) {
    if (motion->kind == 0) out[i] = start[i] + row[i];
    if (motion->kind == 1) out[i] = row[i];
    if (motion->kind == 2) {
      const double error = (start[i] + row[i]) - (double)f32_at(kQ, i);
      out[i] = kKp[i] * error - kKd[i] * (double)f32_at(kDq, i);
    }
  }
  memcpy(command + (motion->kind == 0   ? kCmdQ
                    : motion->kind == 1 ? kCmdDq
                                        : kCmdTau),
         out, sizeof out);
}

static int still_moving(void) {
  return (state[kGenerator] != 0 && state[kGenerator] != 5) || state[kController] == 2;
}

// Plays one motion; returns Move's last status.
static int play(const Motion* motion, uint64_t* cycles, double* seconds, uint32_t pause_every,
                uint32_t pause_ms) {
  uint8_t payload[113] = {0};
  const uint32_t generator = motion->kind == 2 ? 4 : motion->kind;
  const double deviation[3] = {10.0, 3.12, 6.283185307179586};
  put_u32(payload, motion->controller);
  put_u32(payload + 4, generator);
  memcpy(payload + 8, deviation, 24);
  memcpy(payload + 32, deviation, 24);
  const uint32_t id = send_request(1, payload, sizeof payload);
  const int started = read_reply(id);
  if (started != 1) return started;
  do {
    read_state();
  } while (state[kMode] != kModeMove || state[kGenerator] != generator + 1 ||
           state[kController] != motion->controller);
  drain();
  double start[7];
  for (int i = 0; i < 7; ++i) start[i] = (double)f32_at(motion->kind == 0 ? kQd : kQ, i);

  uint8_t command[kCommandSize] = {0};
  // The first command is repeated for the newest state until a state shows that it counted.
  float rate = 0;
  fill(command, motion, 0, start);
  while (state[kMode] == kModeMove) {
    send_command(command);
    read_state();
    drain();
    memcpy(&rate, state + kRate, 4);
    if (rate > 0) break;
  }
  const double begin = now();
  uint64_t answered = 0;
  for (uint32_t k = 1; k < motion->n && state[kMode] == kModeMove; ++k, ++answered) {
    if (pause_every && k % pause_every == 0) usleep(1000 * pause_ms);
    fill(command, motion, k, start);
    send_command(command);
    read_state();
  }
  *seconds += now() - begin;
  *cycles += answered;
  command[motion->kind == 2 ? kTorqueFinished : kMotionFinished] = 1;
  while (state[kMode] == kModeMove && still_moving()) {
    if (motion->kind == 2) fill(command, motion, motion->n - 1, start);
    send_command(command);
    read_state();
  }
  return read_reply(id);
}

// ---- program ----

static void read_exactly(FILE* file, void* into, size_t size) {
  if (fread(into, 1, size, file) != size) die("the script is too short");
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: raw_client HOST PORT SCRIPT [spin|block] [pause_every pause_ms]\n");
    return 2;
  }
  const int wants_spin = argc > 4 && strcmp(argv[4], "spin") == 0;
  const uint32_t pause_every = argc > 6 ? (uint32_t)atoi(argv[5]) : 0;
  const uint32_t pause_ms = argc > 6 ? (uint32_t)atoi(argv[6]) : 0;

  FILE* file = fopen(argv[3], "rb");
  if (!file) die(argv[3]);
  uint32_t motions;
  read_exactly(file, &motions, 4);
  Motion* script = calloc(motions, sizeof *script);
  if (!script) die("memory");
  for (uint32_t m = 0; m < motions; ++m) {
    read_exactly(file, &script[m].kind, 4);
    read_exactly(file, &script[m].controller, 4);
    read_exactly(file, &script[m].n, 4);
    if (script[m].kind > 2 || script[m].n < 1) die("the script has an unknown kind or no sample");
    const size_t size = 56 * (size_t)script[m].n;
    script[m].samples = malloc(size);
    if (!script[m].samples) die("memory");
    read_exactly(file, script[m].samples, size);
  }
  fclose(file);

  struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[2]))};
  if (inet_pton(AF_INET, argv[1], &server.sin_addr) != 1) die("the address");
  const struct timeval watchdog = {.tv_sec = kWatchdogS};
  const int one = 1, buffer = 1 << 22;
  tcp_fd = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(tcp_fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  setsockopt(tcp_fd, SOL_SOCKET, SO_RCVTIMEO, &watchdog, sizeof watchdog);
  if (connect(tcp_fd, (struct sockaddr*)&server, sizeof server) != 0) die("connect");
  udp_fd = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in mine = {.sin_family = AF_INET};
  socklen_t length = sizeof mine;
  if (bind(udp_fd, (struct sockaddr*)&mine, sizeof mine) != 0) die("bind");
  getsockname(udp_fd, (struct sockaddr*)&mine, &length);
  setsockopt(udp_fd, SOL_SOCKET, SO_RCVTIMEO, &watchdog, sizeof watchdog);
  setsockopt(udp_fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);

  uint8_t hello[4];
  const uint16_t version = 10, port = ntohs(mine.sin_port);
  memcpy(hello, &version, 2);
  memcpy(hello + 2, &port, 2);
  if (read_reply(send_request(0, hello, 4)) != 0) die("Connect was refused");
  read_state();
  spin = wants_spin;

  uint64_t cycles = 0;
  double seconds = 0;
  int bad = 0;
  uint64_t first_id = state_id();
  printf("{\"status\": [");
  for (uint32_t m = 0; m < motions; ++m) {
    const int status = play(&script[m], &cycles, &seconds, pause_every, pause_ms);
    printf("%s%d", m ? ", " : "", status);
    bad |= status != 0;
    if (status != 0) break;
  }
  printf("], \"cycles\": %llu, \"seconds\": %.6f, \"cycles_per_s\": %.1f, \"states\": %llu}\n",
         (unsigned long long)cycles, seconds, seconds > 0 ? (double)cycles / seconds : 0.0,
         (unsigned long long)(state_id() - first_id));
  shutdown(tcp_fd, SHUT_RDWR);
  return bad;
}
