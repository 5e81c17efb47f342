// SPDX-License-Identifier: MIT
// Any bytes: decode, and what was accepted must be a valid value that comes back from encode and
// decode unchanged. The first byte chooses the options.
#include <polycodec/value.hpp>

#include "support.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace polycodec;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const msgpack_ndarray::MsgpackNdarray codecs[] = {
      test::codec(),
      test::codec({{"documents", Builder::string_view("many")}}),
      test::codec(
          {{"legacy", Builder::boolean(false)}, {"documents", Builder::string_view("one")}}),
      test::codec({{"ext_code", Builder::integer(5)}, {"documents", Builder::string_view("many")}}),
  };
  static const auto numpy = test::codec({{"numpy_maps", Builder::boolean(true)}});
  Limits limits;
  limits.max_memory_bytes = std::uint64_t{64} << 20;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  test::sniff<msgpack_ndarray::MsgpackNdarray>(bytes.substr(0, 4096), size);
  try {
    test::decode(bytes, numpy, limits);
  } catch (const Error&) {
  }
  const auto& codec = codecs[size == 0 ? 0 : data[size - 1] % std::size(codecs)];
  Value value;
  try {
    value = test::decode(bytes, codec, limits);
  } catch (const Error&) {
    return 0;
  }
  // From here on nothing may be refused: what was read is valid and can be written.
  validate(value.view(), limits, Validation::full);
  const std::string again = test::encode(value.view(), codec, limits);
  const Value back = test::decode(again, codec, limits);
  const std::string different = test::difference(value.view(), back.view());
  if (!different.empty()) {
    std::fprintf(stderr, "%s\n", different.c_str());
    std::abort();
  }
  return 0;
}
