// SPDX-License-Identifier: MIT
// The vectors of fastbin, and their JSON as values.
#pragma once

#include "fastbin/schema/schema.hpp"
#include "shipped.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace polycodec::test {

std::filesystem::path fastbin_directory();

/// A codec of this schema and root.
inline Codec fastbin_codec(std::string_view schema, std::string_view root,
                           const Json& more = Json::object()) {
  Json options{{"schema", schema}, {"root", root}};
  options.update(more);
  return shipped("fastbin", options);
}

/// A buffer of the vectors with what is said about it.
struct FastbinVector {
  std::string name, schema, readme_schema, root, bytes;
  Json json;
};
/// Those of the directory itself, or of "bad".
std::vector<FastbinVector> fastbin_vectors(std::string_view subdirectory);

/// The value that the JSON of a vector says, as document nodes.
polycodec_node build_value(Builder& out, const fastbin::Schema& schema, const fastbin::Type& type,
                           const Json& json);
polycodec_node build_struct(Builder& out, const fastbin::Schema& schema, const fastbin::Struct& s,
                            const Json& json);

}  // namespace polycodec::test
