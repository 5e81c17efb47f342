// SPDX-License-Identifier: MIT
// Bodies to values.
#pragma once

#include <base/json_index.hpp>
#include <base/wanted.hpp>

#include "json_text.hpp"
#include "leaf_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace polycodec::yggdrasil {

/// Where the reader is in the text of JSON, and what it expects next.
struct Place {
  enum class Next { value, name, after_value };
  const char* p;
  polycodec_node* top;
  polycodec_node* limit;
  std::size_t first;  ///< of the container
  std::uint32_t depth;
  bool object;
  Next next;
};

/// Continues, after a value in a container, as long as the index goes and nothing unusual comes.
/// `base_frames`: how many containers are around the text. Everything is wanted, and no header says
/// what the values are (decode_quick.cpp).
void read_usual(Place& place, Decoding& state, JsonIndex& index, bool typed,
                std::size_t base_frames);

/// Decodes a body in one pass. Strings without escapes are views into the input; the data of arrays
/// goes from base64 straight to the memory of the value. One object a call.
class Decoder {
 public:
  Decoder(const Settings& settings, const Call& call, Builder& out);

  /// All of the input: one JSON value.
  const polycodec_node* all(std::string_view input);
  /// A text of JSON inside of a leaf, which is at this depth. `label`: its name in paths.
  polycodec_node within(const char* label, std::string_view text, const Origin& origin, Mode mode,
                        std::uint32_t depth);

 private:
  polycodec_node parse(const JsonText& text, const Datatype* type, std::uint32_t base_depth);
  bool has_wanted(const Decoding::Frame& frame) const;
  const char* pass_value(const JsonText& text, const char* p) const;
  polycodec_node close_container(polycodec_node* nodes, bool object, std::size_t count,
                                 std::uint64_t offset);

  Decoding state_;
  const Wanted wanted_;
  JsonIndex index_;  // of the text that is parsed
  LeafReader leaves_;
};

}  // namespace polycodec::yggdrasil
