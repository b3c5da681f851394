// The one loop that all layouts share.
#include "wire/codec.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

namespace fsim::wire {
namespace {

static_assert(std::endian::native == std::endian::little);
static_assert(std::is_standard_layout_v<RobotState> && std::is_trivially_copyable_v<RobotState>);
static_assert(std::is_standard_layout_v<RobotCommand> &&
              std::is_trivially_copyable_v<RobotCommand>);

/// Numbers converted at a time: a loop of known length becomes vector instructions.
constexpr std::size_t kBlock = 16;

template <std::size_t N>
void narrow(const std::byte* from, std::byte* to) noexcept {
  std::array<double, N> wide;
  std::array<float, N> narrowed;
  std::memcpy(wide.data(), from, sizeof wide);
  for (std::size_t i = 0; i < N; ++i) narrowed[i] = static_cast<float>(wide[i]);
  std::memcpy(to, narrowed.data(), sizeof narrowed);
}

template <std::size_t N>
void widen(const std::byte* from, std::byte* to) noexcept {
  std::array<float, N> narrowed;
  std::array<double, N> wide;
  std::memcpy(narrowed.data(), from, sizeof narrowed);
  for (std::size_t i = 0; i < N; ++i) wide[i] = static_cast<double>(narrowed[i]);
  std::memcpy(to, wide.data(), sizeof wide);
}

void decode(const Layout& layout, const std::byte* bytes, std::byte* message) noexcept {
  for (const Run& run : layout.runs) {
    std::byte* member = message + run.member;
    if (run.type == WireType::kF32) {
      std::size_t i = 0;
      for (; i + kBlock <= run.count; i += kBlock) widen<kBlock>(bytes + 4 * i, member + 8 * i);
      for (; i < run.count; ++i) widen<1>(bytes + 4 * i, member + 8 * i);
    } else if (run.type == WireType::kBool) {
      // A byte of 2 to 255 would be no valid bool in memory: anything but 0 is true.
      for (std::size_t i = 0; i < run.count; ++i)
        member[i] = bytes[i] == std::byte{0} ? std::byte{0} : std::byte{1};
    } else {
      std::memcpy(member, bytes, size_of(run.type) * run.count);
    }
    bytes += size_of(run.type) * run.count;
  }
}

}  // namespace

void encode(const Layout& layout, const std::byte* message, std::byte* out) noexcept {
  for (const Run& run : layout.runs) {
    const std::byte* member = message + run.member;
    if (run.type == WireType::kF32) {
      std::size_t i = 0;
      for (; i + kBlock <= run.count; i += kBlock) narrow<kBlock>(member + 8 * i, out + 4 * i);
      for (; i < run.count; ++i) narrow<1>(member + 8 * i, out + 4 * i);
    } else {
      std::memcpy(out, member, size_of(run.type) * run.count);
    }
    out += size_of(run.type) * run.count;
  }
}

void encode_state(const Layout& layout, const RobotState& state, std::byte* out) noexcept {
  encode(layout, reinterpret_cast<const std::byte*>(&state), out);
}

bool decode_state(const Layout& layout, std::span<const std::byte> bytes,
                  RobotState& state) noexcept {
  if (bytes.size() != layout.size) return false;
  decode(layout, bytes.data(), reinterpret_cast<std::byte*>(&state));
  return true;
}

void encode_command(const Layout& layout, const RobotCommand& command, std::byte* out) noexcept {
  encode(layout, reinterpret_cast<const std::byte*>(&command), out);
}

bool decode_command(const Layout& layout, std::span<const std::byte> bytes,
                    RobotCommand& command) noexcept {
  if (bytes.size() != layout.size) return false;
  decode(layout, bytes.data(), reinterpret_cast<std::byte*>(&command));
  return true;
}

void encode_states(const Layout& layout, const std::uint8_t* states, std::size_t count,
                   std::uint8_t* bytes) noexcept {
  for (std::size_t i = 0; i < count; ++i)
    encode(layout, reinterpret_cast<const std::byte*>(states + i * sizeof(RobotState)),
           reinterpret_cast<std::byte*>(bytes + i * layout.size));
}

void decode_states(const Layout& layout, const std::uint8_t* bytes, std::size_t count,
                   std::uint8_t* states) noexcept {
  for (std::size_t i = 0; i < count; ++i)
    decode(layout, reinterpret_cast<const std::byte*>(bytes + i * layout.size),
           reinterpret_cast<std::byte*>(states + i * sizeof(RobotState)));
}

}  // namespace fsim::wire
