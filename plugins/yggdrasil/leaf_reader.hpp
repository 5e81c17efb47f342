// SPDX-License-Identifier: MIT
// Typed leaves: "-YGG-" schema "-YGG-" data "-YGG-", both parts in base64.
#pragma once

#include "leaf_schemas.hpp"

#include <cstdint>
#include <string_view>

namespace polycodec::yggdrasil {

/// Makes values of the strings that are leaves, and of those that a header describes.
class LeafReader {
 public:
  LeafReader(Decoding& state, Decoder& json) noexcept
      : state_(state), json_(json), schemas_(state, json) {}

  /// A leaf from `p` on whose schema tells how long its data is: the end of the string is known
  /// without looking for it. Returns what follows the string, or NULL if it is something else, or
  /// wrong: then the whole string is looked at.
  const char* quick(const JsonText& text, const char* p, std::uint32_t depth, polycodec_node* node);
  /// Any string that looks like a leaf.
  polycodec_node whole(std::string_view text, std::uint64_t at, bool exact, std::uint32_t depth);
  /// A leaf whose parts are known.
  polycodec_node read(const FoundLeaf& found);
  /// A string of a body that does not describe itself: base64 without markers, perhaps in lines.
  polycodec_node described(const Datatype& type, const polycodec_node& text, std::uint64_t at,
                           std::uint32_t depth);
  /// An object of such a body: an instance or a schema, if the header says so.
  polycodec_node described_object(const Datatype& type, const polycodec_node& object,
                                  std::uint64_t at, std::uint32_t depth);

 private:
  polycodec_node json(const FoundLeaf& found, std::string_view extension);

  Decoding& state_;
  Decoder& json_;
  LeafSchemas schemas_;
};

/// The object of an instance, with its arguments as what their schemas say (arguments.cpp).
polycodec_node with_arguments(Decoding& state, LeafReader& leaves, const FoundLeaf& found,
                              const polycodec_node& instance);

}  // namespace polycodec::yggdrasil
