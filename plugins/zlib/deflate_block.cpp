// SPDX-License-Identifier: MIT
#include "deflate_block.hpp"

#include <base/compress_blocks.hpp>
#include <polycodec/error.hpp>

#include "deflate_end.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include <isa-l/igzip_lib.h>

namespace polycodec::zlib {

namespace {

constexpr std::size_t pack_bytes = std::size_t{1} << 16;  // made at a time

using Compressor = std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)>;

/// Level 1: ISA-L, at the strength whose output is about as small as that of zlib. A block may
/// repeat what the one before ended with.
void pack_fast(const Block& block, TextBlock& packed) {
  const auto stream = std::make_unique<isal_zstream>();
  const std::unique_ptr<std::uint8_t[]> memory(new std::uint8_t[ISAL_DEF_LVL2_DEFAULT]);
  isal_deflate_init(stream.get());
  stream->level = 2;
  stream->level_buf = memory.get();
  stream->level_buf_size = ISAL_DEF_LVL2_DEFAULT;
  if (!block.before.empty())
    isal_deflate_set_dict(stream.get(), input_of(block.before),
                          static_cast<std::uint32_t>(block.before.size()));
  stream->end_of_stream = block.is_last ? 1 : 0;
  stream->flush = block.is_last ? NO_FLUSH : SYNC_FLUSH;
  stream->next_in = input_of(block.bytes);
  stream->avail_in = static_cast<std::uint32_t>(block.bytes.size());
  do {
    char* const to = packed.reserve(pack_bytes);
    stream->next_out = reinterpret_cast<std::uint8_t*>(to);
    stream->avail_out = pack_bytes;
    if (isal_deflate(stream.get()) != COMP_OK)
      throw Error(Status::internal, "ISA-L does not compress");
    packed.commit(to + pack_bytes - stream->avail_out);
  } while (stream->avail_out == 0);
}

/// Another level: libdeflate, which makes streams that end. Where another block follows, the mark
/// of the last block is taken away, and an empty stored block leads to the next byte.
void pack_small(int level, const Block& block, TextBlock& packed) {
  // What libdeflate calls the level whose output is about as small as that of zlib.
  constexpr int like_zlib[] = {0, 1, 1, 1, 2, 4, 6, 6, 7, 8};
  const Compressor compressor(libdeflate_alloc_compressor(like_zlib[level]),
                              &libdeflate_free_compressor);
  if (compressor == nullptr) throw std::bad_alloc();
  constexpr std::size_t join_bytes = 5;
  const std::size_t bound = libdeflate_deflate_compress_bound(compressor.get(), block.bytes.size());
  char* const to = packed.reserve(bound + join_bytes);
  std::size_t size = libdeflate_deflate_compress(compressor.get(), block.bytes.data(),
                                                 block.bytes.size(), to, bound);
  if (!block.is_last) {
    const DeflateEnd end = find_deflate_end({to, size});
    char& head = to[end.last_block / 8];
    head = static_cast<char>(head & ~(1 << end.last_block % 8));
    // Three bits are the head of the stored block, all zero as the rest of their byte.
    if ((end.end + 3 + 7) / 8 > size) to[size++] = 0;
    std::memcpy(to + size, "\0\0\xff\xff", 4);
    size += 4;
  }
  packed.commit(to + size);
}

/// Compresses a block. The first may be the last; another one follows at a whole byte.
void pack_deflate(int level, const Block& block, TextBlock& packed) {
  if (level == 1)
    pack_fast(block, packed);
  else
    pack_small(level, block, packed);
}

}  // namespace

std::uint32_t write_deflate(Call& call, const Pieces& pieces, Writer& out, int level,
                            const Checksum& checksum) {
  constexpr std::uint64_t block_bytes = std::uint64_t{1} << 19;
  const std::uint64_t history = level == 1 ? 32768 : 0;  // bytes that a block may repeat
  const double units = level == 1 ? 1 : 4;               // for each byte
  const std::uint64_t size = pieces.size();
  if (size == 0) out.put_text({"\3\0", 2});  // a block without codes
  std::vector<std::uint32_t> sums(static_cast<std::size_t>((size + block_bytes - 1) / block_bytes));
  write_blocks(
      call, pieces, out, block_bytes, history, units, [&](const Block& block, TextBlock& packed) {
        sums[static_cast<std::size_t>(block.offset / block_bytes)] = checksum.of(block.bytes);
        pack_deflate(level, block, packed);
      });
  std::uint32_t sum = checksum.none;
  for (std::size_t i = 0; i < sums.size(); ++i)
    sum = checksum.combine(sum, sums[i], std::min(block_bytes, size - i * block_bytes));
  return sum;
}

}  // namespace polycodec::zlib
