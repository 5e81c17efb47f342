// SPDX-License-Identifier: MIT
#include "hash.hpp"

#include <base/sha256.hpp>

#include "print.hpp"

namespace polycodec::fastbin {

std::string schema_hash(const Schema& schema) {
  return sha256(canonical_text(schema));
}

}  // namespace polycodec::fastbin
