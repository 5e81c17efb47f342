// SPDX-License-Identifier: MIT
#include "text_out.hpp"

#include <base/hex.hpp>

#include <algorithm>
#include <array>

namespace polycodec::text {

namespace {

// 0: stands for itself; 1: escaped; 2: the first byte of U+0080 to U+00BF, of which the C1 controls
// are escaped.
constexpr std::array<std::uint8_t, 256> classes = [] {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t c = 0; c < 32; ++c) table[c] = 1;
  table[0x7f] = table['"'] = table['\\'] = 1;
  table[0xc2] = 2;
  return table;
}();

char* escape(char* out, std::uint32_t code) noexcept {
  *out++ = '\\';
  constexpr std::string_view codes = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt";
  if (const auto i = codes.find(static_cast<char>(code)); code < 0x80 && i != codes.npos) {
    *out++ = letters[i];
    return out;
  }
  *out++ = 'u';
  for (int shift = 12; shift >= 0; shift -= 4) *out++ = hex_digits[(code >> shift) & 15];
  return out;
}

}  // namespace

void TextOut::grow(std::size_t size) {
  finish();
  if (writer_ != nullptr) {
    start_ = at_ = reinterpret_cast<char*>(writer_->reserve(std::max(size, std::size_t{4096})));
    end_ = start_ + writer_->window();
    return;
  }
  string_->resize(base_ + std::max({size, base_ / 2, std::size_t{256}}));
  start_ = at_ = string_->data() + base_;
  end_ = string_->data() + string_->size();
}

void TextOut::put_escaped(std::string_view text) {
  std::size_t plain = 0;  // start of the run that stands for itself
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint8_t kind = classes[byte(i)];
    if (kind == 0 || (kind == 2 && (i + 1 == text.size() || byte(i + 1) >= 0xa0))) continue;
    put(text.substr(plain, i - plain));
    if (kind == 2) ++i;
    // The second byte of a C1 control is its code point.
    at_ = escape(room(6), byte(i));
    plain = i + 1;
  }
  put(text.substr(plain));
}

void TextOut::put_quoted(std::string_view text) {
  put('"');
  put_escaped(text);
  put('"');
}

void TextOut::put_base64(const void* data, std::size_t size) {
  put('"');
  const auto* p = static_cast<const unsigned char*>(data);
  constexpr std::size_t step = chunk / 4 * 3;
  while (size > 0) {
    const std::size_t part = std::min(size, step);
    char* out = room(base64_encoded_size(part));
    at_ = out + base64_encode(out, p, part);
    p += part;
    size -= part;
  }
  put('"');
}

}  // namespace polycodec::text
