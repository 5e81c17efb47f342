// SPDX-License-Identifier: MIT
// Elements of columnar leaves, read from typed JSON.
#pragma once

#include <model/type/type.hpp>
#include <polycodec/builder.hpp>

#include "core/text/parse_scalar.hpp"

#include <span>
#include <vector>

namespace polycodec::text {

/// What a column throws at a value that its type allows but its memory cannot hold: a list for a
/// tuple, text that is not UTF-8, a time out of the range of 64 bits. The array is then read again
/// as documents.
struct NotColumnar {};

/// Reads values of one type that a leaf can hold: numbers, times, fixed strings and bytes.
class ElementReader {
 public:
  explicit ElementReader(const type::Type& t);
  /// True if a leaf can hold values of this type.
  static bool takes(const type::Type& t) noexcept;

  /// Reads one value and appends its bytes.
  void append(ScalarParser& scalars, std::vector<std::byte>& out) const;
  /// Appends an element that stands for none.
  void append_zero(Scanner& scanner, std::vector<std::byte>& out, std::uint64_t count) const {
    scanner.pad(count * size_);
    out.resize(out.size() + count * size_);
  }
  std::uint32_t size() const noexcept { return size_; }
  /// A leaf of this shape over a copy of the elements.
  polycodec_array* array(Builder& builder, std::span<const std::byte> elements,
                         std::span<const std::int64_t> shape) const;

 private:
  void append_fixed_string(ScalarParser& scalars, std::byte* out) const;

  std::uint32_t dtype_ = 0;
  std::uint32_t size_ = 0;
  std::uint32_t unit_ = 0;
  bool too_large_ = false;
  type::Encoding encoding_ = type::Encoding::utf8;
};

}  // namespace polycodec::text
