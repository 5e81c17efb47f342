// SPDX-License-Identifier: MIT
// The schemas of the leaves of a body, each read once.
#pragma once

#include "found_leaf.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace polycodec::yggdrasil {

class Decoder;

/// The schemas that were met last.
class LeafSchemas {
 public:
  LeafSchemas(Decoding& state, Decoder& json) noexcept : state_(state), json_(json) {}

  /// The schema of the leaf before if the text from `p` on begins with it, or NULL.
  const LeafSchema* same(const char* p, const char* end) const noexcept;
  /// Another leaf, which is at this depth, has a schema that was read before.
  const LeafSchema& take(const LeafSchema& known, std::uint64_t at, std::uint32_t depth);
  /// The schema with this base64, which is read if it is new.
  const LeafSchema& read(std::string_view base64, std::uint64_t at, bool exact,
                         std::uint32_t depth);

 private:
  Decoding& state_;
  Decoder& json_;
  std::vector<std::unique_ptr<LeafSchema>> schemas_;
  const LeafSchema* latest_ = nullptr;  // of schemas_
  std::size_t next_ = 0;                // the oldest of them, once all places are taken
};

}  // namespace polycodec::yggdrasil
