// SPDX-License-Identifier: MIT
#include "text_encoding.hpp"

#include <base/utf8.hpp>
#include <polycodec/byte_order.hpp>

#include <cstdint>
#include <utility>

namespace polycodec::awkward {
namespace {

constexpr char32_t replacement = 0xfffd;

void append(std::string& out, char32_t c) {
  if (!append_utf8(out, c)) static_cast<void>(append_utf8(out, replacement));
}

/// Bytes at the front that are the beginning of a character and cannot be continued (Unicode's
/// "maximal subpart").
std::size_t maximal_subpart(const std::uint8_t* p, std::size_t size) {
  const std::uint8_t lead = p[0];
  std::size_t wanted = lead >= 0xc2 && lead <= 0xdf   ? 2
                       : (lead & 0xf0u) == 0xe0       ? 3
                       : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                      : 1;
  std::size_t length = 1;
  while (length < wanted && length < size) {
    std::uint8_t low = 0x80, high = 0xbf;
    if (length == 1) {
      if (lead == 0xe0) low = 0xa0;
      if (lead == 0xed) high = 0x9f;
      if (lead == 0xf0) low = 0x90;
      if (lead == 0xf4) high = 0x8f;
    }
    if (p[length] < low || p[length] > high) break;
    ++length;
  }
  return length;
}

void append_utf8_replaced(std::string& out, std::string_view text) {
  const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    char32_t c = 0;
    const std::uint32_t size = decode_one(p + at, text.size() - at, c);
    append(out, size == 0 ? replacement : c);
    at += size != 0 ? size : maximal_subpart(p + at, text.size() - at);
  }
}

// What Windows puts where Latin-1 has control characters; 0: nothing.
constexpr char16_t windows[32] = {0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
                                  0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017d, 0,
                                  0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                  0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

void append_single_bytes(std::string& out, std::string_view text, Encoding encoding) {
  for (const char byte : text) {
    const auto c = static_cast<unsigned char>(byte);
    if (c < 0x80 || encoding == Encoding::latin1)
      append(out, c);
    else if (encoding == Encoding::cp1252)
      append(out, c >= 0xa0 ? c : windows[c - 0x80] != 0 ? windows[c - 0x80] : replacement);
    else
      append(out, replacement);
  }
}

/// The byte order of the text, and its mark taken off, where the encoding leaves the order to a
/// mark.
std::endian order_of(std::string_view& text, std::size_t unit) {
  const std::string_view little =
      unit == 2 ? std::string_view("\xff\xfe", 2) : std::string_view("\xff\xfe\0\0", 4);
  const std::string_view big =
      unit == 2 ? std::string_view("\xfe\xff", 2) : std::string_view("\0\0\xfe\xff", 4);
  const bool is_big = text.starts_with(big);
  if (is_big || text.starts_with(little)) text.remove_prefix(unit);
  return is_big ? std::endian::big : std::endian::little;
}

void append_utf16(std::string& out, std::string_view text, std::endian order) {
  std::size_t at = 0;
  const auto unit = [&](std::size_t i) {
    return static_cast<char32_t>(load<std::uint16_t>(text.data() + i, order));
  };
  for (; at + 2 <= text.size(); at += 2) {
    char32_t c = unit(at);
    if (c >= 0xd800 && c < 0xdc00 && at + 4 <= text.size()) {
      const char32_t low = unit(at + 2);
      if (low >= 0xdc00 && low < 0xe000) {
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        at += 2;
      }
    }
    append(out, c);
  }
  if (at < text.size()) append(out, replacement);
}

void append_utf32(std::string& out, std::string_view text, std::endian order) {
  std::size_t at = 0;
  for (; at + 4 <= text.size(); at += 4) append(out, load<std::uint32_t>(text.data() + at, order));
  if (at < text.size()) append(out, replacement);
}

/// The digit of base64, or -1.
int digit_of(char c) noexcept {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// RFC 2152: ASCII, and between '+' and '-' (or what is no digit) UTF-16 in base64.
void append_utf7(std::string& out, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at++];
    if (c != '+') {
      append(out, static_cast<unsigned char>(c) < 0x80 ? static_cast<char32_t>(c) : replacement);
      continue;
    }
    if (at < text.size() && text[at] == '-') {
      append(out, '+');
      ++at;
      continue;
    }
    std::uint32_t bits = 0, count = 0;  // of the unit that is being put together
    char32_t high = 0;                  // the first half of a pair
    const std::size_t begin = at;
    for (int digit = 0; at < text.size() && (digit = digit_of(text[at])) >= 0; ++at) {
      bits = bits << 6 | static_cast<std::uint32_t>(digit);
      count += 6;
      if (count < 16) continue;
      count -= 16;
      const char32_t unit = bits >> count & 0xffff;
      bits &= (1u << count) - 1;
      const bool low = unit >= 0xdc00 && unit < 0xe000;
      if (high != 0 && low) {
        append(out, 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
        high = 0;
        continue;
      }
      if (high != 0) append(out, replacement);
      high = unit >= 0xd800 && unit < 0xdc00 ? unit : 0;
      if (high == 0) append(out, unit);
    }
    const bool none = at == begin;  // what stands there instead is part of the error, as in Python
    if (high != 0 || none || count >= 6 || bits != 0) append(out, replacement);
    if (at < text.size() && (none || text[at] == '-')) ++at;
  }
}

}  // namespace

std::optional<Encoding> encoding_of(std::string_view name) {
  std::string plain;
  for (const char c : name.substr(0, 32)) {
    if (c == '-' || c == '_' || c == ' ') continue;
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  static constexpr std::pair<std::string_view, Encoding> known[] = {
      {"utf8", Encoding::utf8},
      {"u8", Encoding::utf8},
      {"utf", Encoding::utf8},
      {"cp65001", Encoding::utf8},
      {"ascii", Encoding::ascii},
      {"usascii", Encoding::ascii},
      {"646", Encoding::ascii},
      {"latin1", Encoding::latin1},
      {"latin", Encoding::latin1},
      {"l1", Encoding::latin1},
      {"iso88591", Encoding::latin1},
      {"8859", Encoding::latin1},
      {"cp819", Encoding::latin1},
      {"cp1252", Encoding::cp1252},
      {"windows1252", Encoding::cp1252},
      {"utf7", Encoding::utf7},
      {"u7", Encoding::utf7},
      {"unicode11utf7", Encoding::utf7},
      {"utf16", Encoding::utf16},
      {"u16", Encoding::utf16},
      {"utf16le", Encoding::utf16_le},
      {"utf16be", Encoding::utf16_be},
      {"utf32", Encoding::utf32},
      {"u32", Encoding::utf32},
      {"utf32le", Encoding::utf32_le},
      {"utf32be", Encoding::utf32_be}};
  for (const auto& [word, encoding] : known)
    if (word == plain) return encoding;
  return std::nullopt;
}

void append_decoded(std::string& out, std::string_view text, Encoding encoding) {
  switch (encoding) {
    case Encoding::utf8:
      return append_utf8_replaced(out, text);
    case Encoding::utf7:
      return append_utf7(out, text);
    case Encoding::utf16:
    case Encoding::utf16_le:
    case Encoding::utf16_be: {
      const std::endian marked =
          encoding == Encoding::utf16 ? order_of(text, 2) : std::endian::little;
      return append_utf16(out, text, encoding == Encoding::utf16_be ? std::endian::big : marked);
    }
    case Encoding::utf32:
    case Encoding::utf32_le:
    case Encoding::utf32_be: {
      const std::endian marked =
          encoding == Encoding::utf32 ? order_of(text, 4) : std::endian::little;
      return append_utf32(out, text, encoding == Encoding::utf32_be ? std::endian::big : marked);
    }
    default:
      return append_single_bytes(out, text, encoding);
  }
}

}  // namespace polycodec::awkward
