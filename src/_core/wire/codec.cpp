// The one loop that all layouts share.
#include "wire/codec.hpp"

#include <bit>
#include <cstring>
#include <type_traits>

namespace fsim::wire {
namespace {

static_assert(std::endian::native == std::endian::little);
static_assert(std::is_standard_layout_v<RobotState> && std::is_trivially_copyable_v<RobotState>);
static_assert(std::is_standard_layout_v<RobotCommand> &&
              std::is_trivially_copyable_v<RobotCommand>);

void encode(const Layout& layout, const std::byte* message, std::byte* out) noexcept {
  for (const FieldRow& field : layout.fields) {
    const std::byte* member = message + field.member;
    if (field.type == WireType::kF32) {
      for (std::size_t i = 0; i < field.count; ++i) {
        double wide;
        std::memcpy(&wide, member + 8 * i, 8);
        const float narrow = static_cast<float>(wide);
        std::memcpy(out + 4 * i, &narrow, 4);
      }
    } else {
      std::memcpy(out, member, size_of(field.type) * field.count);
    }
    out += size_of(field.type) * field.count;
  }
}

void decode(const Layout& layout, const std::byte* bytes, std::byte* message) noexcept {
  for (const FieldRow& field : layout.fields) {
    std::byte* member = message + field.member;
    if (field.type == WireType::kF32) {
      for (std::size_t i = 0; i < field.count; ++i) {
        float narrow;
        std::memcpy(&narrow, bytes + 4 * i, 4);
        const double wide = static_cast<double>(narrow);
        std::memcpy(member + 8 * i, &wide, 8);
      }
    } else if (field.type == WireType::kBool) {
      // A byte of 2 to 255 would be no valid bool in memory: anything but 0 is true.
      for (std::size_t i = 0; i < field.count; ++i)
        member[i] = bytes[i] == std::byte{0} ? std::byte{0} : std::byte{1};
    } else {
      std::memcpy(member, bytes, size_of(field.type) * field.count);
    }
    bytes += size_of(field.type) * field.count;
  }
}

}  // namespace

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
