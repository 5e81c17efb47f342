// SPDX-License-Identifier: MIT
// Typed JSON of columnar arrays: their items, whatever the layout.
#pragma once

#include <model/type/type.hpp>

#include "core/text/text_writer.hpp"

#include <unordered_map>
#include <vector>

namespace polycodec::text {

class Printer;

/// Prints items of arrays. `printer` prints the nodes in them.
class ArrayPrinter {
 public:
  ArrayPrinter(Printer& printer, TextWriter& writer)
      : printer_(printer), writer_(writer), out_(writer.out()) {}

  /// All items of an array as a JSON list, without the attributes of the array itself; `t` is the
  /// type of an item.
  void print(const polycodec_array& a, const type::Type& t) { bare_items(a, 0, a.length, t); }
  /// Another array may have the address of `a` later.
  void forget(const polycodec_array& a) { positions_.erase(&a); }

 private:
  using Bracket = TextWriter::Bracket;

  /// Items [begin, end) of an array as a JSON list; `t` is the type of an item.
  void items(const polycodec_array& a, std::uint64_t begin, std::uint64_t end, const type::Type& t);
  void item(const polycodec_array& a, std::uint64_t i, const type::Type& t);
  /// An item of the content of an array that has no bracket of its own.
  void inner_item(const polycodec_array& a, std::uint64_t i, const type::Type& t);
  /// The same, without the attributes of the array itself.
  void bare_items(const polycodec_array& a, std::uint64_t begin, std::uint64_t end,
                  const type::Type& t);
  void bare_item(const polycodec_array& a, std::uint64_t i, const type::Type& t);
  /// An item of an array with attributes, where the type around does not have them.
  void annotated_item(const polycodec_array& a, std::uint64_t i);
  void elements(const polycodec_array& a, const std::byte* data, std::uint32_t axis,
                std::uint64_t count, const type::Type& t);
  void element(const polycodec_array& a, const std::byte* data, const type::Type& t);
  void row(const polycodec_array& a, std::uint64_t i, const type::Type& t);
  void union_item(const polycodec_array& a, std::uint64_t i, const type::Type& t);
  void chunk_items(const polycodec_array& a, std::uint64_t begin, std::uint64_t end,
                   const type::Type& t, Bracket& bracket);
  /// Of a union without an index column: for each item the number of earlier items with its tag. Of
  /// a chunked array: where each chunk starts. Worked out once for each array, because lists ask
  /// for the items of one again and again.
  const std::vector<std::uint64_t>& positions(const polycodec_array& a);
  /// The chunk of a chunked array that has item `i`.
  std::size_t chunk_at(const polycodec_array& a, std::uint64_t i);

  Printer& printer_;
  TextWriter& writer_;
  TextOut& out_;
  std::unordered_map<const polycodec_array*, std::vector<std::uint64_t>> positions_;
};

}  // namespace polycodec::text
