// A transition table from rows that cover sets of states, checked for totality at compile time.
// Must not know any machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace fsim::gripper {

using States = std::uint16_t;
template <class... S>
constexpr States set(S... states) {
  return static_cast<States>((0u | ... | (1u << static_cast<unsigned>(states))));
}

/// Stay in the state one is in.
inline constexpr std::uint8_t kSame = 255;

/// One rule: in any state of `from`, `input` leads to `to`.
template <class Input, class Answer, class Actions>
struct Row {
  States from;
  Input input;
  std::uint8_t to;
  Answer answer;
  Actions actions;
  const char* source;
};

template <std::size_t kStates, std::size_t kInputs, class R, std::size_t kRows>
constexpr bool total(const R (&rows)[kRows]) {
  for (std::size_t s = 0; s < kStates; ++s)
    for (std::size_t i = 0; i < kInputs; ++i) {
      int found = 0;
      for (const R& row : rows)
        if ((row.from >> s & 1u) != 0 && static_cast<std::size_t>(row.input) == i) ++found;
      if (found != 1) return false;
    }
  return true;
}

template <class Transition, class State, std::size_t kStates, std::size_t kInputs, class R,
          std::size_t kRows>
constexpr auto dense(const R (&rows)[kRows]) {
  std::array<std::array<Transition, kInputs>, kStates> table{};
  for (const R& row : rows)
    for (std::size_t s = 0; s < kStates; ++s)
      if ((row.from >> s & 1u) != 0)
        table[s][static_cast<std::size_t>(row.input)] = {
            row.to == kSame ? static_cast<State>(s) : static_cast<State>(row.to), row.answer,
            row.actions, row.source};
  return table;
}

}  // namespace fsim::gripper
