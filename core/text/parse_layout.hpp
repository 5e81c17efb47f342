// SPDX-License-Identifier: MIT
// `$layout`: arrays as their layouts and what these consist of.
#pragma once

#include <polycodec/builder.hpp>

#include <string_view>
#include <unordered_map>

namespace polycodec::text {

class Parser;

/// Reads layouts inside of layouts. `parser` reads the values in them.
class LayoutParser {
 public:
  explicit LayoutParser(Parser& parser) : parser_(parser) {}

  /// The object after `{"$layout":`, a valid array.
  polycodec_node read();

 private:
  void member(std::string_view name, polycodec_array& a, std::uint64_t (&counts)[2]);
  void check(polycodec_array& a, const std::uint64_t (&counts)[2]);
  polycodec_column structure(std::uint64_t& count);
  const polycodec_array* child();
  /// `a` with this metadata; the same array for a shared one each time.
  const polycodec_array* with_metadata(const polycodec_array& a, const polycodec_node* metadata);

  Parser& parser_;
  std::unordered_map<const polycodec_array*, const polycodec_array*> annotated_;
  std::uint32_t depth_ = 0;  // of layouts around here
};

}  // namespace polycodec::text
