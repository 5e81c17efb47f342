// SPDX-License-Identifier: MIT
// Any bytes to the filters before a codec: the first byte chooses one. What is decoded can be
// encoded, and comes back.

#include "core/value/value.hpp"
#include "registry/codec/registry.hpp"

#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {
using namespace polycodec;

std::vector<Codec> filters() {
  const Registry registry = Registry::open();
  std::vector<Codec> all;
  for (const char* name :
       {"crc32", "crc32c", "lz4", "shuffle", "xxhash", "zlib", "zstd", "gzip", "xz", "bzip2"})
    all.push_back(registry.codec_with_json("msgpack-ndarray", std::string_view(),
                                           R"([{"id": ")" + std::string(name) + "\"}]"));
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Codec> codecs = filters();
  if (size == 0) return 0;
  const Codec& codec = codecs[data[0] % codecs.size()];
  CallOptions options;
  options.limits = Limits();
  options.limits->max_memory_bytes = std::uint64_t{64} << 20;
  Value value;
  try {
    codec.decode_into(value, std::string_view(reinterpret_cast<const char*>(data) + 1, size - 1),
                      options);
  } catch (const Error& error) {
    if (error.code() == Status::internal || error.code() == Status::invalid) std::abort();
    return 0;
  }
  const Value again = codec.decode(Source::owned(codec.encode_to_string(value.view())), options);
  if (!equal(value.view(), again.view())) std::abort();
  return 0;
}
