// SPDX-License-Identifier: MIT
#include "filter.hpp"

#include <base/filter_output.hpp>

#include <bzlib.h>

#include <algorithm>
#include <new>

namespace polycodec::bzip2 {

namespace {

constexpr std::size_t window_bytes = 65536;
constexpr std::size_t step_bytes = std::size_t{1} << 18;
constexpr std::string_view magic = "BZh";

/// The library does not write to its input.
char* input_of(std::string_view bytes) {
  return const_cast<char*>(bytes.data());
}

struct Compressor {
  bz_stream z{};
  explicit Compressor(int level) {
    if (BZ2_bzCompressInit(&z, level, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;
  ~Compressor() { BZ2_bzCompressEnd(&z); }
};

struct Decompressor {
  bz_stream z{};
  Decompressor() {
    if (BZ2_bzDecompressInit(&z, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;
  ~Decompressor() { BZ2_bzDecompressEnd(&z); }
};

/// Unpacks the stream at `at`, and returns where it ends.
std::size_t decode_stream(std::string_view packed, std::size_t at, FilterOutput& bytes) {
  Decompressor stream;
  for (;;) {
    auto room = bytes.room();
    // A checksum follows the last byte, so the stream continues with one byte of room that it must
    // not use.
    char spare = 0;
    const bool full = room.empty();
    const std::size_t in = std::min(packed.size() - at, step_bytes);
    stream.z.next_in = input_of(packed.substr(at));
    stream.z.avail_in = static_cast<unsigned>(in);
    stream.z.next_out = full ? &spare : reinterpret_cast<char*>(room.data());
    const auto out = static_cast<unsigned>(full ? 1 : room.size());
    stream.z.avail_out = out;
    const int code = BZ2_bzDecompress(&stream.z);
    at += in - stream.z.avail_in;
    const unsigned made = out - stream.z.avail_out;
    if (full && made != 0) bytes.throw_more();
    if (!full) bytes.commit(made);
    if (code == BZ_STREAM_END) return at;
    if (code == BZ_MEM_ERROR) throw std::bad_alloc();
    if (code != BZ_OK)
      throw Error(Status::malformed,
                  code == BZ_DATA_ERROR_MAGIC
                      ? "not a bzip2 stream"
                      : "damaged bzip2 stream: its bytes or a checksum are wrong",
                  at);
    if (made == 0 && stream.z.avail_in == in && at == packed.size())
      throw Error(Status::truncated, "the bzip2 stream ends too early", packed.size());
  }
}

}  // namespace

Bzip2::Bzip2(Call&, const Options& options)
    : level_(static_cast<int>(options.get("level", std::int64_t{9}))) {}

void Bzip2::encode(Call& call, const Pieces& pieces, Writer& out) const {
  Compressor stream(level_);
  const auto pump = [&](int action) {
    for (int code = BZ_OK; code != BZ_STREAM_END;) {
      stream.z.next_out = reinterpret_cast<char*>(out.reserve(window_bytes));
      stream.z.avail_out = window_bytes;
      code = BZ2_bzCompress(&stream.z, action);
      out.commit(window_bytes - stream.z.avail_out);
      if (code < 0) throw Error(Status::internal, "libbz2 does not compress");
      if (action == BZ_RUN && stream.z.avail_in == 0) return;
    }
  };
  for (std::size_t i = 0; i < pieces.count(); ++i)
    for_each_part(call, pieces[i], window_bytes, 8, [&](std::string_view part) {
      stream.z.next_in = input_of(part);
      stream.z.avail_in = static_cast<unsigned>(part.size());
      pump(BZ_RUN);
    });
  pump(BZ_FINISH);
}

void Bzip2::decode(Call& call, std::string_view packed, std::uint64_t expected, Writer& out) const {
  FilterOutput bytes(call, out, packed.size(), POLYCODEC_SIZE_UNKNOWN, expected, 1);
  std::size_t at = 0;
  do at = decode_stream(packed, at, bytes);
  while (packed.substr(at).starts_with(magic));
  if (at != packed.size())
    throw Error(Status::trailing,
                std::to_string(packed.size() - at) +
                    " bytes follow the last bzip2 stream, and are not a stream",
                at);
  bytes.finish();
}

}  // namespace polycodec::bzip2
