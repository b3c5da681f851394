// Times whole cycles of an engine that nobody paces, and a client of its own that answers each
// state.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "engine/engine.hpp"
#include "timing.hpp"
#include "wire/codec.hpp"

namespace fsim::bench {
namespace {

/// Passes on to a plant and remembers how long its step took.
class TimedPlant final : public plant::Plant {
 public:
  explicit TimedPlant(plant::Plant& inner) noexcept : inner_(inner) {}
  void reset(const Vec7& q, plant::Output& out) noexcept override { inner_.reset(q, out); }
  void step(const plant::Input& in, plant::Output& out) noexcept override {
    const std::int64_t begin = now_ns();
    inner_.step(in, out);
    took_ns = static_cast<double>(now_ns() - begin);
  }
  double took_ns = 0;

 private:
  plant::Plant& inner_;
};

const sockaddr* generic(const sockaddr_in& a) noexcept {
  return reinterpret_cast<const sockaddr*>(&a);
}

/// The client's UDP end on loopback.
class Client {
 public:
  explicit Client() : fd_(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (fd_ < 0 || bind(fd_, generic(address), length) != 0 ||
        getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &length) != 0)
      throw std::runtime_error("no UDP socket on loopback");
  }
  ~Client() { close(fd_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(std::uint16_t port, const wire::RobotCommand& command) const noexcept {
    std::array<std::byte, wire::kMaxCommandSize> bytes;
    const wire::Layout& layout = *wire::command_layout(10);
    wire::encode_command(layout, command, bytes.data());
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(port);
    sendto(fd_, bytes.data(), layout.size, 0, generic(to), sizeof to);
  }
  /// Id of the newest state that waits, or `none`.
  std::uint64_t newest(std::uint64_t none) const noexcept {
    std::array<std::byte, wire::kMaxStateSize> bytes;
    while (recv(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT) > 0)
      std::memcpy(&none, bytes.data(), sizeof none);
    return none;
  }

  sockaddr_in address{};

 private:
  int fd_;
};

wire::Request velocity_move() {
  wire::MoveRequest move{};
  move.motion_generator_mode = 1;  // wire.md 1.3: joint velocity under joint impedance
  move.maximum_path_deviation = move.maximum_goal_pose_deviation = {10.0, 3.12, 2 * M_PI};
  return move;
}

/// 0.2 rad/s at most on joint 1, back and forth in 4 s, from rest: far inside every limit.
double speed(std::size_t k) noexcept {
  const double dq = 0.1 * (1.0 - std::cos(2.0 * M_PI * 0.5 * 1e-3 * static_cast<double>(k)));
  return (k / 2000) % 2 == 0 ? dq : -dq;
}

/// A receive of one command and a send of one state, without the cycle between them.
Samples socket_calls(std::size_t n) {
  Client client;
  engine::StateSocket socket("127.0.0.1");
  socket.attach(client.address, *wire::state_layout(10), *wire::command_layout(10));
  engine::StateSocket::Commands commands;
  socket.encode({});
  Samples out;
  for (std::size_t k = 0; k < n; ++k) {
    client.send(socket.port(), {});
    commands.clear();
    const std::int64_t begin = now_ns();
    socket.drain(commands);
    socket.send();
    out.push_back(static_cast<double>(now_ns() - begin));
    client.newest(0);
  }
  return out;
}

}  // namespace

CycleTimes cycle(plant::Plant& plant, std::size_t cycles, bool moving) {
  constexpr std::size_t kWarmUp = 500;  // chosen: caches and branch predictors
  Client client;
  TimedPlant timed(plant);
  engine::Settings settings;
  settings.clock = moving ? engine::ClockKind::kLockstep : engine::ClockKind::kRealtime;
  engine::Engine engine(settings, robot::kFr3, timed);
  engine.submit(engine::Attach{client.address, 10});
  for (std::size_t k = 0; k < kWarmUp; ++k) engine.run_one_cycle();  // comes to rest
  wire::RobotCommand command;
  const auto answer = [&] {
    command.message_id = client.newest(command.message_id);
    if (moving) client.send(engine.udp_port(), command);
  };
  if (moving) {
    engine.submit(engine::ClientRequest{1, wire::find_command(10, 1), velocity_move()});
    for (int k = 0; k < 100 && engine.unit().state() != motion::State::kMoving; ++k) {
      engine.run_one_cycle();
      answer();
    }
    if (engine.unit().state() != motion::State::kMoving)
      throw std::runtime_error("the motion to be timed did not start");
  }
  CycleTimes times;
  for (std::size_t k = 0; k < kWarmUp + cycles; ++k) {
    command.dq_c[0] = speed(k);
    answer();
    const std::int64_t begin = now_ns();
    engine.run_one_cycle();
    const std::int64_t end = now_ns();
    if (k < kWarmUp) continue;
    times.whole.push_back(static_cast<double>(end - begin));
    times.plant.push_back(timed.took_ns);
  }
  if (moving && engine.unit().state() != motion::State::kMoving)
    throw std::runtime_error("the motion to be timed ended by itself");
  times.socket = socket_calls(cycles);
  return times;
}

}  // namespace fsim::bench
