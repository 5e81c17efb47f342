// SPDX-License-Identifier: MIT
// What generated code carries so that both sides can tell whether they speak of the same schema.
#pragma once

#include "schema.hpp"

#include <string>

namespace polycodec::fastbin {

/// SHA-256 of canonical_text(schema), as 64 hex digits in lower case. Throws Error(internal) if it
/// cannot be computed.
std::string schema_hash(const Schema& schema);

}  // namespace polycodec::fastbin
