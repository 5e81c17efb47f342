// SPDX-License-Identifier: MIT
// What a header says of the type of its body, in the dialects in which it does.
#pragma once

#include <polycodec/channel.hpp>
#include <polycodec/export.hpp>
#include <polycodec/message.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/schema.hpp>

#include <optional>
#include <string>

namespace polycodec {

/// The word of yggdrasil's table of types for a value, such as "ndarray", "scalar", "object" or
/// "string": the member `type` of a header. What the table has no word for is "object", "array" or
/// "any".
POLYCODEC_API std::string type_word(NodeView value);

/// Adds to `header` what its dialect says of a body of this datatype: the field `serializer` with
/// `seritype` and the datatype; `datatype`; or type, subtype, precision, units, .. at the top
/// level. Precision is in bytes in the first and in bits in the others. Throws Status::invalid if
/// the header has such a field already.
POLYCODEC_API void add_datatype(Header& header, const schema::Schema& datatype, Dialect dialect);

/// The datatype that a header declares (`serializer.datatype`), to which the value of the body is
/// to be made to fit; none for headers without `__meta__`, each of which describes its own body and
/// was needed to decode it. Throws Error with a path in the header for what is not a schema.
POLYCODEC_API std::optional<schema::Schema> declared_datatype(const Header& header,
                                                              const Limits& limits = {},
                                                              const schema::TypeNames& names = {});

}  // namespace polycodec
