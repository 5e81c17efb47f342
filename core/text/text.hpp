// SPDX-License-Identifier: MIT
// JSON text: plain documents (options, manifests, configuration), and typed JSON, which is
// {"type": "<datashape>", "value": <JSON>}. docs/text-notation.md defines the latter.
#pragma once

#include <polycodec/node_view.hpp>
#include <polycodec/writer.hpp>

#include "core/call/limits.hpp"
#include "core/value/value.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

namespace type {
class Type;
}  // namespace type

/// What parse_json() does with duplicate keys: all members are kept in order, and NodeView::find()
/// gives the first; or Error(malformed) with the detail word `json.duplicate_key`.
enum class DuplicateKeys : std::uint8_t { keep, refuse };

/// The document that JSON text (RFC 8259, UTF-8) says: objects in member order, lists, strings,
/// booleans, null, int64 (uint64, int128, uint128 where the number needs them) and float64. Numbers
/// are read from their own digits, whatever the locale; none passes through a double unless it has
/// a fraction or an exponent. Throws Error with byte offset and, in the message, line and column:
/// malformed (`json.syntax`), truncated, trailing, range (`json.number`: an integer beyond 128
/// bits, a float beyond float64), limit (depth, nodes, memory, size of the text). The stack used
/// does not depend on the nesting. Nothing in the value views `text`. [thread-safe]
Value parse_json(std::string_view text, const Limits& limits = {},
                 DuplicateKeys duplicates = DuplicateKeys::keep);

/// An indent of to_json().
inline constexpr unsigned json_compact = ~0u;

/// JSON text of a plain document (objects, lists, tuples, strings, booleans, null, integers and
/// finite floats of any width); Error(type) with the path for anything else, Error(limit) beyond
/// `max_depth`. `indent` 0 is one line, otherwise each level is indented by so many spaces;
/// json_compact is one line without spaces. Floats are the shortest decimals that read back.
/// [thread-safe]
std::string to_json(NodeView document, unsigned indent = 0, std::uint32_t max_depth = 512);

/// How print_text() lays values out.
struct TextOptions {
  bool plain = false;    ///< the value alone, without its type and without marks
  bool exact = true;     ///< marks how it is stored, if not plain; cycles are always marked
  unsigned indent = 0;   ///< 0: one line; otherwise spaces per level
  unsigned width = 100;  ///< with indent: lists of numbers go to a new line after so many columns
  Limits limits = {};    ///< max_depth bounds the nesting; max_work and max_output_bytes the text
  /// As CallOptions::budget. Null: what `limits` give, and what the value's own memory earns.
  std::shared_ptr<Budget> budget = {};
};

/// Appends the notation of a valid value to `out`. Numbers go straight from the array's memory to
/// the output. Throws Error(limit) where the value nests deeper than options.limits.max_depth
/// (plain: a cycle of references always does); `out` then holds a part. [thread-safe]
void print_text(NodeView value, std::string& out, const TextOptions& options = {});
/// The same, to a writer, with bounded memory.
void print_text(NodeView value, Writer& out, const TextOptions& options = {});
/// The notation of `value` as a string.
std::string to_text(NodeView value, const TextOptions& options = {});

/// The value that text in this notation says: of what print_text() wrote, the value that it
/// printed, with the same kinds and the same bytes in every codec; and printing it gives the text
/// back. Else arrays of numbers, times, strings and plain records become columnar arrays. Text that
/// is not an object with exactly the members `type` and `value` is a plain JSON document. Throws
/// Error with byte offset and path (`$.value[3].x`): malformed, truncated, trailing, type (a value
/// that does not have its type, a wrong number of items), range (a number that its type does not
/// hold), limit. [thread-safe]
Value parse_text(std::string_view text, const Limits& limits = {});

/// The value of type `type` from the JSON text after `"value":`. As parse_text() otherwise.
Value parse_text(std::string_view text, const type::Type& type, const Limits& limits = {});

}  // namespace polycodec
