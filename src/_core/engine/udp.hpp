// The one UDP socket of a robot: states out, commands in. Must not judge what a command says.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "base/fixed.hpp"
#include "wire/layout.hpp"
#include "wire/messages.hpp"

namespace fsim::engine {

struct UdpCounters {
  std::uint64_t received = 0, malformed = 0, foreign = 0, overflow = 0, send_errors = 0;
};

class StateSocket {
 public:
  /// Of more commands than this in one cycle the oldest are dropped.
  static constexpr std::size_t kBatch = 64;
  using Commands = FixedVector<wire::RobotCommand, kBatch>;
  /// The kernel's time of arrival of each command (CLOCK_REALTIME) [ns]; 0 when unknown.
  using Stamps = FixedVector<std::int64_t, kBatch>;

  /// Bind to `host` and a free port. Throws std::system_error or std::invalid_argument.
  explicit StateSocket(const std::string& host);
  ~StateSocket();
  StateSocket(const StateSocket&) = delete;
  StateSocket& operator=(const StateSocket&) = delete;

  int fd() const noexcept { return fd_; }
  std::uint16_t port() const noexcept { return port_; }

  void attach(const sockaddr_in& peer, const wire::Layout& state,
              const wire::Layout& command) noexcept;
  void detach() noexcept { attached_ = false; }
  bool attached() const noexcept { return attached_; }

  /// Take what has arrived, without waiting. Only the attached client's datagrams of the right size
  /// become commands; the rest is counted.
  void drain(Commands& out, Stamps* stamps = nullptr) noexcept;
  /// From now on the kernel stamps what is sent (see take_sent). Not where somebody waits for the
  /// socket: a stamp that was not taken wakes the wait.
  void stamp_sends() noexcept;
  /// A stamp of a datagram sent, in the order of sending: how many were sent before it, and when it
  /// left (CLOCK_REALTIME) [ns]. False when there is none.
  bool take_sent(std::uint32_t& number, std::int64_t& stamp) noexcept;
  /// Datagrams handed to the kernel since stamp_sends().
  std::uint32_t sends() const noexcept { return sends_; }
  /// Encode for the client's version; returns the datagram (empty without a client), which stays
  /// until the next call. Apart from send() so that nothing but a system call follows the wait.
  std::span<const std::byte> encode(const wire::RobotState& state) noexcept;
  /// Send what was encoded last.
  void send() noexcept;

  const UdpCounters& counters() const noexcept { return counters_; }
  /// Kernel time of the newest command taken [ns, CLOCK_REALTIME]; 0 before the first.
  std::int64_t last_arrival_ns() const noexcept { return last_arrival_ns_; }

 private:
  static constexpr std::size_t kChunk = 16;
  // One byte more than a command: a longer datagram is seen to be longer.
  using Buffer = std::array<std::byte, wire::kMaxCommandSize + 1>;

  int fd_ = -1;
  std::uint16_t port_ = 0;
  bool attached_ = false;
  sockaddr_in peer_{};
  const wire::Layout* state_ = nullptr;
  const wire::Layout* command_ = nullptr;
  UdpCounters counters_;
  std::uint32_t sends_ = 0;
  std::int64_t last_arrival_ns_ = 0;

  std::array<Buffer, kChunk> buffers_{};
  std::array<sockaddr_in, kChunk> sources_{};
  std::array<iovec, kChunk> iovecs_{};
  std::array<mmsghdr, kChunk> messages_{};
  std::array<std::array<std::byte, 64>, kChunk> controls_{};
  std::array<std::byte, wire::kMaxStateSize> out_{};
};

}  // namespace fsim::engine
