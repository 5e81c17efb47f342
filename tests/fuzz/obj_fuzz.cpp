// SPDX-License-Identifier: MIT
#include <model/mesh/whole.hpp>

#include "../../plugins/obj/codec.hpp"
#include "codec_fuzz.hpp"

namespace polycodec::test {
namespace {

// What elements of PLY files hold whole comes back as the same file.
void fuzz_elements(std::string_view bytes) {
  const TestCall call(fuzz_limits());
  // Line ends are not kept.
  const auto codec = make<obj::Obj>({{"line_ending", Builder::string_view("lf")}});
  const auto value = fuzz_decode(codec, bytes, call);
  if (!value) return;
  Losses losses;
  const Value elements = Value::build(
      [&](Builder& out) { return mesh::statements_to_elements(View(value->view()), out, losses); });
  if (losses.empty() && encode(codec, elements.view(), call) != encode(codec, value->view(), call))
    std::abort();
}

}  // namespace
}  // namespace polycodec::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view forms[] = {"file", "mesh", "dict", "array_dict", "list"};
  polycodec::test::fuzz_elements({reinterpret_cast<const char*>(data), size});
  return polycodec::test::fuzz_codec<polycodec::obj::Obj>(data, size, forms);
}
