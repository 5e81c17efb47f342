// SPDX-License-Identifier: MIT
// A store as a dictionary of arrays: what belongs to which.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/codec.hpp>

#include <optional>
#include <string>

namespace polycodec::awkward {

/// The arrays of a store, without evaluating one: an OBJECT {name: {"schema": blob name,
/// "first_id": a number that no blob of it has, nor any after it, "blobs": [{"name", "bytes",
/// "compression": function or null}]}}. The blobs are those that the expressions read, also where
/// one is missing ("bytes" is null then); the schema is not among them. Throws Error for a schema
/// that is no JSON object.
Node contents(const Call& call, const Store& store, const std::optional<std::string>& schema_suffix,
              Builder& out);

/// The same as polycodec_instance.list wants it: the first blob of each array is its schema.
Node list(const Call& call, const Store& store, const std::optional<std::string>& schema_suffix,
          Builder& out);

}  // namespace polycodec::awkward
