// Which published ids a client has answered, and what a new echo is worth in cycle space.
// Must not know what a command says.
#pragma once

#include <cstdint>

#include "base/types.hpp"

namespace fsim::judge {

/// How a datagram relates to the cycles published so far.
enum class Arrival : std::uint8_t { kFresh, kLate, kDuplicate, kUnpublished };

class Ledger {
 public:
  /// Start the batch of one cycle: several fresh ones may follow, the last to arrive counts.
  void open() FSIM_NONBLOCKING { newest_before_ = newest_; }

  /// Classify the echo `e` while the cycle of `published` is open, and note that it was seen.
  /// Ids start at 1 (reference 000, "The cycle contract"), so 0 was never published.
  Arrival enter(Cycle e, Cycle published, Cycle fresh_from) FSIM_NONBLOCKING {
    if (e.n == 0 || e > published) return Arrival::kUnpublished;
    if (e >= fresh_from && e > newest_before_ && e >= newest_) {
      note(e);
      return Arrival::kFresh;
    }
    if (seen(e)) return Arrival::kDuplicate;
    note(e);
    return Arrival::kLate;
  }

  /// No id between `after` and `e` is still unanswered: `e` is the oldest one left.
  bool is_oldest_unanswered(Cycle after, Cycle e) const FSIM_NONBLOCKING {
    if (e <= after) return false;
    for (Cycle id = after.next(); id < e; id = id.next())
      if (!seen(id)) return false;
    return true;
  }

 private:
  // Ids remembered below the newest; an older one is taken as seen (assumed.hpp, J9).
  static constexpr std::uint64_t kMemory = 64;

  bool seen(Cycle e) const noexcept {
    if (e > newest_) return false;
    const std::uint64_t age = newest_ - e;
    return age >= kMemory || ((seen_ >> age) & 1U) != 0;
  }
  void note(Cycle e) noexcept {
    if (e > newest_) {
      const std::uint64_t ahead = e - newest_;
      // Before the first id nothing has been seen.
      seen_ = ahead >= kMemory ? 0 : seen_ << ahead;
      newest_ = e;
    }
    seen_ |= std::uint64_t{1} << (newest_ - e);
  }

  Cycle newest_;
  Cycle newest_before_;     // newest_ when the batch was opened
  std::uint64_t seen_ = 0;  // bit k: newest_ - k
};

}  // namespace fsim::judge
