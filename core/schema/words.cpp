// SPDX-License-Identifier: MIT
#include "words.hpp"

#include <algorithm>
#include <bit>

namespace polycodec::schema {
namespace {

template <class Enum, std::size_t N>
std::optional<Enum> named(const std::array<std::string_view, N>& names, std::string_view name,
                          std::size_t first) {
  const auto at = std::find(names.begin() + static_cast<std::ptrdiff_t>(first), names.end(), name);
  if (at == names.end()) return std::nullopt;
  return static_cast<Enum>(at - names.begin());
}

}  // namespace

std::optional<Word> word_named(std::string_view name) noexcept {
  return named<Word>(word_names, name, 0);
}
std::optional<Subtype> subtype_named(std::string_view name) noexcept {
  return named<Subtype>(subtype_names, name, 1);
}
std::optional<Encoding> encoding_named(std::string_view name) noexcept {
  return named<Encoding>(encoding_names, name, 1);
}

std::uint64_t encoded_size(std::string_view utf8, Encoding encoding) noexcept {
  if (encoding != Encoding::utf16 && encoding != Encoding::utf32 && encoding != Encoding::ucs4)
    return utf8.size();
  std::uint64_t code_units = 0;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0u) == 0x80) continue;
    code_units += encoding == Encoding::utf16 && byte >= 0xf0 ? 2 : 1;
  }
  return code_units * (encoding == Encoding::utf16 ? 2 : 4);
}

bool is_ascii(std::string_view bytes) noexcept {
  return std::all_of(bytes.begin(), bytes.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string joined(Words words) {
  std::string text;
  const int count = std::popcount(words);
  for (int i = 0; words != 0; words &= words - 1, ++i) {
    text += i == 0 ? "" : i + 1 == count ? " or " : ", ";
    text += word_names[static_cast<std::size_t>(std::countr_zero(words))];
  }
  return text;
}

}  // namespace polycodec::schema
