// SPDX-License-Identifier: MIT
#include "filter.hpp"

#include <base/byte_slices.hpp>
#include <base/compress_blocks.hpp>
#include <base/filter_output.hpp>

#include <zlib.h>

#include <vector>

namespace polycodec::zlib {

namespace {

constexpr std::size_t window_bytes = 65536;
constexpr std::size_t step_bytes = std::size_t{1} << 16;

struct Deflate {
  z_stream z{};
  /// `bits`: of the window; negative: neither header nor checksum.
  explicit Deflate(int level, int bits = MAX_WBITS) {
    if (deflateInit2(&z, level, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      throw Error(Status::memory, "no memory for compressing");
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

/// One stream of blocks that several threads compress. Each may repeat what the one before ended
/// with, and ends at a whole byte.
void encode_blocks(const Call& call, const Pieces& pieces, Writer& out, int level) {
  constexpr std::uint64_t block_bytes = std::uint64_t{1} << 19;
  constexpr std::uint64_t history = 32768;
  const int effort = level < 2 ? 0 : level < 6 ? 1 : level == 6 ? 2 : 3;
  const int flags = effort << 6;
  out.put_u8(0x78);  // deflate with a window of 32 KiB
  out.put_u8(static_cast<std::uint8_t>(flags + 31 - (0x7800 + flags) % 31));
  const std::uint64_t size = pieces.size();
  std::vector<uLong> sums(static_cast<std::size_t>((size - 1) / block_bytes + 1));
  write_blocks(call, pieces, out, block_bytes, history, 4,
               [&](const Block& block, TextBlock& packed) {
                 const auto length = static_cast<uInt>(block.bytes.size());
                 sums[static_cast<std::size_t>(block.offset / block_bytes)] =
                     adler32(1, input_of(block.bytes), length);
                 Deflate stream(level, -MAX_WBITS);
                 deflateSetDictionary(&stream.z, input_of(block.before),
                                      static_cast<uInt>(block.before.size()));
                 stream.z.next_in = input_of(block.bytes);
                 stream.z.avail_in = length;
                 do {
                   char* const to = packed.reserve(window_bytes);
                   stream.z.next_out = reinterpret_cast<Bytef*>(to);
                   stream.z.avail_out = window_bytes;
                   deflate(&stream.z, block.is_last ? Z_FINISH : Z_SYNC_FLUSH);
                   packed.commit(to + window_bytes - stream.z.avail_out);
                 } while (stream.z.avail_out == 0);
               });
  uLong sum = sums[0];
  for (std::size_t i = 1; i < sums.size(); ++i)
    sum = adler32_combine(sum, sums[i],
                          static_cast<z_off_t>(std::min(block_bytes, size - i * block_bytes)));
  out.put_be(static_cast<std::uint32_t>(sum));
}

}  // namespace

Zlib::Zlib(Call&, const Options& options)
    : level_(static_cast<int>(options.get("level", std::int64_t{6}))) {}

void Zlib::encode(Call& call, const Pieces& pieces, Writer& out) const {
  if (pieces.size() >= parallel_bytes) return encode_blocks(call, pieces, out, level_);
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
