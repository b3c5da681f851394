// Datagrams to every client of the tool, answers through a queue, a seqlock for the newest state.
#include "engine/tool_link.hpp"

#include <arpa/inet.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <system_error>

namespace fsim::engine {
namespace {

/// reference 000, gripper fidelity: GripperState at 60 Hz.
constexpr std::uint64_t kRateHz = 60;
constexpr std::uint64_t kCyclesHz = 1000;

}  // namespace

ToolLink::ToolLink(const std::string& host, const ToolSettings& settings) : kind_(settings.kind) {
  event_fd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (event_fd_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  if (kind_ == ToolSettings::Kind::kNone) return;
  sockaddr_in local{};
  local.sin_family = AF_INET;
  inet_pton(AF_INET, host.c_str(), &local.sin_addr);
  socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket_ < 0 || bind(socket_, reinterpret_cast<const sockaddr*>(&local), sizeof local) != 0) {
    const int error = errno;
    if (socket_ >= 0) close(socket_);
    close(event_fd_);
    throw std::system_error(error, std::generic_category(), "UDP socket of the gripper");
  }
}

ToolLink::~ToolLink() {
  if (socket_ >= 0) close(socket_);
  close(event_fd_);
}

void ToolLink::attach(const ToolAttach& attach) noexcept {
  detach(attach.connection);
  peers_.push({attach.connection, attach.address});
}

void ToolLink::detach(Token connection) noexcept {
  FixedVector<Peer, kMaxPeers> kept;
  for (const Peer& peer : peers_)
    if (peer.connection != connection) kept.push(peer);
  peers_ = kept;
}

void ToolLink::restart() noexcept {
  peers_.clear();
  since_start_ = 0;
  hash_ = {};
  hash_value_.store(0, std::memory_order_release);
}

std::size_t ToolLink::encode(const ToolSnapshot& s) noexcept {
  const auto id = static_cast<std::uint32_t>(s.cycle);
  if (kind_ == ToolSettings::Kind::kHand) {
    const auto warm = static_cast<std::uint16_t>(std::fmax(0.0, s.hand.temperature));
    return wire::encode_tool_state(
        wire::GripperState{id, s.hand.width, s.hand.max_width, s.hand.is_grasped, warm},
        datagram_.data());
  }
  wire::VacuumGripperState state;
  state.message_id = id;
  state.in_control_range = s.pump.in_control_range;
  state.part_detached = s.pump.part_detached;
  state.part_present = s.pump.part_present;
  state.device_status = s.pump.device_status;
  state.actual_power = s.pump.actual_power;
  state.vacuum = static_cast<std::int32_t>(std::lround(s.pump.vacuum));
  return wire::encode_tool_state(state, datagram_.data());
}

void ToolLink::publish(const Tool& tool, std::uint64_t cycle,
                       const std::uint64_t* hashed) noexcept {
  if (kind_ == ToolSettings::Kind::kNone) return;
  ToolSnapshot now = tool.snapshot();
  now.cycle = cycle;
  store(now);
  if (hashed != nullptr) {
    const std::size_t size = encode(now);
    hash_.add(*hashed, {datagram_.data() + 4, size - 4});
    hash_value_.store(hash_.value(), std::memory_order_release);
  }
  ++since_start_;
  const bool due = since_start_ * kRateHz / kCyclesHz != (since_start_ - 1) * kRateHz / kCyclesHz;
  if (!due || peers_.empty()) return;
  send(now);
}

void ToolLink::send(const ToolSnapshot& s) noexcept {
  const std::size_t size = encode(s);
  for (const Peer& peer : peers_)
    // A refused or full peer is the network's business; the cycle goes on.
    if (sendto(socket_, datagram_.data(), size, MSG_DONTWAIT | MSG_NOSIGNAL,
               reinterpret_cast<const sockaddr*>(&peer.address), sizeof peer.address) >= 0)
      sent_.fetch_add(1, std::memory_order_relaxed);
}

void ToolLink::repeat() noexcept {
  if (!peers_.empty()) send(snapshot());
}

void ToolLink::flush(Tool& tool, std::uint64_t cycle) noexcept {
  bool any = false;
  for (const gripper::Answer& answer : tool.answers()) {
    // Room is kept by reserve().
    answers_.push({answer.ticket, answer.outcome, cycle});
    any = true;
  }
  tool.clear_answers();
  if (!any) return;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(event_fd_, &one, sizeof one);
}

bool ToolLink::reserve() noexcept {
  if (outstanding_.load(std::memory_order_acquire) >= kMaxToolOutstanding) return false;
  outstanding_.fetch_add(1, std::memory_order_acq_rel);
  return true;
}

bool ToolLink::poll(ToolEvent& event) noexcept {
  std::uint64_t ignored = 0;
  [[maybe_unused]] const ssize_t n = read(event_fd_, &ignored, sizeof ignored);
  if (!answers_.pop(event)) return false;
  release();
  return true;
}

void ToolLink::store(const ToolSnapshot& snapshot) noexcept {
  const std::uint64_t version = version_.load(std::memory_order_relaxed);
  version_.store(version + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  const auto* bytes = reinterpret_cast<const std::byte*>(&snapshot);
  for (std::size_t i = 0; i < kWords; ++i) {
    std::uint64_t word;
    std::memcpy(&word, bytes + 8 * i, 8);
    words_[i].store(word, std::memory_order_relaxed);
  }
  version_.store(version + 2, std::memory_order_release);
}

ToolSnapshot ToolLink::snapshot() const noexcept {
  ToolSnapshot out;
  auto* bytes = reinterpret_cast<std::byte*>(&out);
  for (;;) {
    const std::uint64_t before = version_.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < kWords; ++i) {
      const std::uint64_t word = words_[i].load(std::memory_order_relaxed);
      std::memcpy(bytes + 8 * i, &word, 8);
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    // Written once a cycle: the next try finds it whole.
    if (before % 2 == 0 && version_.load(std::memory_order_relaxed) == before) return out;
  }
}

}  // namespace fsim::engine
