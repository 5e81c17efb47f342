// SPDX-License-Identifier: MIT
// `$id`, `$ref` and `$same`: parts of a value that have a number.
#pragma once

#include <base/seeded_hash.hpp>
#include <model/type/type.hpp>
#include <polycodec/builder.hpp>

#include "core/text/references.hpp"

namespace polycodec::text {

class Parser;

/// Reads parts with a number, and knows those that were read. `parser` reads the values in them.
class SharedParser {
 public:
  explicit SharedParser(Parser& parser) : parser_(parser) {}

  /// A `$id`: a value that references lead to.
  polycodec_node labeled(const type::Type& t);
  /// A `$ref`: a reference, maybe with its target.
  polycodec_node reference(const type::Type& t);
  /// A `$same`: an array that occurs more than once.
  polycodec_node array(const type::Type& t);
  /// Leads all references in the value at `root` to their targets.
  void resolve(polycodec_node& root);

 private:
  Parser& parser_;
  Labels labels_;
  SeededMap<std::uint64_t, const polycodec_array*> arrays_;  // by number
};

}  // namespace polycodec::text
