// SPDX-License-Identifier: MIT
#include "enum_value.hpp"

#include <base/quote.hpp>

#include <charconv>
#include <string_view>

namespace polycodec::fastbin {
namespace {

struct Integer {
  bool negative = false;
  std::uint64_t magnitude = 0;
};

bool read_literal(std::string_view text, Integer& value) {
  if (text.size() == 3 && text.front() == '\'' && text.back() == '\'') {
    value.magnitude = static_cast<unsigned char>(text[1]);
    return text[1] != '\\' && text[1] != '\'';
  }
  value.negative = text.starts_with('-');
  if (value.negative) text.remove_prefix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) base = 16;
  if (text.starts_with("0b") || text.starts_with("0B")) base = 2;
  if (base != 10) text.remove_prefix(2);
  // A leading zero would be octal in C++.
  if (text.empty() || (base == 10 && text.size() > 1 && text.front() == '0')) return false;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value.magnitude, base);
  return error == std::errc() && end == text.data() + text.size();
}

std::string out_of_range(const Integer& value, Primitive storage) {
  return (value.negative ? "-" : "") + std::to_string(value.magnitude) + " does not fit in " +
         std::string(primitive_name(storage));
}

}  // namespace

std::string read_enum_value(const JsonNode& node, Primitive storage, std::uint64_t& bits) {
  Integer value;
  if (node.kind == JsonNode::Kind::integer) {
    value = {node.negative, node.magnitude};
  } else if (node.kind == JsonNode::Kind::boolean && storage == Primitive::boolean) {
    value.magnitude = node.boolean ? 1 : 0;
  } else if (node.kind != JsonNode::Kind::text || !read_literal(node.text, value)) {
    // Integers beyond 64 bits are read as numbers with a fraction.
    if (node.kind == JsonNode::Kind::real &&
        node.text.find_first_not_of("-0123456789") == std::string::npos)
      return node.text + " does not fit in " + std::string(primitive_name(storage));
    return std::string("the value must be an integer, not ") +
           (node.kind == JsonNode::Kind::text ? quote(node.text) : std::string(node.kind_text()));
  }
  const std::uint32_t width = 8 * native_size(storage);
  const std::uint64_t all = width == 64 ? UINT64_MAX : (std::uint64_t{1} << width) - 1;
  // The greatest value, and the greatest magnitude of a negative one.
  const std::uint64_t most = storage == Primitive::boolean ? 1
                             : is_signed(storage)          ? all >> 1
                                                           : all;
  const std::uint64_t least = storage == Primitive::character ? 128
                              : is_signed(storage)            ? (all >> 1) + 1
                                                              : 0;
  if (value.magnitude > (value.negative ? least : most)) return out_of_range(value, storage);
  bits = (value.negative ? std::uint64_t{0} - value.magnitude : value.magnitude) & all;
  return {};
}

}  // namespace polycodec::fastbin
