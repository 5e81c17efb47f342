// SPDX-License-Identifier: MIT
#include "image_file.hpp"

#include <polycodec/byte_order.hpp>

#include <bit>
#include <cstddef>

namespace polycodec::cli {
namespace {

template <class T>
std::uint64_t big(std::string_view bytes, std::size_t at) noexcept {
  return load<T>(bytes.data() + at, std::endian::big);
}
template <class T>
std::uint64_t little(std::string_view bytes, std::size_t at) noexcept {
  return load_le<T>(bytes.data() + at);
}

ImageHead png_head(std::string_view bytes) noexcept {
  if (bytes.size() < 29 || bytes.substr(12, 4) != "IHDR") return {};
  return {"image/png", big<std::uint32_t>(bytes, 16), big<std::uint32_t>(bytes, 20),
          bytes[28] != 0};
}

/// The frame of a JPEG file: the first segment that begins one.
ImageHead jpeg_head(std::string_view bytes) noexcept {
  std::size_t at = 2;
  for (;;) {
    at = bytes.find('\xff', at);
    while (at < bytes.size() && bytes[at] == '\xff') ++at;
    if (at >= bytes.size()) return {};
    const auto marker = static_cast<unsigned char>(bytes[at++]);
    const bool is_alone = marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    if (is_alone) continue;
    if (marker == 0xd9 || marker == 0xda || bytes.size() - at < 8) return {};  // end, or a scan
    const bool begins_frame =
        marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
    if (begins_frame)
      return {"image/jpeg", big<std::uint16_t>(bytes, at + 5), big<std::uint16_t>(bytes, at + 3),
              (marker & 3) == 2};
    const std::uint64_t size = big<std::uint16_t>(bytes, at);
    if (size > bytes.size() - at) return {};
    at += static_cast<std::size_t>(size);
  }
}

ImageHead gif_head(std::string_view bytes) noexcept {
  if (bytes.size() < 10) return {};
  return {"image/gif", little<std::uint16_t>(bytes, 6), little<std::uint16_t>(bytes, 8)};
}

ImageHead webp_head(std::string_view bytes) noexcept {
  if (bytes.size() < 30) return {};
  const std::string_view chunk = bytes.substr(12, 4);
  if (chunk == "VP8X")
    return {"image/webp", (little<std::uint32_t>(bytes, 24) & 0xffffff) + 1,
            (little<std::uint32_t>(bytes, 26) >> 8) + 1};
  if (chunk == "VP8L") {
    const std::uint64_t sizes = little<std::uint32_t>(bytes, 21);
    return {"image/webp", (sizes & 0x3fff) + 1, (sizes >> 14 & 0x3fff) + 1};
  }
  if (chunk != "VP8 ") return {};
  return {"image/webp", little<std::uint16_t>(bytes, 26) & 0x3fff,
          little<std::uint16_t>(bytes, 28) & 0x3fff};
}

ImageHead bmp_head(std::string_view bytes) noexcept {
  if (bytes.size() < 26) return {};
  if (little<std::uint32_t>(bytes, 14) == 12)
    return {"image/bmp", little<std::uint16_t>(bytes, 18), little<std::uint16_t>(bytes, 20)};
  // Rows from the top have a negative height.
  const std::int64_t height = load_le<std::int32_t>(bytes.data() + 22);
  return {"image/bmp", little<std::uint32_t>(bytes, 18),
          static_cast<std::uint64_t>(height < 0 ? -height : height)};
}

ImageHead head_of(std::string_view bytes) noexcept {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return png_head(bytes);
  if (bytes.starts_with("\xff\xd8\xff")) return jpeg_head(bytes);
  if (bytes.starts_with("GIF8")) return gif_head(bytes);
  if (bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP")) return webp_head(bytes);
  if (bytes.starts_with("BM")) return bmp_head(bytes);
  return {};
}

}  // namespace

std::optional<ImageHead> image_head(std::string_view bytes) noexcept {
  const ImageHead head = head_of(bytes);
  if (head.width == 0 || head.height == 0) return std::nullopt;
  return head;
}

bool PixelAllowance::take(const ImageHead& head, std::uint64_t bytes) noexcept {
  const std::uint64_t allowed = left_ + image_pixels_per_byte * bytes;
  if (head.pixels() > most_image_pixels || head.pixels() > allowed) return false;
  left_ = allowed - head.pixels();
  return true;
}

}  // namespace polycodec::cli
