// SPDX-License-Identifier: MIT
#include "png.hpp"

#include <polycodec/byte_order.hpp>
#include <polycodec/error.hpp>

#include <zlib.h>

#include <string_view>

namespace polycodec::cli {
namespace {

void put_number(std::string& out, std::uint32_t value) {
  char bytes[4];
  store_be(bytes, value);
  out.append(bytes, sizeof bytes);
}

void put_chunk(std::string& out, std::string_view type, std::string_view data) {
  put_number(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t start = out.size();
  out.append(type).append(data);
  const auto* checked = reinterpret_cast<const Bytef*>(out.data() + start);
  put_number(out,
             static_cast<std::uint32_t>(crc32(0, checked, static_cast<uInt>(out.size() - start))));
}

}  // namespace

std::string to_png(const Image& image) {
  std::string rows;
  for (std::size_t y = 0; y < image.height; ++y) {
    rows.push_back('\0');  // no filter
    rows.append(reinterpret_cast<const char*>(image.pixels.data()) + y * image.width * 3,
                image.width * 3);
  }
  uLongf size = compressBound(static_cast<uLong>(rows.size()));
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                reinterpret_cast<const Bytef*>(rows.data()), static_cast<uLong>(rows.size()),
                Z_BEST_SPEED) != Z_OK)
    throw Error(Status::memory, "no memory for the image");
  packed.resize(size);

  std::string out("\x89PNG\r\n\x1a\n", 8);
  std::string header;
  put_number(header, static_cast<std::uint32_t>(image.width));
  put_number(header, static_cast<std::uint32_t>(image.height));
  header.append("\x08\x02\x00\x00\x00", 5);  // 8 bits, RGB
  put_chunk(out, "IHDR", header);
  put_chunk(out, "IDAT", packed);
  put_chunk(out, "IEND", {});
  return out;
}

}  // namespace polycodec::cli
