// SPDX-License-Identifier: MIT
#include <base/utf8_char.hpp>
#include <polycodec/view.hpp>

namespace polycodec {

namespace {

// `size` bytes of UTF-16 (width 2) or UTF-32 (width 4) as UTF-8. Throws Status::malformed for a
// code unit that is not a character.
std::string utf8_from_units(const std::byte* data, std::size_t size, std::size_t width,
                            std::endian order) {
  std::string text;
  const auto unit = [&](std::size_t at) -> char32_t {
    return width == 2 ? load<std::uint16_t>(data + at, order)
                      : load<std::uint32_t>(data + at, order);
  };
  for (std::size_t at = 0; at < size; at += width) {
    char32_t c = unit(at);
    if (width == 2 && c >= 0xd800 && c < 0xdc00 && at + 2 < size) {
      const char32_t low = unit(at + 2);
      if (low >= 0xdc00 && low < 0xe000) {
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        at += 2;
      }
    }
    if (!append_utf8(text, c))
      throw Error(Status::malformed, "the string has a code unit that is not a character", at);
  }
  return text;
}

}  // namespace

std::string_view View::as_string(std::string& scratch) const {
  if (!is_string() || state_ != State::axis || dtype_ == POLYCODEC_DTYPE_FIXED_UTF8)
    return as_string();
  const std::size_t width = dtype_swap_width(dtype_);
  std::size_t size = array_->item_size;
  while (size != 0 && data_[size - 1] == std::byte{0}) --size;
  scratch = utf8_from_units(data_, (size + width - 1) / width * width, width, order());
  return scratch;
}

}  // namespace polycodec
