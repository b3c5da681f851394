// The golden layouts and byte vectors of FCI v10 as C++ data. Must not know the code under test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace fsim::test::golden {

struct GoldenField {
  std::string_view name, type;
  std::size_t count, offset;
};
struct GoldenCommand {
  std::string_view name;
  std::uint32_t id;
  std::size_t request_size, reply_size;
  std::string_view statuses;  ///< by number, with commas
};
struct GoldenVector {
  std::string_view kind, name, status;
  std::span<const double> values;  ///< flattened in wire order
  std::string_view hex;

  std::vector<std::byte> bytes() const {
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    std::vector<std::byte> out;
    for (std::size_t i = 0; i < hex.size(); i += 2)
      out.push_back(static_cast<std::byte>(digit(hex[i]) * 16 + digit(hex[i + 1])));
    return out;
  }
};

#include "../wire_v10.inc"

}  // namespace fsim::test::golden
