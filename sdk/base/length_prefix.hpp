// SPDX-License-Identifier: MIT
// Files of frames: before each part its length, as programs write values to a socket or a log.
#pragma once

#include <base/varint.hpp>
#include <polycodec/byte_order.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec {

/// How the parts of a file of frames are separated.
struct LengthPrefix {
  std::size_t size = 0;      ///< bytes of the first length
  std::uint64_t length = 0;  ///< of the first part
  std::string words;         ///< such as "a length of 4 bytes, big-endian"
};

namespace detail {

/// The length at the start of `bytes` and its size; 0 for none. `width` is 2, 4, 8, or 0 for a
/// varint.
inline std::pair<std::uint64_t, std::size_t> read_length(std::string_view bytes, std::size_t width,
                                                         std::endian order) noexcept {
  const auto* const p = reinterpret_cast<const std::uint8_t*>(bytes.data());
  if (width == 0) {
    const Varint found = decode_varint(p, bytes.size());
    if (found.status != VarintStatus::ok) return {0, 0};
    return {found.value, found.size};
  }
  if (bytes.size() < width) return {0, 0};
  if (width == 2) return {load<std::uint16_t>(p, order), width};
  if (width == 4) return {load<std::uint32_t>(p, order), width};
  return {load<std::uint64_t>(p, order), width};
}

}  // namespace detail

/// The frames that an input of `total` bytes, which begins with `head`, consists of: each a length
/// that is not 0, and so many bytes. None if the lengths do not lead to the end of the input, or
/// beyond the head after two frames. One frame with a length of less than 4 bytes does not prove
/// it.
inline std::optional<LengthPrefix> find_length_prefix(std::string_view head, std::uint64_t total) {
  struct Encoding {
    std::size_t width;
    std::endian order;
    const char* words;
  };
  for (const Encoding& kind :
       {Encoding{4, std::endian::big, "a length of 4 bytes, big-endian"},
        Encoding{4, std::endian::little, "a length of 4 bytes, little-endian"},
        Encoding{8, std::endian::big, "a length of 8 bytes, big-endian"},
        Encoding{8, std::endian::little, "a length of 8 bytes, little-endian"},
        Encoding{2, std::endian::big, "a length of 2 bytes, big-endian"},
        Encoding{2, std::endian::little, "a length of 2 bytes, little-endian"},
        Encoding{0, std::endian::little, "a length as a varint"}}) {
    LengthPrefix first;
    std::uint64_t at = 0;
    std::size_t frames = 0;
    for (; at < head.size(); ++frames) {
      const auto [length, size] =
          detail::read_length(head.substr(static_cast<std::size_t>(at)), kind.width, kind.order);
      if (size == 0 && head.size() < total && head.size() - at < max_varint_size)
        at = head.size();  // the head ends inside of a length
      if (size == 0 || length == 0 || length > total - at - size) break;
      if (frames == 0) first = {size, length, kind.words};
      at += size + length;
    }
    const bool ends = at == total && frames >= (kind.width >= 4 ? 1u : 2u);
    const bool leads_on = at >= head.size() && at < total && frames >= 2;
    if (ends || leads_on) return first;
  }
  return std::nullopt;
}

}  // namespace polycodec
