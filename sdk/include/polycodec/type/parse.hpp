// SPDX-License-Identifier: MIT
// Type notation to types. The grammar stands in docs/type-notation.md.
#pragma once

#include <polycodec/error.hpp>
#include <polycodec/type/parse_options.hpp>
#include <polycodec/type/parse_words.hpp>
#include <polycodec/type/parser.hpp>
#include <polycodec/type/print.hpp>
#include <polycodec/type/type.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace polycodec::type {

/// The type that `text` says. Throws Error with the byte offset and one of these detail words: Error(malformed) with
/// `type-syntax`, `type-unknown` (a word that is no type or no dimension), `type-range` (a number too great) or
/// `type-noncanonical`; Error(type) with `type-not-concrete`; Error(limit) with `limit`. Stack use is bounded by
/// max_depth, time and memory by the length of the text and max_nodes.
inline Type parse(std::string_view text, const ParseOptions& options = {}) {
  if (text.size() > options.max_text)
    throw Error(Status::limit,
                "the type has " + std::to_string(text.size()) + " bytes of text, more than the limit of " +
                    std::to_string(options.max_text),
                options.max_text)
        .detail("limit");
  Type type = detail::Parser(text, options).parse_all();
  if (options.canonical_only) {
    const std::string canonical = print(type);
    if (canonical != text) {
      const auto differ = std::mismatch(text.begin(), text.end(), canonical.begin(), canonical.end());
      const auto at = static_cast<std::size_t>(differ.first - text.begin());
      detail::Scanner::fail(
          at, "type-noncanonical",
          "the type is not in canonical form, where " +
              (at < canonical.size()
                   ? "\"" + detail::Scanner::shorten(std::string_view(canonical).substr(at)) + "\" stands here"
                   : std::string("it ends here")));
    }
  }
  if (options.concrete_only && !type.is_concrete())
    throw Error(Status::type, "no value can have exactly the type " + detail::Scanner::shorten(print(type)), 0)
        .detail("type-not-concrete");
  return type;
}

}  // namespace polycodec::type
