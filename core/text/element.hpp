// SPDX-License-Identifier: MIT
// Elements of columnar leaves, read from typed JSON.
#pragma once

#include <model/type/type.hpp>

#include "core/text/parse.hpp"

#include <span>
#include <vector>

namespace polycodec::text {

/// Reads values of one type that a leaf can hold: numbers, times, fixed strings and bytes.
class ElementReader {
 public:
  explicit ElementReader(const type::Type& t);
  /// True if a leaf can hold values of this type.
  static bool takes(const type::Type& t) noexcept;

  /// Reads one value and appends its bytes.
  void append(Parser& parser, std::vector<std::byte>& out) const;
  /// Appends an element that stands for none.
  void append_zero(Parser& parser, std::vector<std::byte>& out, std::uint64_t count) const {
    parser.pad(count * size_);
    out.resize(out.size() + count * size_);
  }
  std::uint32_t size() const noexcept { return size_; }
  /// A leaf of this shape over a copy of the elements.
  polycodec_array* array(Builder& builder, std::span<const std::byte> elements,
                         std::span<const std::int64_t> shape) const;

 private:
  void append_fixed_string(Parser& parser, std::byte* out) const;

  std::uint32_t dtype_ = 0;
  std::uint32_t size_ = 0;
  std::uint32_t unit_ = 0;
  bool too_large_ = false;
  type::Encoding encoding_ = type::Encoding::utf8;
};

}  // namespace polycodec::text
