// SPDX-License-Identifier: MIT
// Any bytes as text notation: what is accepted is a valid value, and printing and reading it again
// gives the same text.

#include "core/text/text.hpp"
#include "core/value/value.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace polycodec;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Limits limits;
  limits.max_memory_bytes = std::uint64_t{64} << 20;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Value value;
  try {
    value = parse_text(bytes, limits);
  } catch (const Error&) {
    return 0;
  }
  validate(value.view(), limits, Validation::full);
  const std::string once = to_text(value.view());
  const std::string twice = to_text(parse_text(once, limits).view());
  if (once != twice) {
    std::fprintf(stderr, "%s\n%s\n", once.c_str(), twice.c_str());
    std::abort();
  }
  return 0;
}
