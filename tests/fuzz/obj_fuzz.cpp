// SPDX-License-Identifier: MIT
// Any bytes as Obj: an error, or a valid value that is written and read again as the same bytes.
#include "../../plugins/obj/codec.hpp"
#include "codec_calls.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using polycodec::test::decode;
using polycodec::test::encode;

void run(std::string_view bytes, bool strict) {
  const auto codec = polycodec::test::make<polycodec::obj::Obj>({{"strict", polycodec::Builder::boolean(strict)}});
  polycodec::Limits limits;
  limits.max_memory_bytes = 1 << 28;
  limits.max_nodes = 1 << 20;
  limits.max_elements = 1 << 24;
  const polycodec::test::TestCall call(limits);
  polycodec::Value value;
  try {
    value = decode(codec, bytes, call);
  } catch (const polycodec::Error& error) {
    const auto code = error.code();
    // A value that breaks the rules of the model, or a bug that was noticed, is what this program looks for.
    if (code == polycodec::Status::invalid || code == polycodec::Status::internal || error.detail().empty())
      std::abort();
    return;
  }
  const auto lenient = polycodec::test::make<polycodec::obj::Obj>();
  const std::string once = encode(lenient, value.view());
  const polycodec::Value again = decode(lenient, once, call);
  if (encode(lenient, again.view()) != once) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  run(bytes, false);
  run(bytes, true);
  return 0;
}
