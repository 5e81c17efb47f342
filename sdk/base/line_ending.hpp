// SPDX-License-Identifier: MIT
// The line endings of text files, and the option that chooses one.
#pragma once

#include <polycodec/call.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace polycodec {

enum class LineEnding : std::uint8_t { lf, crlf, cr };

/// The option `line_ending`: nothing keeps the ending of the value.
inline constexpr Options::Choice<std::optional<LineEnding>> line_ending_choices[] = {
    {"keep", std::nullopt},
    {"lf", LineEnding::lf},
    {"crlf", LineEnding::crlf},
    {"cr", LineEnding::cr}};

constexpr std::string_view line_ending_name(LineEnding ending) noexcept {
  return line_ending_choices[static_cast<std::size_t>(ending) + 1].word;
}

constexpr std::string_view line_ending_text(LineEnding ending) noexcept {
  constexpr std::string_view texts[] = {"\n", "\r\n", "\r"};
  return texts[static_cast<std::size_t>(ending)];
}

/// Sets `ending` if there is one of this name.
constexpr bool line_ending_from_name(std::string_view name, LineEnding& ending) noexcept {
  for (const auto& choice : line_ending_choices)
    if (choice.value && choice.word == name) return ending = *choice.value, true;
  return false;
}

}  // namespace polycodec
