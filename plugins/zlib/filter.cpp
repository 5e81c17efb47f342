// SPDX-License-Identifier: MIT
#include "filter.hpp"

#include <base/filter_output.hpp>

#include <zlib.h>

namespace polycodec::zlib {

namespace {

constexpr std::size_t window_bytes = 65536;
constexpr std::size_t step_bytes = std::size_t{1} << 16;

struct Deflate {
  z_stream z{};
  explicit Deflate(int level) {
    if (deflateInit(&z, level) != Z_OK) throw Error(Status::memory, "no memory for compressing");
  }
  Deflate(const Deflate&) = delete;
  Deflate& operator=(const Deflate&) = delete;
  ~Deflate() { deflateEnd(&z); }
};

struct Inflate {
  z_stream z{};
  Inflate() {
    if (inflateInit(&z) != Z_OK) throw Error(Status::memory, "no memory for decompressing");
  }
  Inflate(const Inflate&) = delete;
  Inflate& operator=(const Inflate&) = delete;
  ~Inflate() { inflateEnd(&z); }
};

/// zlib does not write to its input.
Bytef* input_of(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
}

}  // namespace

Zlib::Zlib(Call&, const Options& options)
    : level_(static_cast<int>(options.get("level", std::int64_t{6}))) {}

void Zlib::encode(Call& call, const Pieces& pieces, Writer& out) const {
  Deflate stream(level_);
  const auto pump = [&](int flush) {
    do {
      stream.z.next_out = out.reserve(window_bytes);
      stream.z.avail_out = window_bytes;
      deflate(&stream.z, flush);
      out.commit(window_bytes - stream.z.avail_out);
    } while (stream.z.avail_out == 0);
  };
  for (std::size_t i = 0; i < pieces.count(); ++i)
    for_each_part(call, pieces[i], step_bytes, 4, [&](std::string_view part) {
      stream.z.next_in = input_of(part);
      stream.z.avail_in = static_cast<uInt>(part.size());
      pump(Z_NO_FLUSH);
    });
  pump(Z_FINISH);
}

void Zlib::decode(Call& call, std::string_view packed, std::uint64_t expected, Writer& out) const {
  FilterOutput bytes(call, out, packed.size(), POLYCODEC_SIZE_UNKNOWN, expected, 2);
  Inflate stream;
  std::size_t at = 0;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    auto room = bytes.room();
    // The checksum follows the last byte, so the stream continues with one byte of room that it
    // must not use.
    std::uint8_t spare = 0;
    const bool full = room.empty();
    if (full) room = {&spare, 1};
    const std::size_t in = std::min(packed.size() - at, step_bytes);
    stream.z.next_in = input_of(packed.substr(at));
    stream.z.avail_in = static_cast<uInt>(in);
    stream.z.next_out = room.data();
    stream.z.avail_out = static_cast<uInt>(room.size());
    status = inflate(&stream.z, Z_NO_FLUSH);
    at += in - stream.z.avail_in;
    if (full && stream.z.avail_out == 0) bytes.throw_more();
    if (!full) bytes.commit(room.size() - stream.z.avail_out);
    if (status == Z_BUF_ERROR || (status == Z_OK && at == packed.size() && stream.z.avail_out != 0))
      throw Error(Status::truncated, "the zlib stream ends too early", packed.size());
    if (status == Z_MEM_ERROR) throw Error(Status::memory, "no memory for decompressing");
    if (status != Z_OK && status != Z_STREAM_END)
      throw Error(
          Status::malformed,
          std::string("not a zlib stream: ") + (stream.z.msg == nullptr ? "damaged" : stream.z.msg),
          at);
  }
  if (at != packed.size())
    throw Error(Status::trailing,
                std::to_string(packed.size() - at) + " bytes follow the zlib stream", at);
  bytes.finish();
}

}  // namespace polycodec::zlib
