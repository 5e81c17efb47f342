// SPDX-License-Identifier: MIT
#include <base/base64.hpp>
#include <base/base64_values.hpp>

#include <bit>
#include <cstring>

namespace polycodec {
namespace {

template <std::size_t size>
bool decode_sized(void* out, std::string_view text) noexcept {
  constexpr std::size_t all = base64_encoded_size(size), padding = all - (8 * size + 5) / 6;
  constexpr std::size_t last = all - padding - 1;
  constexpr unsigned unused = 6 * (last + 1) - 8 * size;  // bits of the last character
  if (text.size() != all || (padding > 0 && text[last + 1] != '=') ||
      (padding > 1 && text[last + 2] != '='))
    return false;
  std::uint64_t number = 0;
  std::uint32_t value = 0, any = 0;  // where a character has no value, bit 7 is set
  for (std::size_t i = 0; i <= last; ++i) {
    value = detail::base64_values[static_cast<std::uint8_t>(text[i])];
    any |= value;
    number = i == last ? number << (6 - unused) | value >> unused : number << 6 | value;
  }
  if (any > 63 || (value & ((1u << unused) - 1)) != 0) return false;
  if constexpr (std::endian::native == std::endian::little)
    number = __builtin_bswap64(number) >> (64 - 8 * size);
  else
    number <<= 64 - 8 * size;
  std::memcpy(out, &number, size);
  return true;
}

}  // namespace

bool base64_decode_number(void* out, std::size_t size, std::string_view text) noexcept {
  switch (size) {
    case 1:
      return decode_sized<1>(out, text);
    case 2:
      return decode_sized<2>(out, text);
    case 4:
      return decode_sized<4>(out, text);
    case 8:
      return decode_sized<8>(out, text);
    default:
      return false;
  }
}

}  // namespace polycodec
