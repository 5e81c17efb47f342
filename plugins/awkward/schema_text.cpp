// SPDX-License-Identifier: MIT
#include "schema_text.hpp"

#include <base/decimal.hpp>
#include <base/hex.hpp>
#include <base/utf8.hpp>
#include <polycodec/node_view.hpp>

#include <cmath>

namespace polycodec::awkward {

SchemaText& SchemaText::number(std::uint64_t value) {
  text_ += std::to_string(value);
  return *this;
}

SchemaText& SchemaText::string(std::string_view value) {
  const auto escape = [this](std::uint32_t unit) { append_hex(text_ += "\\u", unit, 4); };
  text_ += '"';
  while (!value.empty()) {
    const auto c = static_cast<unsigned char>(value.front());
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += value.front();
    } else if (c >= 0x20 && c < 0x7f) {
      text_ += value.front();
    } else if (c < 0x80) {
      escape(c);
    } else {
      char32_t point = 0;
      const std::uint32_t size =
          decode_one(reinterpret_cast<const std::uint8_t*>(value.data()), value.size(), point);
      const auto p = static_cast<std::uint32_t>(point);
      if (p < 0x10000) {
        escape(p);
      } else {
        escape(0xd7c0 + (p >> 10));
        escape(0xdc00 + (p & 0x3ff));
      }
      value.remove_prefix(size);
      continue;
    }
    value.remove_prefix(1);
  }
  text_ += '"';
  return *this;
}

SchemaText& SchemaText::strings(std::initializer_list<std::string_view> values) {
  text_ += '[';
  const char* separator = "";
  for (const std::string_view value : values) {
    text_ += separator;
    string(value);
    separator = ", ";
  }
  text_ += ']';
  return *this;
}

bool is_json_scalar(const polycodec_node& node) noexcept {
  switch (node.kind) {
    case POLYCODEC_KIND_NULL:
    case POLYCODEC_KIND_BOOLEAN:
    case POLYCODEC_KIND_SIGNED:
    case POLYCODEC_KIND_UNSIGNED:
      return true;
    case POLYCODEC_KIND_FLOAT:
      return std::isfinite(float_value(node));
    case POLYCODEC_KIND_STRING: {
      const std::string_view text(static_cast<const char*>(node.as.data),
                                  static_cast<std::size_t>(polycodec_node_size(&node)));
      return node.dtype != POLYCODEC_STRING_LENIENT || is_utf8(text);
    }
    default:
      return false;
  }
}

SchemaText& SchemaText::scalar(const polycodec_node& node) {
  char digits[max_decimal_size];
  switch (node.kind) {
    case POLYCODEC_KIND_NULL:
      return raw("null");
    case POLYCODEC_KIND_BOOLEAN:
      return raw(node.as.u64 != 0 ? "true" : "false");
    case POLYCODEC_KIND_SIGNED:
      return raw(std::to_string(node.as.i64));
    case POLYCODEC_KIND_UNSIGNED:
      return number(node.as.u64);
    case POLYCODEC_KIND_STRING:
      return string(NodeView(&node).as_string());
    default: {
      const std::string_view text(
          digits, static_cast<std::size_t>(print_decimal(digits, float_value(node)) - digits));
      raw(text);
      // Without a point or an exponent it would be an integer.
      if (text.find_first_of(".e") == text.npos) raw(".0");
      return *this;
    }
  }
}

}  // namespace polycodec::awkward
