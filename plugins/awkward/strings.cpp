// SPDX-License-Identifier: MIT
// Strings and byte strings.
#include <base/words.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include "array_parts.hpp"
#include "frame.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::awkward {

enum class Encoding {
  bytes,
  utf8,
  ascii,
  latin1,
  cp1252,
  utf7,
  utf16,
  utf16_le,
  utf16_be,
  utf32,
  utf32_le,
  utf32_be
};

/// The encoding that Python knows under this name: case, '-', '_' and ' ' do not count.
std::optional<Encoding> encoding_of(std::string_view name);

/// Appends `text` as UTF-8; what is not valid becomes U+FFFD, for UTF-8 once for each maximal part
/// of a character.
void append_decoded(std::string& out, std::string_view text, Encoding encoding);

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

/// RFC 2152: ASCII, and between '+' and '-' (or what is not a digit) UTF-16 in base64.
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
    const bool none = at == begin;  // what is there instead is part of the error, as in Python
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
      {"utf8 u8 utf cp65001", Encoding::utf8},
      {"ascii usascii 646", Encoding::ascii},
      {"latin1 latin l1 iso88591 8859 cp819", Encoding::latin1},
      {"cp1252 windows1252", Encoding::cp1252},
      {"utf7 u7 unicode11utf7", Encoding::utf7},
      {"utf16 u16", Encoding::utf16},
      {"utf16le", Encoding::utf16_le},
      {"utf16be", Encoding::utf16_be},
      {"utf32 u32", Encoding::utf32},
      {"utf32le", Encoding::utf32_le},
      {"utf32be", Encoding::utf32_be}};
  for (const auto& [words, encoding] : known)
    if (has_word(words, plain)) return encoding;
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

namespace {

struct Chosen {
  Encoding encoding;
  std::string_view name;
};

Chosen chosen_encoding(Frame& frame, std::size_t param) {
  if (!frame.has(param)) return {Encoding::utf8, "utf-8"};
  const NodeView v = frame[param];
  if (v.is_null()) return {Encoding::bytes, {}};
  if (!v.is_string()) frame.fail_type(param, "the name of an encoding, or null");
  const auto encoding = encoding_of(v.as_string());
  if (!encoding)
    frame.fail(param, Status::unsupported, "string.encoding",
               "unknown encoding " + quote(v.as_string()) +
                   ": known are utf-8, utf-16, utf-32 (-le, -be), utf-7, latin-1, cp1252, ascii, "
                   "and null for bytes");
  return {*encoding, v.as_string()};
}

/// The content as one run of bytes.
const polycodec_array& bytes_of(Frame& frame, std::size_t param) {
  const polycodec_array& content = frame.array(param, POLYCODEC_DTYPE_UINT8);
  const bool fits = content.layout == POLYCODEC_LAYOUT_NDARRAY && content.ndim == 1 &&
                    content.item_size == 1 &&
                    (is_integer(content.dtype) || content.dtype == POLYCODEC_DTYPE_BOOLEAN ||
                     is_fixed(content.dtype)) &&
                    (content.length < 2 || content.strides[0] == 1);
  if (!fits)
    frame.fail(param, Status::type, "string.content",
               "the content of strings must be bytes, with one dimension");
  if (content.dtype == POLYCODEC_DTYPE_UINT8) return content;
  polycodec_array* a = copy_header(frame.out, content);
  a->dtype = POLYCODEC_DTYPE_UINT8;
  return *a;
}

/// True if every item is valid UTF-8 as it is.
bool all_valid(const ArrayView& list, bool ascii) {
  const std::string_view content(reinterpret_cast<const char*>(list.child().data()),
                                 static_cast<std::size_t>(list.child().length()));
  if (ascii) {
    unsigned any = 0;
    for (const char c : content) any |= static_cast<unsigned char>(c);
    return any < 0x80;
  }
  if (!is_utf8(content)) {
    for (std::uint64_t i = 0; i < list.length(); ++i)
      if (!is_utf8(list.text(i))) return false;
    return true;
  }
  // Between characters a valid text can be cut anywhere.
  const auto inside = [&](std::uint64_t at) {
    return at < content.size() && (static_cast<unsigned char>(content[at]) & 0xc0u) == 0x80u;
  };
  for (std::uint64_t i = 0; i < list.length(); ++i) {
    const auto range = list.range(i);
    if (range.begin != range.end && (inside(range.begin) || inside(range.end))) return false;
  }
  return true;
}

polycodec_node decoded(Frame& frame, const polycodec_array& list, const Chosen& chosen) {
  const ArrayView view(list);
  auto* offsets = frame.out.allocate<std::int64_t>(list.length + 1);
  std::string texts;
  const std::uint64_t most = frame.call.limits().max_memory_bytes;
  offsets[0] = 0;
  for (std::uint64_t i = 0; i < list.length; ++i) {
    append_decoded(texts, view.text(i), chosen.encoding);
    // Lists may share bytes: the result is not bounded by the content.
    if (texts.size() > most)
      throw Error(Status::limit, "the strings take more than the limit of " + std::to_string(most) +
                                     " bytes (max_memory_bytes)");
    offsets[i + 1] = static_cast<std::int64_t>(texts.size());
  }
  const std::string_view kept = frame.out.copy_text(texts);
  const auto* content =
      frame.out.vector(std::span(reinterpret_cast<const std::uint8_t*>(kept.data()), kept.size()));
  return Builder::array(frame.out.list_offsets(
      std::span<const std::int64_t>(offsets, list.length + 1), content, POLYCODEC_ARRAY_STRING));
}

polycodec_node strings(Frame& frame, polycodec_array* list, const Chosen& chosen,
                       std::span<const std::int64_t> shape) {
  const bool plain = chosen.encoding == Encoding::utf8 || chosen.encoding == Encoding::ascii;
  polycodec_node result = Builder::array(list);
  if (chosen.encoding == Encoding::bytes) {
    list->flags = POLYCODEC_ARRAY_BINARY;
  } else if (plain &&
             (frame.unchecked || all_valid(ArrayView(*list), chosen.encoding == Encoding::ascii))) {
    list->flags = POLYCODEC_ARRAY_STRING;
  } else {
    result = decoded(frame, *list, chosen);
  }
  const polycodec_array* a = result.as.array;
  if (chosen.encoding != Encoding::bytes && chosen.encoding != Encoding::utf8)
    a = with_attribute(frame.out, *a, "encoding", frame.out.string_copy(chosen.name));
  return Builder::array(nested(frame.out, shape, a));
}

}  // namespace

polycodec_node string_array(Frame& frame) {
  const Chosen chosen = chosen_encoding(frame, 3);
  const Integers starts = frame.integers(0, POLYCODEC_DTYPE_INT64, "starts");
  const Integers stops = frame.integers(1, POLYCODEC_DTYPE_INT64, "stops");
  const polycodec_array& content = bytes_of(frame, 2);
  // Strings are read here, so that the ranges must be right even where nobody else asks.
  frame.unchecked = false;
  return strings(frame, lists_from_starts(frame, starts, stops, content), chosen, starts.shape);
}

polycodec_node strings_from_counts(Frame& frame) {
  const Chosen chosen = chosen_encoding(frame, 2);
  const Integers counts = frame.integers(0, POLYCODEC_DTYPE_INT64, "counts");
  const polycodec_array& content = bytes_of(frame, 1);
  return strings(frame, lists_from_counts(frame, counts, content, 0), chosen, counts.shape);
}

}  // namespace polycodec::awkward
