// The tool's doors: its states by UDP, its answers to Python, its newest state for anyone. Must not
// decide anything (tool.hpp).
#pragma once

#include <netinet/in.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <string>

#include "base/fixed.hpp"
#include "engine/doors.hpp"
#include "engine/stream_hash.hpp"
#include "engine/tool.hpp"
#include "wire/tools.hpp"

namespace fsim::engine {

class ToolLink {
 public:
  /// Clients that get states; as many as Python lets in.
  static constexpr std::size_t kMaxPeers = 8;

  /// Opens a UDP socket on `host`, unless there is no tool. Throws std::system_error.
  ToolLink(const std::string& host, const ToolSettings& settings);
  ~ToolLink();
  ToolLink(const ToolLink&) = delete;
  ToolLink& operator=(const ToolLink&) = delete;

  // The cycle's thread.
  void attach(const ToolAttach& attach) noexcept;
  void detach(Token connection) noexcept;
  /// Without clients, and the hash begins anew.
  void restart() noexcept;
  /// At the end of a cycle: the state, when one is due, and its hash when `hashed` names the cycle
  /// of a motion.
  void publish(const Tool& tool, std::uint64_t cycle, const std::uint64_t* hashed) noexcept;
  /// The newest state once more, while the cycle waits for the arm's client: who only reads the
  /// tool must not time out over that.
  void repeat() noexcept;
  /// Answers of the tool since the last call.
  void flush(Tool& tool, std::uint64_t cycle) noexcept;

  // One other thread at a time.
  /// Room for one more request that will be answered.
  bool reserve() noexcept;
  void release() noexcept { outstanding_.fetch_sub(1, std::memory_order_acq_rel); }
  bool poll(ToolEvent& event) noexcept;

  // Any thread.
  int event_fd() const noexcept { return event_fd_; }
  ToolSnapshot snapshot() const noexcept;
  std::uint64_t hash() const noexcept { return hash_value_.load(std::memory_order_acquire); }
  std::uint64_t sent() const noexcept { return sent_.load(std::memory_order_relaxed); }

 private:
  std::size_t encode(const ToolSnapshot& snapshot) noexcept;
  void send(const ToolSnapshot& snapshot) noexcept;
  void store(const ToolSnapshot& snapshot) noexcept;

  struct Peer {
    Token connection = 0;
    sockaddr_in address{};
  };
  ToolSettings::Kind kind_;
  int socket_ = -1;
  int event_fd_ = -1;
  FixedVector<Peer, kMaxPeers> peers_;
  std::array<std::byte, wire::kMaxToolStateSize> datagram_{};
  std::uint64_t since_start_ = 0;  ///< cycles
  StreamHash hash_;

  ToolQueue answers_;
  std::atomic<std::uint32_t> outstanding_{0};
  std::atomic<std::uint64_t> hash_value_{0};
  std::atomic<std::uint64_t> sent_{0};
  static_assert(sizeof(ToolSnapshot) % 8 == 0);
  static constexpr std::size_t kWords = sizeof(ToolSnapshot) / 8;
  std::atomic<std::uint64_t> version_{0};  ///< odd while the words are being written
  std::array<std::atomic<std::uint64_t>, kWords> words_{};
};

}  // namespace fsim::engine
