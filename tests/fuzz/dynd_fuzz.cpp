// SPDX-License-Identifier: MIT
// Any bytes: what one of the codecs accepts must be valid and be written again as the same bytes.
#include "support.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace polycodec;

namespace {

template <class Codec>
void try_codec(const Codec& codec, std::string_view bytes) {
  Limits limits;
  limits.max_memory_bytes = std::uint64_t{64} << 20;
  const test::TestCall call(limits);
  Value value;
  try {
    value = test::decode(codec, bytes, call);
  } catch (const Error& e) {
    if (e.code() != Status::invalid && e.code() != Status::internal) return;
    std::fprintf(stderr, "%s\n", e.describe().c_str());
    std::abort();
  }
  // From here on nothing may be refused: what was read can be written.
  if (test::encode(codec, value.view()) == bytes) return;
  std::fprintf(stderr, "other bytes came back\n");
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto any = test::dynd_codec();
  static const auto cbor = test::cbor_codec();
  static const dynd::Dynd typed[] = {
      test::dynd_codec("var * {a: ?int32, b: string, c: var * array[Any]}"),
      test::dynd_codec("var * (?bool, ?float64, char, ?var * fixed_string[3, 'utf16'], type)"),
      test::dynd_codec(
          "(?pointer[?int8], 3 * ?void, var * ?{x: bytes, y: void}, ?complex[float32])"),
  };
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  test::sniff<dynd::Dynd>(bytes.substr(0, 4096), size);
  try_codec(any, bytes);
  try_codec(cbor, bytes);
  for (const auto& codec : typed) try_codec(codec, bytes);
  return 0;
}
