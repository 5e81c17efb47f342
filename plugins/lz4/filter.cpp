// SPDX-License-Identifier: MIT
#include "filter.hpp"

#include <base/byte_slices.hpp>
#include <base/compress_blocks.hpp>
#include <base/filter_output.hpp>
#include <polycodec/byte_order.hpp>

#include <lz4.h>
#include <lz4frame.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <vector>

namespace polycodec::lz4 {

namespace {

// Of a block, and of input at a time: its bound fits a window of the sink.
constexpr std::size_t piece_bytes = 262144;
constexpr LZ4F_blockSizeID_t piece_size = LZ4F_max256KB;

struct Free {
  void operator()(LZ4F_cctx* context) const { LZ4F_freeCompressionContext(context); }
  void operator()(LZ4F_dctx* context) const { LZ4F_freeDecompressionContext(context); }
};

std::size_t check(std::size_t code) {
  if (LZ4F_isError(code) != 0)
    throw Error(Status::internal, std::string("lz4: ") + LZ4F_getErrorName(code));
  return code;
}

using Compressor = std::unique_ptr<LZ4F_cctx, Free>;
using Decompressor = std::unique_ptr<LZ4F_dctx, Free>;

Compressor make_compressor() {
  LZ4F_cctx* made = nullptr;
  check(LZ4F_createCompressionContext(&made, LZ4F_VERSION));
  return Compressor(made);
}

Decompressor make_decompressor() {
  LZ4F_dctx* made = nullptr;
  check(LZ4F_createDecompressionContext(&made, LZ4F_VERSION));
  return Decompressor(made);
}

/// The header of the frame; `at` becomes where it ends. A size of 0 means that it does not say one.
LZ4F_frameInfo_t read_header(LZ4F_dctx* context, std::string_view packed, std::size_t& at) {
  LZ4F_frameInfo_t info{};
  at = packed.size();
  if (const std::size_t code = LZ4F_getFrameInfo(context, &info, packed.data(), &at);
      LZ4F_isError(code) != 0)
    throw Error(packed.size() < LZ4F_HEADER_SIZE_MIN ? Status::truncated : Status::malformed,
                std::string("not an LZ4 frame: ") + LZ4F_getErrorName(code), 0);
  if (info.frameType == LZ4F_skippableFrame)
    throw Error(Status::malformed, "a skippable LZ4 frame holds no bytes", 0);
  return info;
}

std::uint64_t size_in(const LZ4F_frameInfo_t& info) {
  return info.contentSize == 0 ? POLYCODEC_SIZE_UNKNOWN : info.contentSize;
}

/// Writes blocks that do not refer to each other, so that several threads pack and unpack them.
void encode_blocks(const Call& call, const Pieces& pieces, Writer& out,
                   LZ4F_preferences_t preferences) {
  preferences.frameInfo.blockMode = LZ4F_blockIndependent;
  preferences.autoFlush = 1;
  const std::size_t bound = LZ4F_compressBound(piece_bytes, &preferences);
  char header[LZ4F_HEADER_SIZE_MAX];
  const std::size_t header_bytes =
      check(LZ4F_compressBegin(make_compressor().get(), header, sizeof header, &preferences));
  out.put_bytes(header, header_bytes);
  write_blocks(call, pieces, out, piece_bytes, 0, 0.5, [&](const Block& block, TextBlock& packed) {
    const Compressor context = make_compressor();
    char unused[LZ4F_HEADER_SIZE_MAX];  // a context packs nothing before it made a header
    check(LZ4F_compressBegin(context.get(), unused, sizeof unused, &preferences));
    char* const to = packed.reserve(bound);
    packed.commit(to + check(LZ4F_compressUpdate(context.get(), to, bound, block.bytes.data(),
                                                 block.bytes.size(), nullptr)));
  });
  out.put_le(std::uint32_t{0});  // ends the frame
}

/// Unpacks blocks on several threads. False: this frame is another one, or damaged.
bool decode_blocks(const Call& call, std::string_view packed, std::size_t at,
                   const LZ4F_frameInfo_t& info, FilterOutput& out) {
  if (info.contentSize < parallel_bytes || info.blockMode != LZ4F_blockIndependent ||
      info.blockSizeID != piece_size || info.contentChecksumFlag != LZ4F_noContentChecksum ||
      info.blockChecksumFlag != LZ4F_noBlockChecksum || info.dictID != 0)
    return false;
  constexpr std::uint32_t is_stored = std::uint32_t{1} << 31;
  std::vector<std::string_view> blocks;
  std::vector<bool> stored;
  for (;;) {
    if (packed.size() - at < 4) return false;
    const auto word = load<std::uint32_t>(packed.data() + at, std::endian::little);
    at += 4;
    if (word == 0) break;
    if ((word & ~is_stored) > packed.size() - at) return false;
    blocks.push_back(packed.substr(at, word & ~is_stored));
    stored.push_back((word & is_stored) != 0);
    at += word & ~is_stored;
  }
  if (at != packed.size() || blocks.size() != (info.contentSize - 1) / piece_bytes + 1)
    return false;
  const auto room = out.whole();
  std::atomic<bool> is_good = true;
  call.parallel_for(blocks.size(), 1, [&](Call& own, std::uint64_t i, std::uint64_t) {
    if (!is_good) return;
    const auto number = static_cast<std::size_t>(i);
    const std::string_view block = blocks[number];
    const auto to = room.subspan(number * piece_bytes)
                        .first(std::min(piece_bytes, room.size() - number * piece_bytes));
    own.tick(to.size() / 8 + 1);
    if (stored[number]) {
      if (block.size() == to.size())
        std::memcpy(to.data(), block.data(), to.size());
      else
        is_good = false;
    } else if (LZ4_decompress_safe(block.data(), reinterpret_cast<char*>(to.data()),
                                   static_cast<int>(block.size()),
                                   static_cast<int>(to.size())) != static_cast<int>(to.size())) {
      is_good = false;
    }
  });
  if (is_good) out.commit_whole();
  return is_good;
}

}  // namespace

Lz4::Lz4(Call&, const Options& options)
    : level_(static_cast<int>(options.get("level", std::int64_t{0}))) {}

void Lz4::encode(Call& call, const Pieces& pieces, Writer& out) const {
  LZ4F_preferences_t preferences{};
  preferences.frameInfo.blockSizeID = piece_size;
  preferences.frameInfo.contentSize = pieces.size();
  preferences.compressionLevel = level_;
  if (pieces.size() >= parallel_bytes) return encode_blocks(call, pieces, out, preferences);
  const Compressor context = make_compressor();
  const std::size_t bound = LZ4F_compressBound(piece_bytes, &preferences) + LZ4F_HEADER_SIZE_MAX;
  out.commit(check(LZ4F_compressBegin(context.get(), out.reserve(bound), bound, &preferences)));
  for (std::size_t i = 0; i < pieces.count(); ++i)
    for_each_part(call, pieces[i], piece_bytes, 0.5, [&](std::string_view part) {
      out.commit(check(LZ4F_compressUpdate(context.get(), out.reserve(bound), bound, part.data(),
                                           part.size(), nullptr)));
    });
  out.commit(check(LZ4F_compressEnd(context.get(), out.reserve(bound), bound, nullptr)));
}

void Lz4::decode(Call& call, std::string_view packed, std::uint64_t expected, Writer& out) const {
  const Decompressor context = make_decompressor();
  std::size_t at = 0;
  const LZ4F_frameInfo_t info = read_header(context.get(), packed, at);
  FilterOutput bytes(call, out, packed.size(), size_in(info), expected, 8);
  if (decode_blocks(call, packed, at, info, bytes)) return;
  for (std::size_t hint = 1; hint != 0;) {
    const auto room = bytes.room();
    std::size_t made_bytes = room.size(), taken = packed.size() - at;
    hint = LZ4F_decompress(context.get(), room.data(), &made_bytes, packed.data() + at, &taken,
                           nullptr);
    if (LZ4F_isError(hint) != 0)
      throw Error(Status::malformed, std::string("damaged LZ4 frame: ") + LZ4F_getErrorName(hint),
                  at);
    at += taken;
    bytes.commit(made_bytes);
    if (hint != 0 && taken == 0 && made_bytes == 0)
      throw Error(at == packed.size() ? Status::truncated : Status::malformed,
                  "the LZ4 frame does not end where it says", at);
  }
  if (at != packed.size())
    throw Error(Status::trailing,
                std::to_string(packed.size() - at) + " bytes follow the LZ4 frame", at);
  bytes.finish();
}

std::uint64_t Lz4::decoded_size(Call&, std::string_view packed) const {
  std::size_t at = 0;
  return size_in(read_header(make_decompressor().get(), packed, at));
}

}  // namespace polycodec::lz4
