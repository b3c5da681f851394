// The doors' containers and the stream hash, one thread and two.
#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "base/fixed.hpp"
#include "engine/history.hpp"
#include "engine/stream_hash.hpp"

using namespace fsim;
using namespace fsim::engine;

namespace {

/// A record whose every number tells its index.
CycleRecord record_of(std::uint64_t n) {
  CycleRecord r;
  r.state.message_id = n;
  r.state.q = all_joints(static_cast<double>(n));
  r.state.control_command_success_rate = static_cast<double>(n);
  r.command.tau_J_d = all_joints(static_cast<double>(n));
  r.sent_ns = static_cast<std::int64_t>(n);
  r.motion = n;
  return r;
}

bool whole(const CycleRecord& r, std::uint64_t n) {
  const double x = static_cast<double>(n);
  return r.state.message_id == n && r.state.q == all_joints(x) &&
         r.state.control_command_success_rate == x && r.command.tau_J_d == all_joints(x) &&
         r.sent_ns == static_cast<std::int64_t>(n) && r.motion == n;
}

}  // namespace

TEST_CASE("history keeps the last N records and says which are gone") {
  History history(8);
  CycleRecord out;
  CHECK_FALSE(history.copy(0, out));
  for (std::uint64_t n = 0; n < 20; ++n) {
    history.append(record_of(n));
    CHECK(history.count() == n + 1);
    CHECK_FALSE(history.copy(n + 1, out));
    for (std::uint64_t i = 0; i <= n; ++i) {
      const bool kept = n - i < 8;
      CHECK(history.copy(i, out) == kept);
      if (kept) CHECK(whole(out, i));
    }
  }
  CHECK(history.capacity() == 8);
  CHECK(History(0).capacity() == 1);
}

TEST_CASE("a reader beside the writer gets whole records or none") {
  History history(4);
  constexpr std::uint64_t kRecords = 100'000;
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (std::uint64_t n = 0; n < kRecords; ++n) history.append(record_of(n));
    done.store(true);
  });
  std::uint64_t copied = 0, torn = 0;
  CycleRecord out;
  while (!done.load()) {
    const std::uint64_t count = history.count();
    for (std::uint64_t back = 1; back <= 5 && back <= count; ++back)
      if (history.copy(count - back, out)) {
        ++copied;
        torn += whole(out, count - back) ? 0 : 1;
      }
  }
  writer.join();
  CHECK(torn == 0);
  CHECK(history.copy(kRecords - 1, out));
  CHECK(whole(out, kRecords - 1));
  MESSAGE("records copied beside the writer: ", copied);
}

TEST_CASE("a queue gives back what was put in, in order, and refuses when full") {
  SpscQueue<int, 8> queue;
  int out = -1;
  CHECK(queue.empty());
  CHECK_FALSE(queue.pop(out));
  // Three laps, so that the indices wrap.
  for (int lap = 0; lap < 3; ++lap) {
    for (int i = 0; i < 8; ++i) CHECK(queue.push(lap * 8 + i));
    CHECK_FALSE(queue.push(99));
    CHECK_FALSE(queue.empty());
    for (int i = 0; i < 8; ++i) {
      CHECK(queue.pop(out));
      CHECK(out == lap * 8 + i);
    }
    CHECK(queue.empty());
  }
}

TEST_CASE("two threads pass every value of a queue once and in order") {
  struct Wide {
    std::uint64_t a, b, c;
  };
  SpscQueue<Wide, 16> queue;
  constexpr std::uint64_t kValues = 200'000;
  std::thread producer([&] {
    for (std::uint64_t n = 0; n < kValues;)
      if (queue.push({n, ~n, n * n}))
        ++n;
      else
        std::this_thread::yield();
  });
  std::uint64_t wrong = 0;
  Wide out{};
  for (std::uint64_t n = 0; n < kValues;)
    if (queue.pop(out)) {
      wrong += out.a == n && out.b == ~n && out.c == n * n ? 0 : 1;
      ++n;
    } else {
      std::this_thread::yield();
    }
  producer.join();
  CHECK(wrong == 0);
  CHECK(queue.empty());
}

TEST_CASE("a fixed vector drops what does not fit and says so") {
  FixedVector<int, 3> v;
  CHECK(v.empty());
  CHECK((v.push(1) && v.push(2) && v.push(3)));
  CHECK_FALSE(v.push(4));
  CHECK(v.size() == 3);
  CHECK(std::vector<int>(v.begin(), v.end()) == std::vector<int>{1, 2, 3});
  v.clear();
  CHECK(v.empty());
}

TEST_CASE("equal streams have one hash, and every single bit of a state changes it") {
  std::array<std::byte, 1369> body{};  // a v10 state without its id
  const auto hash_of = [](std::uint64_t cycle, std::span<const std::byte> bytes) {
    StreamHash h;
    h.add(1, std::array<std::byte, 3>{});
    h.add(cycle, bytes);
    return h.value();
  };
  const std::uint64_t reference = hash_of(2, body);
  CHECK(hash_of(2, body) == reference);
  std::set<std::uint64_t> seen{reference};
  CHECK(seen.insert(hash_of(3, body)).second);
  for (std::size_t i = 0; i < body.size(); ++i)
    for (int bit = 0; bit < 8; bit += 7) {
      body[i] ^= static_cast<std::byte>(1 << bit);
      CHECK(seen.insert(hash_of(2, body)).second);
      body[i] ^= static_cast<std::byte>(1 << bit);
    }
}

TEST_CASE("the order of states and their number count in the hash") {
  const std::array<std::byte, 8> a{std::byte{1}}, b{std::byte{2}};
  StreamHash ab, ba, once;
  ab.add(1, a);
  ab.add(2, b);
  ba.add(1, b);
  ba.add(2, a);
  once.add(1, a);
  CHECK(ab.value() != ba.value());
  CHECK(ab.value() != once.value());
  CHECK(ab.cycles() == 2);
  CHECK(StreamHash{}.cycles() == 0);
}
