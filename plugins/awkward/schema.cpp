// SPDX-License-Identifier: MIT
#include "schema.hpp"

#include <base/decimal.hpp>
#include <base/hex.hpp>
#include <base/json_reader.hpp>
#include <base/nodes.hpp>
#include <polycodec/error.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include <charconv>
#include <cmath>
#include <vector>

namespace polycodec::awkward {
namespace {

polycodec_node number_node(Builder&, std::string_view token) {
  const char* const end = token.data() + token.size();
  if (token.find_first_of(".eE") != token.npos) {
    double value = 0;
    if (std::from_chars(token.data(), end, value).ec == std::errc()) return Builder::real(value);
    throw Error(Status::range, "the number " + quote(token, 40) + " does not fit a float64")
        .detail("json.number");
  }
  std::int64_t integer = 0;
  std::uint64_t magnitude = 0;
  if (std::from_chars(token.data(), end, integer).ec == std::errc())
    return Builder::integer(integer);
  if (std::from_chars(token.data(), end, magnitude).ec == std::errc())
    return Builder::unsigned_integer(magnitude);
  throw Error(Status::unsupported, "the integer " + quote(token, 40) + " has more than 64 bits")
      .detail("json.number");
}

}  // namespace

const polycodec_node* parse_schema(Builder& out, std::string_view text,
                                   const polycodec_limits& limits) {
  // An expression is an object in a list of an object: two levels of JSON for each of its own.
  const JsonOptions options{.max_nodes = limits.max_nodes,
                            .max_depth = std::uint64_t{limits.max_depth} * 2 + 16,
                            .limit_word = "awkward.limit",
                            .number = number_node};
  return out.root(read_json(out, text, options));
}

std::string path_to(const polycodec_node& root, const polycodec_node* part) {
  struct Step {
    const polycodec_node* node;
    std::uint64_t next;  // node of it that is looked at next
  };
  std::vector<Step> steps{{&root, 0}};
  while (!steps.empty()) {
    Step& top = steps.back();
    if (top.node == part) break;
    const bool object = top.node->kind == POLYCODEC_KIND_OBJECT;
    const std::uint64_t size = object || top.node->kind == POLYCODEC_KIND_LIST
                                   ? polycodec_node_size(top.node) * (object ? 2 : 1)
                                   : 0;
    if (top.next >= size) {
      steps.pop_back();
      continue;
    }
    const polycodec_node* child = &top.node->as.nodes[object ? top.next + 1 : top.next];
    top.next += object ? 2 : 1;
    steps.push_back({child, 0});
  }
  std::string path = "$";
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    const auto& [node, next] = steps[i];
    if (node->kind == POLYCODEC_KIND_LIST) {
      append_index(path, next - 1);
      continue;
    }
    path += key_step(NodeView(&node->as.nodes[next - 2]).as_string());
  }
  return path;
}

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
  for (const std::string_view value : values) begin().string(value);
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
