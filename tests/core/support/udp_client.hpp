// A client's UDP side on loopback: states in, commands out. Must not wait without a bound.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <span>

#include "wire/codec.hpp"

namespace fsim::test {

class UdpClient {
 public:
  UdpClient() : fd_(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address_;
    if (fd_ < 0 || bind(fd_, generic(address_), length) != 0 ||
        getsockname(fd_, reinterpret_cast<sockaddr*>(&address_), &length) != 0)
      std::abort();
  }
  ~UdpClient() { close(fd_); }
  UdpClient(const UdpClient&) = delete;
  UdpClient& operator=(const UdpClient&) = delete;

  const sockaddr_in& address() const { return address_; }

  void send_bytes(std::uint16_t port, std::span<const std::byte> datagram) const {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(port);
    sendto(fd_, datagram.data(), datagram.size(), 0, generic(to), sizeof to);
  }
  void send(std::uint16_t port, const wire::RobotCommand& command) const {
    std::array<std::byte, 371> datagram;
    wire::encode_command(*wire::command_layout(10), command, datagram.data());
    send_bytes(port, datagram);
  }
  /// The next state that waits, or one that comes within `timeout_ms`; false without.
  bool receive(wire::RobotState& state, int timeout_ms = 0) const {
    pollfd waiting{.fd = fd_, .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, timeout_ms) <= 0) return false;
    std::array<std::byte, 2048> datagram;
    const ssize_t n = recv(fd_, datagram.data(), datagram.size(), MSG_DONTWAIT);
    return n >= 0 && wire::decode_state(*wire::state_layout(10),
                                        {datagram.data(), static_cast<std::size_t>(n)}, state);
  }

  /// The next datagram that waits, as it is; its size, or -1 without one.
  ssize_t receive_bytes(std::span<std::byte> into) const {
    return recv(fd_, into.data(), into.size(), MSG_DONTWAIT);
  }

 private:
  static const sockaddr* generic(const sockaddr_in& a) {
    return reinterpret_cast<const sockaddr*>(&a);
  }
  int fd_;
  sockaddr_in address_{};
};

}  // namespace fsim::test
