// SPDX-License-Identifier: MIT
// What a header says of the type of its body, in the dialects in which it does.
#pragma once

#include <polycodec/node_view.hpp>

#include "core/frame/message.hpp"
#include "core/schema/schema.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec {

/// Whose headers and bodies are written. All are read.
enum class Dialect : std::uint8_t {
  /// As yggdrasil programs of today read and write them, and at the top level what their
  /// specification asks for.
  current,
  /// As the specification says: the type of the body, precision in bits, units and shape at the top
  /// level, no `__meta__`, and scalars and arrays as bare base64.
  document,
  /// As programs before version 1.9: `datatype` with precision in bits, base64 with newlines.
  legacy,
};

/// The word for a dialect, as options have it: "current", "document", "legacy-1.8".
std::string_view dialect_name(Dialect dialect) noexcept;
/// The dialect of that word, or nothing.
std::optional<Dialect> find_dialect(std::string_view name) noexcept;

/// The word of yggdrasil's table of types for a value, such as "ndarray", "scalar", "object" or
/// "string": the member `type` of a header. What the table has no word for is "object", "array" or
/// "any".
std::string type_word(NodeView value);

/// The word for a value that yggdrasil writes as the text of a file of a mesh, where the codec of
/// that name is there; empty for any other.
std::string geometry_type(NodeView value);

/// Adds to `header` what its dialect says of a body of this datatype: the field `serializer` with
/// `seritype` and the datatype; `datatype`; or type, subtype, precision, units, .. at the top
/// level. Precision is in bytes in the first and in bits in the others. Throws Status::invalid if
/// the header has such a field already.
void add_datatype(Header& header, const schema::Schema& datatype, Dialect dialect);

/// The datatype that a header declares (`serializer.datatype`), to which the value of the body is
/// to be made to fit; none for headers without `__meta__`, each of which describes its own body and
/// was needed to decode it. Throws Error with a path in the header for what is not a schema.
std::optional<schema::Schema> declared_datatype(const Header& header, const Limits& limits = {},
                                                const schema::TypeNames& names = {});

}  // namespace polycodec
