// SPDX-License-Identifier: MIT
#include "filter.hpp"

#include <base/byte_slices.hpp>
#include <base/compress_blocks.hpp>
#include <base/filter_output.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/checked.hpp>

#include <lz4.h>
#include <lz4frame.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
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

/// What bytes begin with.
enum class Start : std::uint8_t { frame, skippable, other };

Start start_of(std::string_view bytes) {
  if (bytes.size() < 4) return Start::other;
  const auto magic = load<std::uint32_t>(bytes.data(), std::endian::little);
  return magic == LZ4F_MAGICNUMBER                      ? Start::frame
         : (magic & ~15u) == LZ4F_MAGIC_SKIPPABLE_START ? Start::skippable
                                                        : Start::other;
}

/// Where the skippable frames at `at` end. Throws if they are cut.
std::size_t after_skippable(std::string_view packed, std::size_t at) {
  while (start_of(packed.substr(at)) == Start::skippable) {
    if (packed.size() - at < 8 ||
        packed.size() - at - 8 < load<std::uint32_t>(packed.data() + at + 4, std::endian::little))
      throw Error(Status::truncated, "the skippable LZ4 frame ends too early", packed.size());
    at += 8 + std::size_t{load<std::uint32_t>(packed.data() + at + 4, std::endian::little)};
  }
  return at;
}

/// The header of the frame at `at`, which becomes where it ends. A size of 0 means that it does not
/// say one.
LZ4F_frameInfo_t read_header(LZ4F_dctx* context, std::string_view packed, std::size_t& at) {
  LZ4F_frameInfo_t info{};
  const std::size_t start = at;
  std::size_t size = packed.size() - at;
  if (const std::size_t code = LZ4F_getFrameInfo(context, &info, packed.data() + at, &size);
      LZ4F_isError(code) != 0)
    throw Error(packed.size() - at < LZ4F_HEADER_SIZE_MIN ? Status::truncated : Status::malformed,
                std::string("not an LZ4 frame: ") + LZ4F_getErrorName(code), start);
  at += size;
  return info;
}

/// Where the frame ends whose blocks begin at `at`; nothing if it is cut.
std::optional<std::size_t> end_of_blocks(std::string_view packed, std::size_t at,
                                         const LZ4F_frameInfo_t& info) {
  constexpr std::uint32_t is_stored = std::uint32_t{1} << 31;
  constexpr std::size_t sum_bytes = 4;
  for (;;) {
    if (packed.size() - at < 4) return std::nullopt;
    const auto word = load<std::uint32_t>(packed.data() + at, std::endian::little);
    at += 4;
    const bool has_sum = word == 0 ? info.contentChecksumFlag != LZ4F_noContentChecksum
                                   : info.blockChecksumFlag != LZ4F_noBlockChecksum;
    const std::size_t size = (word & ~is_stored) + (has_sum ? sum_bytes : 0);
    if (packed.size() - at < size) return std::nullopt;
    at += size;
    if (word == 0) return at;
  }
}

/// The size that the frames say together, as far as they are whole.
std::uint64_t declared_size(LZ4F_dctx* context, std::string_view packed) {
  std::uint64_t sum = 0;
  std::size_t at = after_skippable(packed, 0);
  do {
    LZ4F_resetDecompressionContext(context);
    const LZ4F_frameInfo_t info = read_header(context, packed, at);
    if (info.contentSize == 0) return POLYCODEC_SIZE_UNKNOWN;
    const auto more = checked_add(sum, info.contentSize);
    if (!more) throw Error(Status::malformed, "the LZ4 frames say too large a size", at);
    sum = *more;
    const auto end = end_of_blocks(packed, at, info);
    if (!end) break;
    at = after_skippable(packed, *end);
  } while (start_of(packed.substr(at)) == Start::frame);
  return sum;
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

/// Unpacks the frame whose header ends at `at`, which becomes where the frame ends.
void decode_frame(LZ4F_dctx* context, std::string_view packed, std::size_t& at,
                  FilterOutput& bytes) {
  for (std::size_t hint = 1; hint != 0;) {
    const auto room = bytes.room();
    std::size_t made_bytes = room.size(), taken = packed.size() - at;
    hint = LZ4F_decompress(context, room.data(), &made_bytes, packed.data() + at, &taken, nullptr);
    if (LZ4F_isError(hint) != 0)
      throw Error(Status::malformed, std::string("damaged LZ4 frame: ") + LZ4F_getErrorName(hint),
                  at);
    at += taken;
    bytes.commit(made_bytes);
    if (hint != 0 && taken == 0 && made_bytes == 0)
      throw Error(at == packed.size() ? Status::truncated : Status::malformed,
                  "the LZ4 frame does not end where it says", at);
  }
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
  FilterOutput bytes(call, out, packed.size(), declared_size(context.get(), packed), expected, 8);
  const std::size_t first = after_skippable(packed, 0);
  std::size_t at = first;
  do {
    LZ4F_resetDecompressionContext(context.get());
    const bool is_first = at == first;
    const LZ4F_frameInfo_t info = read_header(context.get(), packed, at);
    if (is_first && decode_blocks(call, packed, at, info, bytes)) return;
    decode_frame(context.get(), packed, at, bytes);
    at = after_skippable(packed, at);
  } while (start_of(packed.substr(at)) == Start::frame);
  if (at != packed.size())
    throw Error(Status::trailing,
                std::to_string(packed.size() - at) +
                    " bytes follow the last LZ4 frame, and are not a frame",
                at);
  bytes.finish();
}

std::uint64_t Lz4::decoded_size(Call&, std::string_view packed) const {
  return declared_size(make_decompressor().get(), packed);
}

}  // namespace polycodec::lz4
