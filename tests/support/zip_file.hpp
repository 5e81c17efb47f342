// SPDX-License-Identifier: MIT
// ZIP archives as tests need them.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <vector>

namespace polycodec::test {

/// Archives byte by byte, so that every lie can be told.
struct ZipItem {
  std::string name;
  std::string content;
  bool deflate = false;
  std::uint32_t flags = 0;
  int method = -1;               // -1: what `deflate` says
  std::int64_t declared = -1;    // -1: the size of content
  std::uint32_t attributes = 0;  // external, of a Unix system
  std::int64_t header_at = -1;   // -1: where the header is
  bool bad_crc = false;
};

inline void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xff);
}

inline std::string deflated(const std::string& content) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string archive(const std::vector<ZipItem>& items) {
  std::string out, directory;
  for (const ZipItem& item : items) {
    const std::string packed = item.deflate ? deflated(item.content) : item.content;
    const auto crc = crc32(0, reinterpret_cast<const Bytef*>(item.content.data()),
                           static_cast<uInt>(item.content.size())) ^
                     (item.bad_crc ? 1u : 0u);
    std::string common;  // what both headers hold
    put(common, 20, 2);
    put(common, item.flags, 2);
    put(common,
        static_cast<std::uint64_t>(item.method >= 0 ? item.method
                                   : item.deflate   ? 8
                                                    : 0),
        2);
    put(common, 0x00210000, 4);
    put(common, crc, 4);
    put(common, packed.size(), 4);
    put(common,
        item.declared >= 0 ? static_cast<std::uint64_t>(item.declared) : item.content.size(), 4);
    put(common, item.name.size(), 2);
    put(common, 0, 2);
    directory += "PK\1\2";
    put(directory, (3 << 8) | 20, 2);
    directory += common;
    put(directory, 0, 6);
    put(directory, item.attributes, 4);
    put(directory, item.header_at >= 0 ? static_cast<std::uint64_t>(item.header_at) : out.size(),
        4);
    directory += item.name;
    out += "PK\3\4" + common + item.name + packed;
  }
  std::string end = "PK\5\6";
  put(end, 0, 4);
  put(end, items.size(), 2);
  put(end, items.size(), 2);
  put(end, directory.size(), 4);
  put(end, out.size(), 4);
  put(end, 0, 2);
  return out + directory + end;
}

}  // namespace polycodec::test
