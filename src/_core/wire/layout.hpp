// Field tables of the two datagrams, one row a field, one table a layout. Must not hold code that
// differs between versions: a version is a table.
// Source of every row: wire.md 3.1, 3.2 (compiler-checked from the published headers).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "wire/messages.hpp"

namespace fsim::wire {

/// How a number stands on the wire; all little endian, packed.
enum class WireType : std::uint8_t { kU64, kU32, kU16, kI32, kF32, kF64, kU8, kBool };

constexpr std::size_t size_of(WireType type) noexcept {
  switch (type) {
    case WireType::kU64:
    case WireType::kF64:
      return 8;
    case WireType::kU32:
    case WireType::kI32:
    case WireType::kF32:
      return 4;
    case WireType::kU16:
      return 2;
    default:
      return 1;
  }
}

/// One field: its wire name, type and element count, and where it lives in the message struct.
struct FieldRow {
  const char* name;
  WireType type;
  std::uint16_t count;
  std::uint16_t member;  ///< byte offset in RobotState or RobotCommand
};

/// Fields of one type that follow each other on the wire and in memory: what the codec moves.
struct Run {
  WireType type;
  std::uint16_t count;
  std::uint16_t member;
};

constexpr std::size_t memory_size_of(WireType type) noexcept {
  return type == WireType::kF32 ? 8 : size_of(type);
}

/// The fields of a table joined to as few runs as there can be.
template <std::size_t N>
class Runs {
 public:
  explicit constexpr Runs(const FieldRow (&fields)[N]) noexcept {
    for (const FieldRow& f : fields) {
      if (size_ > 0 && follows(runs_[size_ - 1], f))
        runs_[size_ - 1].count = static_cast<std::uint16_t>(runs_[size_ - 1].count + f.count);
      else
        runs_[size_++] = {f.type, f.count, f.member};
    }
  }
  constexpr operator std::span<const Run>() const noexcept { return {runs_.data(), size_}; }

 private:
  static constexpr bool follows(const Run& run, const FieldRow& f) noexcept {
    return run.type == f.type && run.member + memory_size_of(f.type) * run.count == f.member;
  }

  std::array<Run, N> runs_{};
  std::size_t size_ = 0;
};

struct Layout {
  std::span<const FieldRow> fields;
  std::span<const Run> runs;
  std::size_t size;  ///< bytes of the datagram
};

constexpr std::size_t total_size(std::span<const FieldRow> fields) noexcept {
  std::size_t size = 0;
  for (const FieldRow& f : fields) size += size_of(f.type) * f.count;
  return size;
}

/// RobotState / RobotCommand layout of an FCI version; null when that version is not built in.
const Layout* state_layout(unsigned version) noexcept;
const Layout* command_layout(unsigned version) noexcept;

inline constexpr std::size_t kMaxStateSize = 2373;   ///< v5 - v9
inline constexpr std::size_t kMaxCommandSize = 371;  ///< v7 - v10

}  // namespace fsim::wire
