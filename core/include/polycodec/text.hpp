// SPDX-License-Identifier: MIT
// The text notation of values: {"type": "<datashape>", "value": <JSON>}, both ways.
// docs/text-notation.md defines it.
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/value.hpp>
#include <polycodec/writer.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

namespace type {
class Type;
}  // namespace type

/// How print_text() lays values out.
struct TextOptions {
  bool plain = false;    ///< the value alone, without its type
  unsigned indent = 0;   ///< 0: one line; otherwise blanks per level, for people
  unsigned width = 100;  ///< with indent: lists of numbers go to a new line after so many columns
  Limits limits = {};    ///< max_depth bounds the nesting
};

/// Appends the notation of a valid value (see validate.hpp) to `out`. Numbers go straight from the
/// array's memory to the output, whatever its strides and byte order. Throws Error(limit) where the
/// value nests deeper than options.limits.max_depth (a cycle of references always does); `out` then
/// holds a part. [thread-safe]
POLYCODEC_API void print_text(NodeView value, std::string& out, const TextOptions& options = {});
/// The same, to a writer, with bounded memory.
POLYCODEC_API void print_text(NodeView value, Writer& out, const TextOptions& options = {});
/// The notation of `value` as a string.
POLYCODEC_API std::string to_text(NodeView value, const TextOptions& options = {});

/// The value that text in this notation says. Arrays of numbers, times, texts and plain records
/// become columnar arrays; `any`, maps, extensions and single records become documents. Text that
/// is no object with exactly the members `type` and `value` is a plain JSON document. Printing the
/// value gives the text back, byte for byte, if print_text() wrote it. Throws Error with byte
/// offset and path (`$.value[3].x`): malformed, truncated, trailing, type (a value that does not
/// have its type, a wrong number of items), range (a number that its type does not hold), limit.
/// [thread-safe]
POLYCODEC_API Value parse_text(std::string_view text, const Limits& limits = {});

/// The value of type `type` that the JSON text `text`, the part after `"value":`, says. As
/// parse_text() otherwise.
POLYCODEC_API Value parse_text(std::string_view text, const type::Type& type,
                               const Limits& limits = {});

}  // namespace polycodec
