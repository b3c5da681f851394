// Bytes to messages and back, driven by the layout tables. Pure; must not know meaning, clocks or
// sockets. Assumes a little-endian host with IEEE floats (checked at compile time).
#pragma once

#include <cstddef>
#include <span>

#include "wire/layout.hpp"

namespace fsim::wire {

/// Write any message whose members `layout` names into `out`, which holds `layout.size` bytes.
void encode(const Layout& layout, const std::byte* message, std::byte* out) noexcept;

/// Write `state` into `out`, which holds at least `layout.size` bytes.
void encode_state(const Layout& layout, const RobotState& state, std::byte* out) noexcept;
/// Read a state back (tests, offline tools); false when the size is not exactly the layout's.
bool decode_state(const Layout& layout, std::span<const std::byte> bytes,
                  RobotState& state) noexcept;
void encode_command(const Layout& layout, const RobotCommand& command, std::byte* out) noexcept;
/// False when the size is not exactly the layout's. Any content of the right size decodes: what it
/// means is judged elsewhere.
bool decode_command(const Layout& layout, std::span<const std::byte> bytes,
                    RobotCommand& command) noexcept;

/// Arrays of `count` RobotState structs to datagrams back to back, and back; `states` and `bytes`
/// are the memory of whole arrays of the right size.
void encode_states(const Layout& layout, const std::uint8_t* states, std::size_t count,
                   std::uint8_t* bytes) noexcept;
void decode_states(const Layout& layout, const std::uint8_t* bytes, std::size_t count,
                   std::uint8_t* states) noexcept;

}  // namespace fsim::wire
