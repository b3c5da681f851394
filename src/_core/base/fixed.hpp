// Fixed-capacity containers for the cycle. Must not allocate, throw or know a robot word.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace fsim {

/// A vector with inline storage; `push` on a full one drops the value and says so.
template <class T, std::size_t N>
class FixedVector {
 public:
  bool push(const T& value) noexcept {
    if (size_ == N) return false;
    items_[size_++] = value;
    return true;
  }
  void clear() noexcept { size_ = 0; }
  /// Drop the first `n` items; at most all.
  void drop_front(std::size_t n) noexcept {
    const std::size_t kept = n < size_ ? size_ - n : 0;
    for (std::size_t i = 0; i < kept; ++i) items_[i] = items_[i + n];
    size_ = kept;
  }
  /// Drop the last `n` items; at most all.
  void drop_back(std::size_t n) noexcept { size_ -= n < size_ ? n : size_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  const T& operator[](std::size_t i) const noexcept { return items_[i]; }
  T& operator[](std::size_t i) noexcept { return items_[i]; }
  const T* begin() const noexcept { return items_.data(); }
  const T* end() const noexcept { return items_.data() + size_; }

 private:
  std::array<T, N> items_{};
  std::size_t size_ = 0;
};

/// Single-producer single-consumer queue. Neither side ever waits for the other.
template <class T, std::size_t N>
class SpscQueue {
  static_assert((N & (N - 1)) == 0, "capacity is a power of two");

 public:
  /// Producer side. False when full: the caller drops and counts.
  bool push(const T& value) noexcept {
    const std::uint64_t head = head_.load(std::memory_order_relaxed);
    if (head - tail_.load(std::memory_order_acquire) == N) return false;
    items_[head & (N - 1)] = value;
    head_.store(head + 1, std::memory_order_release);
    return true;
  }
  /// Consumer side. False when empty.
  bool pop(T& value) noexcept {
    const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    if (tail == head_.load(std::memory_order_acquire)) return false;
    value = items_[tail & (N - 1)];
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  bool empty() const noexcept {
    return tail_.load(std::memory_order_acquire) == head_.load(std::memory_order_acquire);
  }

 private:
  std::array<T, N> items_{};
  alignas(64) std::atomic<std::uint64_t> head_{0};
  alignas(64) std::atomic<std::uint64_t> tail_{0};
};

}  // namespace fsim
