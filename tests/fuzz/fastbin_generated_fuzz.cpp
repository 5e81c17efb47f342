// SPDX-License-Identifier: MIT
// Any bytes as each generated struct: what is accepted can be read, printed, and written as bytes
// that say the same.
#include "access.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace polycodec::test;

namespace {

[[noreturn]] void fail(const Access& access, const char* what) {
  std::fprintf(stderr, "%s.%s: %s\n", access.schema.c_str(), access.name.c_str(), what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A block of exactly this size, so that the sanitizer sees each read outside it.
  Bytes bytes(size);
  if (size != 0) std::memcpy(bytes.data(), data, size);
  for (const Access& access : generated_structs()) {
    std::size_t taken = 0;
    const bool refused = access.check(bytes, false, false).has_value();
    if (access.verify(bytes, &taken).has_value() != refused) fail(access, "open and verify differ");
    if (refused) continue;
    if (taken > size) fail(access, "larger than the buffer");
    const Json value = access.read(bytes);
    if (access.print(bytes).empty()) fail(access, "prints nothing");
    const Bytes written = access.rewrite(bytes);
    if (access.check(written, false, true)) fail(access, "refuses what it wrote");
    if (access.read(written).dump() != value.dump()) fail(access, "another value came back");
  }
  return 0;
}
