// SPDX-License-Identifier: MIT
// The vectors of fastbin, and their JSON as values.
#pragma once

#include <polycodec/view.hpp>

#include "codec_calls.hpp"
#include "core/value/arena.hpp"
#include "fastbin/codec.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace polycodec::test {

using Json = nlohmann::ordered_json;

std::filesystem::path fastbin_directory();

/// A codec of this schema and root.
inline fastbin::Fastbin fastbin_codec(std::string_view schema, std::string_view root,
                                      std::initializer_list<Member> more = {}) {
  Arena arena;
  Builder out(arena.abi());
  std::vector<Member> members{{"schema", Builder::string_view(schema)},
                              {"root", Builder::string_view(root)}};
  members.insert(members.end(), more.begin(), more.end());
  const polycodec_node options = out.object(members);
  return open<fastbin::Fastbin>(&options);
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
