// SPDX-License-Identifier: MIT
#include "../../plugins/gltf/codec.hpp"
#include "form_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return polycodec::test::fuzz_forms<polycodec::gltf::Gltf>(data, size);
}
