// SPDX-License-Identifier: MIT
#include <model/type/parse.hpp>
#include <model/type/parser.hpp>
#include <model/type/print.hpp>
#include <polycodec/error.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace polycodec::type {

Type parse(std::string_view text, const ParseOptions& options) {
  if (text.size() > options.max_text)
    throw Error(Status::limit,
                "the type has " + std::to_string(text.size()) +
                    " bytes of text, more than the limit of " + std::to_string(options.max_text),
                options.max_text)
        .detail("type.limit");
  Type type = detail::Parser(text, options).parse_all();
  if (options.canonical_only) {
    const std::string canonical = print(type);
    if (canonical != text) {
      const auto differ =
          std::mismatch(text.begin(), text.end(), canonical.begin(), canonical.end());
      const auto at = static_cast<std::size_t>(differ.first - text.begin());
      detail::Scanner::fail(
          at, "type.noncanonical",
          "the type is not in canonical form, where " +
              (at < canonical.size()
                   ? "\"" + detail::Scanner::shorten(std::string_view(canonical).substr(at)) +
                         "\" is expected here"
                   : std::string("it ends here")));
    }
  }
  if (options.concrete_only && !type.is_concrete())
    throw Error(Status::type,
                "no value can have exactly the type " + detail::Scanner::shorten(print(type)), 0)
        .detail("type.not_concrete");
  return type;
}

}  // namespace polycodec::type
