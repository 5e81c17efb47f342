// SPDX-License-Identifier: MIT
// The text of a schema: JSON as the Python library writes it, pure ASCII.
#pragma once

#include <polycodec/abi.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec::awkward {

/// Collects JSON text. The caller sees to commas and brackets.
class SchemaText {
 public:
  /// Text that is JSON already.
  SchemaText& raw(std::string_view json) {
    text_ += json;
    return *this;
  }
  SchemaText& number(std::uint64_t value);
  /// A string in quotes, with \uXXXX (and surrogate pairs) for all that is not printable ASCII.
  /// `value` is UTF-8.
  SchemaText& string(std::string_view value);
  /// A list of strings.
  SchemaText& strings(std::initializer_list<std::string_view> values);
  /// A null, boolean, integer, finite float of up to 64 bits, or string.
  SchemaText& scalar(const polycodec_node& node);

  const std::string& text() const noexcept { return text_; }
  std::string take() noexcept { return std::move(text_); }

 private:
  std::string text_;
};

/// True if scalar() can write `node` such that reading gives a number or text of the same value.
bool is_json_scalar(const polycodec_node& node) noexcept;

}  // namespace polycodec::awkward
