// SPDX-License-Identifier: MIT
#include "../../plugins/obj/codec.hpp"
#include "codec_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view forms[] = {"file", "mesh", "dict", "array_dict", "list"};
  return polycodec::test::fuzz_codec<polycodec::obj::Obj>(data, size, forms);
}
