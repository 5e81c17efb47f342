// SPDX-License-Identifier: MIT
// Nodes that are neither plain JSON nor arrays: exactly typed scalars, extensions, and what
// yggdrasil has no type for.
#include <base/decimal.hpp>
#include <base/json_number.hpp>
#include <base/swap_copy.hpp>
#include <base/utf8.hpp>
#include <polycodec/byte_order.hpp>

#include "encode.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <initializer_list>

namespace polycodec::yggdrasil {
namespace {

// An integer of 128 bits as plain JSON, if that reads back as the same type: only what no narrower
// one holds.
std::string plain_wide(std::uint32_t dtype, const void* data) {
  text::Uint128 bits;
  std::memcpy(&bits, data, sizeof bits);
  const bool wide = dtype == POLYCODEC_DTYPE_UINT128;
  const auto value = static_cast<text::Int128>(bits);
  if (wide ? value >= 0 : value >= INT64_MIN && value <= text::Int128{UINT64_MAX}) return {};
  char digits[text::max_number_size];
  return {digits,
          wide ? text::write_unsigned128(digits, bits) : text::write_signed128(digits, value)};
}

bool is_integer_text(std::string_view text) noexcept {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && (text.size() == 1 || text[0] != '0') &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

template <class Integer>
void Encoder::plain_integer(Integer value) {
  char* const to = reinterpret_cast<char*>(out_.reserve(max_decimal_size));
  out_.commit(static_cast<std::uint64_t>(print_decimal(to, value) - to));
}

void Encoder::other(const polycodec_node& node, const polycodec_node* attributes,
                    std::uint64_t depth) {
  const bool any = attributes != nullptr && polycodec_node_size(attributes) != 0;
  std::byte bits[16];
  switch (node.kind) {
    case POLYCODEC_KIND_NULL:
    case POLYCODEC_KIND_BOOLEAN:
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE:
    case POLYCODEC_KIND_OBJECT:
    case POLYCODEC_KIND_MAP:
    case POLYCODEC_KIND_UNION:
    case POLYCODEC_KIND_REFERENCE:
      lose_attributes(attributes);
      break;
    default:
      break;
  }
  switch (node.kind) {
    case POLYCODEC_KIND_NULL:
    case POLYCODEC_KIND_BOOLEAN:
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE:
    case POLYCODEC_KIND_OBJECT:
      return loop(&node, depth);
    case POLYCODEC_KIND_SIGNED:
    case POLYCODEC_KIND_UNSIGNED:
      if (!any && node.kind == POLYCODEC_KIND_SIGNED && node.dtype == POLYCODEC_DTYPE_INT64)
        return plain_integer(node.as.i64);
      if (!any && node.dtype == POLYCODEC_DTYPE_UINT64 && node.as.i64 < 0)
        return plain_integer(node.as.u64);
      store(bits, node.as.u64, std::endian::little);
      return scalar(node.dtype, bits, attributes);
    case POLYCODEC_KIND_FLOAT:
      if (!any && node.dtype == POLYCODEC_DTYPE_FLOAT64) return real(node);
      if (node.dtype == POLYCODEC_DTYPE_FLOAT32) {
        store(bits, node.as.f32, std::endian::little);
      } else {
        store(bits, node.as.u64, std::endian::little);
      }
      return scalar(node.dtype, bits, attributes);
    case POLYCODEC_KIND_WIDE: {
      if (!any && (node.dtype == POLYCODEC_DTYPE_INT128 || node.dtype == POLYCODEC_DTYPE_UINT128))
        if (const std::string digits = plain_wide(node.dtype, node.as.data); !digits.empty())
          return out_.put_text(digits);
      const std::uint32_t width = dtype_swap_width(node.dtype);
      const std::uint32_t size = dtype_size(node.dtype);
      std::memcpy(bits, node.as.data, size);
      if constexpr (host_byte_order != POLYCODEC_LITTLE_ENDIAN)
        swap_copy(bits, node.as.data, size / width, width);
      static_cast<void>(width);
      if (is_own_dtype(node.dtype)) return own_scalar(node.dtype, bits, size, attributes);
      return scalar(node.dtype, bits, attributes);
    }
    case POLYCODEC_KIND_STRING:
      return text(NodeView(&node).as_string(), node.dtype == POLYCODEC_STRING_LENIENT, attributes);
    case POLYCODEC_KIND_BINARY:
      return bytes_leaf({static_cast<const char*>(node.as.data),
                         static_cast<std::size_t>(polycodec_node_size(&node))},
                        attributes);
    case POLYCODEC_KIND_ARRAY:
      return array(*node.as.array, attributes, depth);
    case POLYCODEC_KIND_EXTENSION:
      return extension(*node.as.extension, attributes, depth);
    case POLYCODEC_KIND_REFERENCE:
      check_depth(depth + 1);
      return loop(node.as.node, depth + 1);
    case POLYCODEC_KIND_TIMESTAMP:
    case POLYCODEC_KIND_DURATION:
      return own_time(*node.as.time, node.kind == POLYCODEC_KIND_TIMESTAMP, attributes);
    case POLYCODEC_KIND_UNION:
      refuse_foreign("a member of a union");
      check_depth(depth + 1);
      out_.put_u8('[');
      own_marker(OwnKind::member, ",\"tag\":" + std::to_string(node.as.tagged->tag));
      out_.put_u8(',');
      loop(node.as.tagged->node, depth + 1);
      return out_.put_u8(']');
    case POLYCODEC_KIND_MAP: {
      refuse_foreign("a map");
      check_depth(depth + 1);
      out_.put_u8('[');
      own_marker(OwnKind::map, "");
      for (const polycodec_node& part : NodeView(&node).entries()) {
        out_.put_u8(',');
        loop(&part, depth + 1);
      }
      return out_.put_u8(']');
    }
    default:
      throw Error(Status::unsupported, "a node of an unknown kind");
  }
}

void Encoder::extension(const polycodec_extension& extension, const polycodec_node* attributes,
                        std::uint64_t depth) {
  const std::string_view name = to_string_view(extension.name);
  if (name.starts_with("yggdrasil.") &&
      known_extension(name.substr(10), NodeView(extension.payload), attributes))
    return;
  lose_attributes(attributes);
  refuse_foreign("an extension \"" + std::string(name.substr(0, 64)) + '"');
  check_depth(depth + 1);
  std::string more = ",\"name\":";
  json_string(more, name);
  out_.put_u8('[');
  own_marker(OwnKind::extension, more);
  out_.put_u8(',');
  loop(extension.payload, depth + 1);
  out_.put_u8(']');
}

// False if the payload is not what the name promises.
bool Encoder::known_extension(std::string_view name, NodeView payload,
                              const polycodec_node* attributes) {
  const bool text = payload.is_string() && !payload.metadata();
  const bool utf8 =
      text && (payload.dtype() != POLYCODEC_STRING_LENIENT || is_utf8(payload.as_string()));
  if (name == "class" || name == "function") {
    if (!utf8) return false;
    name_leaf(name == "class" ? TypeWord::class_name : TypeWord::function_name, payload.as_string(),
              attributes);
    return true;
  }
  if (name == "ply" || name == "obj") {
    if (!utf8 && (payload.kind() != POLYCODEC_KIND_BINARY || payload.metadata())) return false;
    const auto bytes = payload.as_bytes();
    if (!utf8 && settings_.dialect != Dialect::current) return false;
    name_leaf(type_word(name), {reinterpret_cast<const char*>(bytes.data()), bytes.size()},
              attributes);
    return true;
  }
  if (name == "instance" || name == "schema") {
    if (!payload.is_object() || payload.metadata()) return false;
    json_leaf(type_word(name), payload, attributes);
    return true;
  }
  if (name == "integer") {
    if (!text || attributes != nullptr || !is_integer_text(payload.as_string())) return false;
    out_.put_text(payload.as_string());
    return true;
  }
  if (name != "other" || !payload.is_object() || payload.size() != 2 ||
      settings_.dialect != Dialect::current)
    return false;
  const auto schema = payload.find("schema");
  const auto data = payload.find("data");
  if (!schema || !data || !schema->is_string() || data->kind() != POLYCODEC_KIND_BINARY ||
      attributes != nullptr || plain_)
    return false;
  head(schema->as_string());
  close(data->as_bytes().data(), data->size());
  return true;
}

// An instance or a schema: JSON inside of a leaf.
void Encoder::json_leaf(TypeWord type, NodeView payload, const polycodec_node* attributes) {
  if (settings_.dialect != Dialect::current) {
    // The header does not describe what is inside.
    const bool before = plain_;
    plain_ = true;
    loop(payload.raw(), frames_.size());
    plain_ = before;
    return;
  }
  if (type == TypeWord::instance) return instance_leaf(payload, attributes);
  const std::string text = inner([&](Encoder& encoder) {
    encoder.plain_ = true;
    encoder.inside_ = loss_path();
    encoder.gathering_ = gathering_;
    encoder.loop(payload.raw(), frames_.size() + 1);
  });
  open({.type = type}, attributes, {});
  close(text.data(), text.size());
}

}  // namespace polycodec::yggdrasil
