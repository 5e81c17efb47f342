// SPDX-License-Identifier: MIT
// A file that is read for its mesh.
#pragma once

#include "common/run.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace polycodec::cli {

/// A value as the type `mesh`.
struct MeshRead {
  Value value;
  std::vector<Loss> losses;  ///< parts of the file that a mesh has no place for
};

/// Reads the input again as a mesh, where the codec does so itself: it has an option of the role
/// `type` with the word `mesh`. Nothing for other codecs, for a part of a value, and where
/// --from-options or a message header say how to read. Reports no loss. Throws what a read throws.
std::optional<MeshRead> read_as_mesh(const Run& run, const Input& input, const Read& decoded);

/// The options of a codec: the properties of their schema; null if it has none. The view lives as
/// long as `facts`, which gets what is known of the codec.
View options_of_codec(const Run& run, const std::string& codec, Value& facts);

/// True if programs that write the format mostly hold y for the axis that points up.
bool is_usually_y_up(const Read& decoded);

}  // namespace polycodec::cli
