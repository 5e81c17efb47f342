// SPDX-License-Identifier: MIT
#include "filter.hpp"

#include <base/filter_output.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/checked.hpp>

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <new>

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

/// True for the first bytes of a frame or skippable frame (RFC 8878, 3.1).
bool is_frame(std::string_view bytes) {
  if (bytes.size() < 4) return false;
  const auto magic = load<std::uint32_t>(bytes.data(), std::endian::little);
  return magic == ZSTD_MAGICNUMBER ||
         (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

/// The size that the frames say together, as far as they are whole.
std::uint64_t declared_size(std::string_view packed) {
  std::uint64_t sum = 0;
  do {
    const std::uint64_t declared = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (declared == ZSTD_CONTENTSIZE_ERROR)
      throw Error(packed.size() < 6 ? Status::truncated : Status::malformed,
                  "not a Zstandard frame", 0);
    if (declared == ZSTD_CONTENTSIZE_UNKNOWN) return POLYCODEC_SIZE_UNKNOWN;
    const auto more = checked_add(sum, declared);
    if (!more) throw Error(Status::malformed, "the Zstandard frames say too large a size", 0);
    sum = *more;
    const std::size_t size = ZSTD_findFrameCompressedSize(packed.data(), packed.size());
    if (ZSTD_isError(size) != 0) break;
    packed.remove_prefix(size);
  } while (is_frame(packed));
  return sum;
}

/// Frames that need a larger window are refused, before memory is taken for it.
void bound_window(ZSTD_DCtx* context, std::uint64_t most) {
  const auto bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
  const int log = static_cast<int>(std::bit_width(most)) - 1;
  check(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax,
                               std::clamp(log, bounds.lowerBound, bounds.upperBound)));
}

[[noreturn]] void throw_damaged(std::size_t code, std::uint64_t most, std::size_t at) {
  if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge)
    throw Error(
        Status::limit,
        "the window of the Zstandard frame exceeds max_memory_bytes (" + std::to_string(most) + ")",
        at)
        .detail("limit.max_memory_bytes");
  if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  throw Error(Status::malformed, std::string("damaged Zstandard frame: ") + ZSTD_getErrorName(code),
              at);
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
  const std::uint64_t most = call.limits().max_memory_bytes;
  bound_window(context.get(), most);
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  for (std::size_t hint = 1; hint != 0 || is_frame(packed.substr(in.pos));) {
    // A frame whose size is declared fills its room to the last byte, and the end of the frame
    // comes after that.
    const auto room = bytes.room();
    ZSTD_outBuffer buffer{room.data(), room.size(), 0};
    const std::size_t before = in.pos;
    hint = ZSTD_decompressStream(context.get(), &buffer, &in);
    if (ZSTD_isError(hint) != 0) throw_damaged(hint, most, before);
    bytes.commit(buffer.pos);
    if (hint != 0 && in.pos == in.size && buffer.pos < buffer.size)
      throw Error(Status::truncated, "the Zstandard frame ends too early", packed.size());
    if (hint != 0 && in.pos == before && buffer.pos == 0)
      throw Error(in.pos == in.size ? Status::truncated : Status::malformed,
                  "the Zstandard frame does not end where it says", in.pos);
  }
  if (in.pos != in.size)
    throw Error(Status::trailing,
                std::to_string(in.size - in.pos) +
                    " bytes follow the last Zstandard frame, and are not a frame",
                in.pos);
  bytes.finish();
}

std::uint64_t Zstd::decoded_size(Call&, std::string_view packed) const {
  return declared_size(packed);
}

}  // namespace polycodec::zstd
