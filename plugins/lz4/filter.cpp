// SPDX-License-Identifier: MIT
#include "filter.hpp"

#include <base/filter_output.hpp>

#include <lz4frame.h>

#include <memory>

namespace polycodec::lz4 {

namespace {

// Of input at a time: its bound fits a window of the sink.
constexpr std::size_t piece_bytes = 262144;

struct Free {
  void operator()(LZ4F_cctx* context) const { LZ4F_freeCompressionContext(context); }
  void operator()(LZ4F_dctx* context) const { LZ4F_freeDecompressionContext(context); }
};

std::size_t check(std::size_t code) {
  if (LZ4F_isError(code) != 0)
    throw Error(Status::internal, std::string("lz4: ") + LZ4F_getErrorName(code));
  return code;
}

using Decompressor = std::unique_ptr<LZ4F_dctx, Free>;

Decompressor make_decompressor() {
  LZ4F_dctx* made = nullptr;
  check(LZ4F_createDecompressionContext(&made, LZ4F_VERSION));
  return Decompressor(made);
}

/// The size in the header of the frame; `at` becomes where the header ends.
std::uint64_t read_header(LZ4F_dctx* context, std::string_view packed, std::size_t& at) {
  LZ4F_frameInfo_t info{};
  at = packed.size();
  if (const std::size_t code = LZ4F_getFrameInfo(context, &info, packed.data(), &at);
      LZ4F_isError(code) != 0)
    throw Error(packed.size() < LZ4F_HEADER_SIZE_MIN ? Status::truncated : Status::malformed,
                std::string("not an LZ4 frame: ") + LZ4F_getErrorName(code), 0);
  if (info.frameType == LZ4F_skippableFrame)
    throw Error(Status::malformed, "a skippable LZ4 frame holds no bytes", 0);
  // 0 means that the frame does not say it.
  return info.contentSize == 0 ? POLYCODEC_SIZE_UNKNOWN : info.contentSize;
}

}  // namespace

Lz4::Lz4(Call&, const Options& options)
    : level_(static_cast<int>(options.get("level", std::int64_t{0}))) {}

void Lz4::encode(Call& call, const Pieces& pieces, Writer& out) const {
  LZ4F_cctx* made = nullptr;
  check(LZ4F_createCompressionContext(&made, LZ4F_VERSION));
  const std::unique_ptr<LZ4F_cctx, Free> context(made);
  LZ4F_preferences_t preferences{};
  preferences.frameInfo.blockSizeID = LZ4F_max256KB;
  preferences.frameInfo.contentSize = pieces.size();
  preferences.compressionLevel = level_;
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
  const std::uint64_t declared = read_header(context.get(), packed, at);
  FilterOutput bytes(call, out, packed.size(), declared, expected, 8);
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
  return read_header(make_decompressor().get(), packed, at);
}

}  // namespace polycodec::lz4
