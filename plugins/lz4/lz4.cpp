// SPDX-License-Identifier: MIT
// LZ4 frames.
#include <polycodec/byte_run.hpp>

#include "block.hpp"
#include "polycodec_manifest.h"

#include <lz4frame.h>

#include <memory>
#include <string_view>

namespace {
using namespace polycodec;

constexpr std::size_t piece_bytes = 262144;               // of input at a time: its bound fits a window of the sink
constexpr std::size_t step_bytes = std::size_t{1} << 20;  // of output between two looks at the cancel flag

struct Free {
  void operator()(LZ4F_cctx* context) const { LZ4F_freeCompressionContext(context); }
  void operator()(LZ4F_dctx* context) const { LZ4F_freeDecompressionContext(context); }
};

class Codec {
 public:
  static constexpr const char* name = POLYCODEC_MANIFEST_CODEC_0_NAME;
  static constexpr const char* description = POLYCODEC_MANIFEST_CODEC_0_DESCRIPTION;

  Codec(Host, const Options& options) : level_(static_cast<int>(options.get("level", std::int64_t{0}))) {}

  void encode(const Call& call, View value, Writer& out) const {
    const ByteRun run(value);
    LZ4F_cctx* made = nullptr;
    check(LZ4F_createCompressionContext(&made, LZ4F_VERSION));
    const std::unique_ptr<LZ4F_cctx, Free> context(made);
    LZ4F_preferences_t preferences{};
    preferences.frameInfo.blockSizeID = LZ4F_max256KB;
    preferences.frameInfo.contentSize = run.size();
    preferences.compressionLevel = level_;
    const std::size_t bound = LZ4F_compressBound(piece_bytes, &preferences) + LZ4F_HEADER_SIZE_MAX;
    out.commit(check(LZ4F_compressBegin(context.get(), out.reserve(bound), bound, &preferences)));
    for (std::size_t i = 0; i < run.count(); ++i) {
      for (auto rest = run.piece(i); !rest.empty();) {
        call.check_cancelled();
        const std::size_t n = std::min(rest.size(), piece_bytes);
        out.commit(check(LZ4F_compressUpdate(context.get(), out.reserve(bound), bound, rest.data(), n, nullptr)));
        rest = rest.subspan(n);
      }
    }
    out.commit(check(LZ4F_compressEnd(context.get(), out.reserve(bound), bound, nullptr)));
  }

  const polycodec_node* decode(const Call& call, const Input& input, Builder& out) const {
    const std::string_view packed = input.bytes();
    LZ4F_dctx* made = nullptr;
    check(LZ4F_createDecompressionContext(&made, LZ4F_VERSION));
    const std::unique_ptr<LZ4F_dctx, Free> context(made);
    LZ4F_frameInfo_t info{};
    std::size_t at = packed.size();
    if (const std::size_t code = LZ4F_getFrameInfo(context.get(), &info, packed.data(), &at); LZ4F_isError(code) != 0)
      throw Error(packed.size() < LZ4F_HEADER_SIZE_MIN ? Status::truncated : Status::malformed,
                  std::string("not an LZ4 frame: ") + LZ4F_getErrorName(code), 0);
    if (info.frameType == LZ4F_skippableFrame)
      throw Error(Status::malformed, "a skippable LZ4 frame holds no bytes", 0);
    ByteOutput bytes(call, out, packed.size(), info.contentSize);
    for (std::size_t hint = 1; hint != 0;) {
      call.check_cancelled();
      const bool full = info.contentSize != 0 && bytes.size() == info.contentSize;
      const auto room = full ? std::span<std::uint8_t>() : bytes.room();
      std::size_t made_bytes = std::min(room.size(), step_bytes), taken = packed.size() - at;
      hint = LZ4F_decompress(context.get(), room.data(), &made_bytes, packed.data() + at, &taken, nullptr);
      if (LZ4F_isError(hint) != 0)
        throw Error(Status::malformed, std::string("damaged LZ4 frame: ") + LZ4F_getErrorName(hint), at);
      at += taken;
      bytes.commit(made_bytes);
      if (hint != 0 && taken == 0 && made_bytes == 0)
        throw Error(at == packed.size() ? Status::truncated : Status::malformed,
                    "the LZ4 frame does not end where it says", at);
    }
    if (at != packed.size())
      throw Error(Status::trailing, std::to_string(packed.size() - at) + " bytes follow the LZ4 frame", at);
    return bytes.finish();
  }

 private:
  static std::size_t check(std::size_t code) {
    if (LZ4F_isError(code) != 0) throw Error(Status::internal, std::string("lz4: ") + LZ4F_getErrorName(code));
    return code;
  }
  const int level_;
};

const void* POLYCODEC_ABI get_interface(const char* id) {
  if (std::string_view(id) == POLYCODEC_FUNCTIONS_INTERFACE) return &lz4_block_functions();
  return codecs_interface<Codec>(id);
}

}  // namespace

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, get_interface)
