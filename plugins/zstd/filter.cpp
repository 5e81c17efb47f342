// SPDX-License-Identifier: MIT
#include "filter.hpp"

#include <base/filter_output.hpp>

#include <zstd.h>

#include <memory>

namespace polycodec::zstd {

namespace {

constexpr std::size_t step_bytes = std::size_t{1} << 18;

struct Free {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

std::size_t check(std::size_t code) {
  if (ZSTD_isError(code) != 0)
    throw Error(Status::internal, std::string("zstd: ") + ZSTD_getErrorName(code));
  return code;
}

std::uint64_t declared_size(std::string_view packed) {
  const std::uint64_t declared = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (declared == ZSTD_CONTENTSIZE_ERROR)
    throw Error(packed.size() < 6 ? Status::truncated : Status::malformed, "not a Zstandard frame",
                0);
  return declared == ZSTD_CONTENTSIZE_UNKNOWN ? POLYCODEC_SIZE_UNKNOWN : declared;
}

}  // namespace

Zstd::Zstd(Call&, const Options& options)
    : level_(static_cast<int>(options.get("level", std::int64_t{3}))) {}

void Zstd::encode(Call& call, const Pieces& pieces, Writer& out) const {
  const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
  if (!context) throw Error(Status::memory, "no memory for compressing");
  check(ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level_));
  check(ZSTD_CCtx_setPledgedSrcSize(context.get(), pieces.size()));
  const std::size_t window = ZSTD_CStreamOutSize();
  const auto pump = [&](std::string_view bytes, ZSTD_EndDirective mode) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (std::size_t left = 1; mode == ZSTD_e_end ? left != 0 : in.pos != in.size;) {
      ZSTD_outBuffer buffer{out.reserve(window), window, 0};
      left = check(ZSTD_compressStream2(context.get(), &buffer, &in, mode));
      out.commit(buffer.pos);
    }
  };
  for (std::size_t i = 0; i < pieces.count(); ++i)
    for_each_part(call, pieces[i], step_bytes, 1,
                  [&](std::string_view part) { pump(part, ZSTD_e_continue); });
  pump({}, ZSTD_e_end);
}

void Zstd::decode(Call& call, std::string_view packed, std::uint64_t expected, Writer& out) const {
  FilterOutput bytes(call, out, packed.size(), declared_size(packed), expected, 8);
  const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
  if (!context) throw Error(Status::memory, "no memory for decompressing");
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  for (std::size_t hint = 1; hint != 0;) {
    // A frame whose size is declared fills its room to the last byte, and the end of the frame
    // comes after that.
    const auto room = bytes.room();
    ZSTD_outBuffer buffer{room.data(), room.size(), 0};
    const std::size_t before = in.pos;
    hint = ZSTD_decompressStream(context.get(), &buffer, &in);
    if (ZSTD_isError(hint) != 0)
      throw Error(Status::malformed,
                  std::string("damaged Zstandard frame: ") + ZSTD_getErrorName(hint), before);
    bytes.commit(buffer.pos);
    if (hint != 0 && in.pos == in.size && buffer.pos < buffer.size)
      throw Error(Status::truncated, "the Zstandard frame ends too early", packed.size());
    if (hint != 0 && in.pos == before && buffer.pos == 0)
      throw Error(in.pos == in.size ? Status::truncated : Status::malformed,
                  "the Zstandard frame does not end where it says", in.pos);
  }
  if (in.pos != in.size)
    throw Error(Status::trailing,
                std::to_string(in.size - in.pos) + " bytes follow the Zstandard frame", in.pos);
  bytes.finish();
}

std::uint64_t Zstd::decoded_size(Call&, std::string_view packed) const {
  return declared_size(packed);
}

}  // namespace polycodec::zstd
