// SPDX-License-Identifier: MIT
// Any bytes as a type, in both modes: what is accepted prints to text that reads back as the same
// type.
#include <model/type/match.hpp>
#include <model/type/parse.hpp>
#include <model/type/print.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace polycodec;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool strict : {false, true}) {
    type::ParseOptions options;
    options.strict_dynd = strict;
    options.max_text = 4096;
    try {
      const type::Type parsed = type::parse(text, options);
      const std::string printed = type::print(parsed);
      options.max_text = 1 << 20;  // escapes make the canonical text longer
      options.canonical_only = true;
      if (!(type::parse(printed, options) == parsed)) {
        std::fprintf(stderr, "%s\n", printed.c_str());
        std::abort();
      }
      (void)type::matches(parsed, parsed);
    } catch (const Error& error) {
      // Canonical text that is refused would be a fault, and so would an error without a place or a
      // reason.
      if (options.canonical_only || error.message().empty()) {
        std::fprintf(stderr, "%s\n", error.describe().c_str());
        if (error.code() != Status::limit) std::abort();
      }
    }
  }
  return 0;
}
