// SPDX-License-Identifier: MIT
#include "../../plugins/ply/codec.hpp"
#include "codec_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view forms[] = {"file", "mesh", "dict", "array_dict"};
  return polycodec::test::fuzz_codec<polycodec::ply::Ply>(data, size, forms);
}
