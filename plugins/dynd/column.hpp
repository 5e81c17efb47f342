// SPDX-License-Identifier: MIT
// A column of values that take different numbers of bytes, filled in one pass over the bytes.
#pragma once

#include "decode.hpp"

#include <cstdint>
#include <vector>

namespace polycodec::dynd {

/// Collects values of one plan, and of the plans inside it. For one thread. The plan and the
/// decoder outlive it.
class Column {
 public:
  /// `wanted`: of each value; null: nothing.
  Column(const Plan& plan, Decoder& decoder, const Wanted* wanted);

  /// Reads the next `count` values.
  void read(std::uint64_t count);
  /// The values read, in the decoder's arena. Call it once, as the last.
  const polycodec_array* finish();

 private:
  enum class Store : std::uint8_t {
    none,
    passed,
    packed,
    texts,
    lists,
    fixed_lists,
    fields,
    options,
    nodes
  };

  void read_packed(std::uint64_t count);
  void read_texts(std::uint64_t count);
  void read_lists(std::uint64_t count);
  void read_packed_lists(std::uint64_t count);
  void read_options(std::uint64_t count);
  template <class Read>
  void each(std::uint64_t count, Read read);
  /// Adds an item that stands where an option has none.
  void fill();
  const polycodec_array* finish_texts();
  const polycodec_array* finish_option();

  const Plan& plan_;
  Decoder& decoder_;
  Store store_;
  bool compact_ = false;  // options: missing items have no place in the child
  std::uint64_t length_ = 0;
  std::uint64_t origin_ = 0;      // strings: offset in the input that starts_ and stops_ count from
  Growing<std::uint8_t> bytes_;   // packed: the values; options: 1 for those that are there
  Growing<std::int64_t> starts_;  // strings: where they start; lists: the offsets; options: indices
  Growing<std::int64_t> stops_;   // strings
  Growing<polycodec_node> nodes_;  // nodes
  std::uint64_t text_bytes_ = 0;
  std::vector<Column> children_;
};

}  // namespace polycodec::dynd
