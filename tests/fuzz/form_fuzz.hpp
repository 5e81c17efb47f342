// SPDX-License-Identifier: MIT
// Any bytes to a codec with the forms `file` and `mesh`: an error, or a valid value. What is
// written of it is read again, and is written as the same bytes.
#pragma once

#include "codec_fuzz.hpp"

namespace polycodec::test {

template <class Codec>
int fuzz_forms(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Limits limits = fuzz_limits();
  limits.max_elements = 1 << 22;  // accessors without bytes are as long as their count says
  for (const char* form : {"file", "mesh"}) {
    TestCall call(limits);
    call.allow_loss();
    const auto value =
        fuzz_decode(make<Codec>({{"form", Builder::string_view(form)}}), bytes, call);
    if (!value) continue;
    std::string once;
    const auto codec = make<Codec>();
    try {
      once = encode(codec, value->view(), call);
    } catch (const Error& error) {
      expect_honest(error);  // numbers that the format does not have
      continue;
    }
    TestCall next;
    next.allow_loss();
    const Value again = decode(codec, once, next);
    if (encode(codec, again.view(), next) != once) std::abort();
  }
  return 0;
}

}  // namespace polycodec::test
