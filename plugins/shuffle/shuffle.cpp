// SPDX-License-Identifier: MIT
// Byte shuffle: of numbers that are alike, the bytes of one place are alike too, and compress better side by side.
#include <polycodec/byte_run.hpp>

#include "planes.hpp"
#include "polycodec_manifest.h"

#include <memory>

namespace {
using namespace polycodec;

class Codec {
 public:
  static constexpr const char* name = POLYCODEC_MANIFEST_CODEC_0_NAME;
  static constexpr const char* description = POLYCODEC_MANIFEST_CODEC_0_DESCRIPTION;

  Codec(Host, const Options& options)
      : item_bytes_(static_cast<std::size_t>(options.get("item_bytes", std::int64_t{8}))) {}

  void encode(const Call& call, View value, Writer& out) const {
    const ByteRun run(value);
    out.expect(run.size());
    std::vector<std::uint8_t> buffer;
    const auto bytes = run.contiguous(buffer);
    auto planes = std::make_unique_for_overwrite<std::uint8_t[]>(bytes.size());
    shuffle::to_planes(bytes, item_bytes_, planes.get(), [&call] { call.check_cancelled(); });
    const std::uint8_t* const data = planes.get();
    out.adopt(planes.release(), [](void* object) { delete[] static_cast<std::uint8_t*>(object); });
    out.reference(data, bytes.size());
  }

  const polycodec_node* decode(const Call& call, const Input& input, Builder& out) const {
    const std::string_view planes = input.bytes();
    auto* bytes = out.allocate<std::uint8_t>(planes.size());
    shuffle::from_planes({reinterpret_cast<const std::uint8_t*>(planes.data()), planes.size()}, item_bytes_, bytes,
                         [&call] { call.check_cancelled(); });
    return out.root(Builder::bytes_view(std::as_bytes(std::span(bytes, planes.size()))));
  }

 private:
  const std::size_t item_bytes_;
};

}  // namespace

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, codecs_interface<Codec>)
