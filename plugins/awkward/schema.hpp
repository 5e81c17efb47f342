// SPDX-License-Identifier: MIT
// The JSON of a schema.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/node_view.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec::awkward {

/// Parses JSON into nodes of the arena. Throws Error with the byte offset: Status::malformed
/// (syntax, a key twice, a number that no type holds), Status::truncated, Status::limit (nesting,
/// nodes). Not recursive.
const polycodec_node* parse_schema(Builder& out, std::string_view text,
                                   const polycodec_limits& limits);

/// Where `part`, which is one of the nodes below `root`, stands: `$.schema.args[0]`. "$" if it is
/// nowhere.
std::string path_to(const polycodec_node& root, const polycodec_node* part);

}  // namespace polycodec::awkward
