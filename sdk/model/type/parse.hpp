// SPDX-License-Identifier: MIT
// Type notation to types. The grammar is in docs/type-notation.md.
#pragma once

#include <model/type/parse_options.hpp>
#include <model/type/type.hpp>
#include <polycodec/error.hpp>

#include <string_view>

namespace polycodec::type {

/// The type that `text` says. Throws Error with the byte offset and one of these detail words:
/// Error(malformed) with `type.syntax`, `type.unknown` (a word that is neither a type nor a
/// dimension), `type.range` (a number too great) or `type.noncanonical`; Error(type) with
/// `type.not_concrete`; Error(limit) with `limit`. Stack use is bounded by max_depth, time and
/// memory by the length of the text and max_nodes.
Type parse(std::string_view text, const ParseOptions& options = {});

}  // namespace polycodec::type
