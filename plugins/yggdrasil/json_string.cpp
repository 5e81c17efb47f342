// SPDX-License-Identifier: MIT
// Strings of JSON.
#include <base/hex.hpp>
#include <polycodec/utf.hpp>

#include "scan.hpp"
#include "writing.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec::yggdrasil {
namespace {

constexpr std::string_view separator = "YGG_MSG_HEAD";

// Writes the character at `p`, which copy_plain() stopped at, in at most max_escape bytes, and goes
// on to what follows it.
char* special(const Settings& settings, const char*& p, const char* const end, char* to) {
  const auto escape = [&](std::uint32_t unit) {
    const char text[6] = {'\\',
                          'u',
                          upper_hex_digits[unit >> 12 & 15],
                          upper_hex_digits[unit >> 8 & 15],
                          upper_hex_digits[unit >> 4 & 15],
                          upper_hex_digits[unit & 15]};
    std::memcpy(to, text, sizeof text);
    to += sizeof text;
  };
  const char c = *p;
  constexpr std::string_view letters = "\"\\bfnrt";
  constexpr std::string_view meanings = "\"\\\b\f\n\r\t";
  if (const auto place = meanings.find(c); place != std::string_view::npos) {
    to[0] = '\\';
    to[1] = letters[place];
    ++p;
    return to + 2;
  }
  if (c == 'Y') {
    const bool found = settings.escape_separator &&
                       static_cast<std::size_t>(end - p) >= separator.size() &&
                       std::memcmp(p, separator.data(), separator.size()) == 0;
    if (found)
      escape('Y');
    else
      *to++ = 'Y';
    ++p;
    return to;
  }
  if (static_cast<unsigned char>(c) < 0x20) {
    escape(static_cast<unsigned char>(c));
    ++p;
    return to;
  }
  char32_t point = 0;
  const std::uint32_t size = decode_one(reinterpret_cast<const std::uint8_t*>(p),
                                        static_cast<std::size_t>(end - p), point);
  if (size == 0)
    throw Error(Status::unsupported,
                "a text that is not UTF-8 cannot be written in the style of Python");
  if (point < 0x10000) {
    escape(point);
  } else {
    escape(0xd800 + ((point - 0x10000) >> 10));
    escape(0xdc00 + ((point - 0x10000) & 0x3ff));
  }
  p += size;
  return to;
}

}  // namespace

void put_string(Writer& out, const Settings& settings, std::string_view text, bool is_name) {
  const char* p = text.data();
  const char* const end = p + text.size();
  constexpr std::ptrdiff_t piece = 65536;
  const auto reserve = [&](std::ptrdiff_t size) {
    return reinterpret_cast<char*>(out.reserve(static_cast<std::uint64_t>(size)));
  };
  out.put_u8('"');
  while (p != end) {
    const char* const stop = end - p > piece ? p + piece : end;
    const char* const next = copy_plain(p, stop, reserve(stop - p + 16), settings.python);
    out.commit(static_cast<std::uint64_t>(next - p));
    p = next;
    if (p == stop) continue;
    char* const to = reserve(max_escape);
    out.commit(static_cast<std::uint64_t>(special(settings, p, end, to) - to));
  }
  out.put_text(is_name ? "\":" : "\"");
}

char* put_escaped(const Settings& settings, const char* p, const char* const end, char* to) {
  while (p != end) {
    to = special(settings, p, end, to);
    const char* const next = copy_plain(p, end, to, settings.python);
    to += next - p;
    p = next;
  }
  return to;
}

void append_string(std::string& to, const Settings& settings, const Call& call,
                   std::string_view text) {
  const bool simple = std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x80 &&
           c != '"' && c != '\\';
  });
  if (simple) {
    to += '"';
    to += text;
    to += '"';
    return;
  }
  to += written(call, [&](Writer& out) { put_string(out, settings, text); });
}

}  // namespace polycodec::yggdrasil
