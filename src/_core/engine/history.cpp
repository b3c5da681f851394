// A seqlock a slot, words copied as relaxed atomics so that readers race with nothing.
#include "engine/history.hpp"

#include <cstring>

namespace fsim::engine {

History::History(std::size_t capacity)
    : capacity_(capacity == 0 ? 1 : capacity), slots_(std::make_unique<Slot[]>(capacity_)) {
  // Touch every page now: the first lap must not fault in a cycle.
  for (std::size_t i = 0; i < capacity_; ++i)
    for (std::atomic<std::uint64_t>& word : slots_[i].words)
      word.store(0, std::memory_order_relaxed);
}

void History::append(const CycleRecord& record) noexcept {
  const std::uint64_t index = count_.load(std::memory_order_relaxed);
  Slot& slot = slots_[index % capacity_];
  slot.version.store(2 * index + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  const auto* bytes = reinterpret_cast<const std::byte*>(&record);
  for (std::size_t i = 0; i < kWords; ++i) {
    std::uint64_t word;
    std::memcpy(&word, bytes + 8 * i, 8);
    slot.words[i].store(word, std::memory_order_relaxed);
  }
  slot.version.store(2 * index + 2, std::memory_order_release);
  count_.store(index + 1, std::memory_order_release);
}

bool History::copy(std::uint64_t index, CycleRecord& out) const noexcept {
  if (index >= count()) return false;
  const Slot& slot = slots_[index % capacity_];
  if (slot.version.load(std::memory_order_acquire) != 2 * index + 2) return false;
  auto* bytes = reinterpret_cast<std::byte*>(&out);
  for (std::size_t i = 0; i < kWords; ++i) {
    const std::uint64_t word = slot.words[i].load(std::memory_order_relaxed);
    std::memcpy(bytes + 8 * i, &word, 8);
  }
  std::atomic_thread_fence(std::memory_order_acquire);
  return slot.version.load(std::memory_order_relaxed) == 2 * index + 2;
}

}  // namespace fsim::engine
