// SPDX-License-Identifier: MIT
// Which arrays a store holds.
#pragma once

#include <polycodec/codec.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::awkward {

/// An array of a store.
struct ArrayName {
  std::string name;         ///< may be empty
  std::string_view schema;  ///< the blob with its schema
};

/// The arrays of a store, in its order: blobs called `name` + suffix. Without a suffix these are
/// `.json` and
/// `/schema.json` (directly below a group, as the Python library lists them, or anywhere if
/// `nested`: it reads and writes those that are asked for by name); if there are none, blobs that
/// begin as a schema does, which are called what the array is.
std::vector<ArrayName> list_arrays(const Store& store, const std::optional<std::string>& suffix,
                                   bool nested = false);

/// True if the text begins as a schema does: an object whose first key is the signature.
bool looks_like_schema(std::string_view text) noexcept;

}  // namespace polycodec::awkward
