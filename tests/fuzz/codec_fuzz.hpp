// SPDX-License-Identifier: MIT
// Any bytes to a codec with the option `strict`: an error, or a valid value that is written and read again as the
// same bytes.
#pragma once

#include "codec_calls.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace polycodec::test {

template <class Codec>
void fuzz_with(std::string_view bytes, bool strict) {
  const auto codec = make<Codec>({{"strict", Builder::boolean(strict)}});
  Limits limits;
  limits.max_memory_bytes = 1 << 28;
  limits.max_nodes = 1 << 20;
  limits.max_elements = 1 << 24;
  const TestCall call(limits);
  Value value;
  try {
    value = decode(codec, bytes, call);
  } catch (const Error& error) {
    const auto code = error.code();
    // A value that breaks the rules of the model, or a bug that was noticed, is what this program looks for.
    if (code == Status::invalid || code == Status::internal || error.detail().empty()) std::abort();
    return;
  }
  const auto lenient = make<Codec>();
  const std::string once = encode(lenient, value.view());
  const Value again = decode(lenient, once, call);
  if (encode(lenient, again.view()) != once) std::abort();
}

/// Both modes, one after the other.
template <class Codec>
int fuzz_codec(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  fuzz_with<Codec>(bytes, false);
  fuzz_with<Codec>(bytes, true);
  return 0;
}

}  // namespace polycodec::test
