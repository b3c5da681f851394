// recvmmsg with kernel time stamps; sendto the attached client.
#include "engine/udp.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "wire/codec.hpp"

namespace fsim::engine {
namespace {

std::int64_t arrival(msghdr& header) noexcept {
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c))
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
      timespec t{};
      std::memcpy(&t, CMSG_DATA(c), sizeof t);
      return t.tv_sec * 1'000'000'000 + t.tv_nsec;
    }
  return 0;
}

}  // namespace

StateSocket::StateSocket(const std::string& host) {
  sockaddr_in local{};
  local.sin_family = AF_INET;
  if (inet_pton(AF_INET, host.c_str(), &local.sin_addr) != 1)
    throw std::invalid_argument("host: '" + host + "' is not an IPv4 address");
  fd_ = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "UDP socket");
  const int on = 1;
  setsockopt(fd_, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  if (bind(fd_, reinterpret_cast<const sockaddr*>(&local), sizeof local) != 0) {
    const int error = errno;
    close(fd_);
    throw std::system_error(error, std::generic_category(), "UDP bind to " + host);
  }
  socklen_t length = sizeof local;
  getsockname(fd_, reinterpret_cast<sockaddr*>(&local), &length);
  port_ = ntohs(local.sin_port);
  for (std::size_t i = 0; i < kChunk; ++i) iovecs_[i] = {buffers_[i].data(), buffers_[i].size()};
}

StateSocket::~StateSocket() {
  if (fd_ >= 0) close(fd_);
}

void StateSocket::attach(const sockaddr_in& peer, const wire::Layout& state,
                         const wire::Layout& command) noexcept {
  peer_ = peer;
  state_ = &state;
  command_ = &command;
  attached_ = true;
}

void StateSocket::stamp_sends() noexcept {
  // Receive stamps come through SO_TIMESTAMPNS; here only what leaves, numbered, without its bytes.
  const int wanted = SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE |
                     SOF_TIMESTAMPING_OPT_ID | SOF_TIMESTAMPING_OPT_TSONLY;
  setsockopt(fd_, SOL_SOCKET, SO_TIMESTAMPING, &wanted, sizeof wanted);
  sends_ = 0;
}

bool StateSocket::take_sent(std::uint32_t& number, std::int64_t& stamp) noexcept {
  alignas(cmsghdr) std::array<std::byte, 256> control;
  msghdr header{};
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  if (recvmsg(fd_, &header, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return false;
  stamp = 0;
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c)) {
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPING) {
      timespec t{};
      std::memcpy(&t, CMSG_DATA(c), sizeof t);
      stamp = t.tv_sec * 1'000'000'000 + t.tv_nsec;
    } else if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_RECVERR) {
      sock_extended_err error{};
      std::memcpy(&error, CMSG_DATA(c), sizeof error);
      number = error.ee_data;
    }
  }
  return true;
}

void StateSocket::drain(Commands& out, Stamps* stamps) noexcept {
  // Bounded: a flood costs a few chunks a cycle, no more.
  constexpr int kMaxChunks = 16;
  for (int chunk = 0; chunk < kMaxChunks; ++chunk) {
    for (std::size_t i = 0; i < kChunk; ++i) {
      msghdr& header = messages_[i].msg_hdr;
      header = {};
      header.msg_name = &sources_[i];
      header.msg_namelen = sizeof(sockaddr_in);
      header.msg_iov = &iovecs_[i];
      header.msg_iovlen = 1;
      header.msg_control = controls_[i].data();
      header.msg_controllen = controls_[i].size();
    }
    const int n = recvmmsg(fd_, messages_.data(), kChunk, MSG_DONTWAIT, nullptr);
    if (n <= 0) return;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      ++counters_.received;
      const sockaddr_in& from = sources_[i];
      if (!attached_ || from.sin_addr.s_addr != peer_.sin_addr.s_addr ||
          from.sin_port != peer_.sin_port) {
        ++counters_.foreign;
        continue;
      }
      wire::RobotCommand command;
      if (!wire::decode_command(*command_, {buffers_[i].data(), messages_[i].msg_len}, command)) {
        ++counters_.malformed;
        continue;
      }
      last_arrival_ns_ = arrival(messages_[i].msg_hdr);
      if (stamps != nullptr && !stamps->push(last_arrival_ns_)) {
        stamps->drop_front(kBatch / 2);
        stamps->push(last_arrival_ns_);
      }
      if (!out.push(command)) {
        // The newest say what the client wants; a flood pushes its own beginning out.
        constexpr std::size_t kDropped = kBatch / 2;
        out.drop_front(kDropped);
        counters_.overflow += kDropped;
        out.push(command);
      }
    }
    if (static_cast<std::size_t>(n) < kChunk) return;
  }
}

std::span<const std::byte> StateSocket::encode(const wire::RobotState& state) noexcept {
  if (!attached_) return {};
  wire::encode_state(*state_, state, out_.data());
  return {out_.data(), state_->size};
}

void StateSocket::send() noexcept {
  if (!attached_) return;
  const ssize_t sent = sendto(fd_, out_.data(), state_->size, MSG_DONTWAIT | MSG_NOSIGNAL,
                              reinterpret_cast<const sockaddr*>(&peer_), sizeof peer_);
  // A refused or full peer is the network's business; the cycle goes on.
  if (sent < 0)
    ++counters_.send_errors;
  else
    ++sends_;
}

}  // namespace fsim::engine
