// SPDX-License-Identifier: MIT
// Zstandard frames (RFC 8878).
#include <polycodec/byte_run.hpp>

#include "polycodec_manifest.h"

#include <zstd.h>

#include <memory>

namespace {
using namespace polycodec;

constexpr std::size_t step_bytes = std::size_t{1} << 20;  // of input between two looks at the cancel flag

struct Free {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

class Codec {
 public:
  static constexpr const char* name = POLYCODEC_MANIFEST_CODEC_0_NAME;
  static constexpr const char* description = POLYCODEC_MANIFEST_CODEC_0_DESCRIPTION;

  Codec(Host, const Options& options) : level_(static_cast<int>(options.get("level", std::int64_t{3}))) {}

  void encode(const Call& call, View value, Writer& out) const {
    const ByteRun run(value);
    const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
    if (!context) throw Error(Status::memory, "no memory for compressing");
    check(ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level_));
    check(ZSTD_CCtx_setPledgedSrcSize(context.get(), run.size()));
    const std::size_t window = ZSTD_CStreamOutSize();
    const auto pump = [&](std::span<const std::uint8_t> bytes, ZSTD_EndDirective mode) {
      ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
      for (std::size_t left = 1; mode == ZSTD_e_end ? left != 0 : in.pos != in.size;) {
        ZSTD_outBuffer buffer{out.reserve(window), window, 0};
        left = check(ZSTD_compressStream2(context.get(), &buffer, &in, mode));
        out.commit(buffer.pos);
      }
    };
    for (std::size_t i = 0; i < run.count(); ++i) {
      for (auto rest = run.piece(i); !rest.empty();) {
        call.check_cancelled();
        const std::size_t n = std::min(rest.size(), step_bytes);
        pump(rest.first(n), ZSTD_e_continue);
        rest = rest.subspan(n);
      }
    }
    pump({}, ZSTD_e_end);
  }

  const polycodec_node* decode(const Call& call, const Input& input, Builder& out) const {
    const std::string_view packed = input.bytes();
    const std::uint64_t declared = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (declared == ZSTD_CONTENTSIZE_ERROR)
      throw Error(packed.size() < 6 ? Status::truncated : Status::malformed, "not a Zstandard frame", 0);
    ByteOutput bytes(call, out, packed.size(), declared == ZSTD_CONTENTSIZE_UNKNOWN ? 0 : declared);
    const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
    if (!context) throw Error(Status::memory, "no memory for decompressing");
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    for (std::size_t hint = 1; hint != 0;) {
      call.check_cancelled();
      // A frame whose size is declared fills its room to the last byte, and the end of the frame comes after that.
      const auto room = bytes.size() == declared ? std::span<std::uint8_t>() : bytes.room();
      ZSTD_outBuffer buffer{room.data(), std::min(room.size(), step_bytes), 0};
      const std::size_t before = in.pos;
      hint = ZSTD_decompressStream(context.get(), &buffer, &in);
      if (ZSTD_isError(hint) != 0)
        throw Error(Status::malformed, std::string("damaged Zstandard frame: ") + ZSTD_getErrorName(hint), before);
      bytes.commit(buffer.pos);
      if (hint != 0 && in.pos == in.size && buffer.pos < buffer.size)
        throw Error(Status::truncated, "the Zstandard frame ends too early", packed.size());
      if (hint != 0 && in.pos == before && buffer.pos == 0)
        throw Error(in.pos == in.size ? Status::truncated : Status::malformed,
                    "the Zstandard frame does not end where it says", in.pos);
    }
    if (in.pos != in.size)
      throw Error(Status::trailing, std::to_string(in.size - in.pos) + " bytes follow the Zstandard frame", in.pos);
    return bytes.finish();
  }

 private:
  static std::size_t check(std::size_t code) {
    if (ZSTD_isError(code) != 0) throw Error(Status::internal, std::string("zstd: ") + ZSTD_getErrorName(code));
    return code;
  }
  const int level_;
};

}  // namespace

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, codecs_interface<Codec>)
