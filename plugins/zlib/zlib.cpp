// SPDX-License-Identifier: MIT
// zlib streams (RFC 1950).
#include <polycodec/byte_run.hpp>

#include "polycodec_manifest.h"

#include <zlib.h>

namespace {
using namespace polycodec;

constexpr std::size_t window_bytes = 65536;
constexpr std::size_t step_bytes = std::size_t{1} << 20;  // of input between two looks at the cancel flag

struct Deflate {
  z_stream z{};
  explicit Deflate(int level) {
    if (deflateInit(&z, level) != Z_OK) throw Error(Status::memory, "no memory for compressing");
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

class Codec {
 public:
  static constexpr const char* name = POLYCODEC_MANIFEST_CODEC_0_NAME;
  static constexpr const char* description = POLYCODEC_MANIFEST_CODEC_0_DESCRIPTION;

  Codec(Host, const Options& options) : level_(static_cast<int>(options.get("level", std::int64_t{6}))) {}

  void encode(const Call& call, View value, Writer& out) const {
    const ByteRun run(value);
    Deflate stream(level_);
    const auto pump = [&](int flush) {
      do {
        stream.z.next_out = out.reserve(window_bytes);
        stream.z.avail_out = window_bytes;
        deflate(&stream.z, flush);
        out.commit(window_bytes - stream.z.avail_out);
      } while (stream.z.avail_out == 0);
    };
    for (std::size_t i = 0; i < run.count(); ++i) {
      for (auto rest = run.piece(i); !rest.empty();) {
        call.check_cancelled();
        const std::size_t n = std::min(rest.size(), step_bytes);
        stream.z.next_in = const_cast<Bytef*>(rest.data());  // zlib does not write there
        stream.z.avail_in = static_cast<uInt>(n);
        pump(Z_NO_FLUSH);
        rest = rest.subspan(n);
      }
    }
    pump(Z_FINISH);
  }

  const polycodec_node* decode(const Call& call, const Input& input, Builder& out) const {
    const std::string_view packed = input.bytes();
    ByteOutput bytes(call, out, packed.size(), 0);
    Inflate stream;
    std::size_t at = 0;
    for (int status = Z_OK; status != Z_STREAM_END;) {
      const auto room = bytes.room();
      const std::size_t in = std::min(packed.size() - at, step_bytes), space = std::min(room.size(), step_bytes);
      call.check_cancelled();
      stream.z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + at));
      stream.z.avail_in = static_cast<uInt>(in);
      stream.z.next_out = room.data();
      stream.z.avail_out = static_cast<uInt>(space);
      status = inflate(&stream.z, Z_NO_FLUSH);
      at += in - stream.z.avail_in;
      bytes.commit(space - stream.z.avail_out);
      if (status == Z_BUF_ERROR || (status == Z_OK && at == packed.size() && stream.z.avail_out != 0))
        throw Error(Status::truncated, "the zlib stream ends too early", packed.size());
      if (status == Z_MEM_ERROR) throw Error(Status::memory, "no memory for decompressing");
      if (status != Z_OK && status != Z_STREAM_END)
        throw Error(Status::malformed,
                    std::string("not a zlib stream: ") + (stream.z.msg == nullptr ? "damaged" : stream.z.msg), at);
    }
    if (at != packed.size())
      throw Error(Status::trailing, std::to_string(packed.size() - at) + " bytes follow the zlib stream", at);
    return bytes.finish();
  }

 private:
  const int level_;
};

}  // namespace

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, codecs_interface<Codec>)
