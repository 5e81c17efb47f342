// SPDX-License-Identifier: MIT
// Nodes that are neither plain JSON nor arrays: exactly typed scalars, extensions, and what
// yggdrasil has no type for.
#include <base/decimal.hpp>
#include <base/json_number.hpp>
#include <base/swap_copy.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/utf.hpp>

#include "encode.hpp"

#include <algorithm>
#include <cstring>

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
  char* const to = reinterpret_cast<char*>(state_.out.reserve(max_decimal_size));
  state_.out.commit(static_cast<std::uint64_t>(print_decimal(to, value) - to));
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
      state_.lose_attributes(attributes);
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
      return this->node(&node, depth);
    case POLYCODEC_KIND_SIGNED:
    case POLYCODEC_KIND_UNSIGNED:
      if (!any && node.kind == POLYCODEC_KIND_SIGNED && node.dtype == POLYCODEC_DTYPE_INT64)
        return plain_integer(node.as.i64);
      if (!any && node.dtype == POLYCODEC_DTYPE_UINT64 && node.as.i64 < 0)
        return plain_integer(node.as.u64);
      store(bits, node.as.u64, std::endian::little);
      return leaves_.scalar(node.dtype, bits, attributes);
    case POLYCODEC_KIND_FLOAT:
      if (!any && node.dtype == POLYCODEC_DTYPE_FLOAT64) return real(node);
      if (node.dtype == POLYCODEC_DTYPE_FLOAT32) {
        store(bits, node.as.f32, std::endian::little);
      } else {
        store(bits, node.as.u64, std::endian::little);
      }
      return leaves_.scalar(node.dtype, bits, attributes);
    case POLYCODEC_KIND_WIDE: {
      if (!any && (node.dtype == POLYCODEC_DTYPE_INT128 || node.dtype == POLYCODEC_DTYPE_UINT128))
        if (const std::string digits = plain_wide(node.dtype, node.as.data); !digits.empty())
          return state_.out.put_text(digits);
      const std::uint32_t width = dtype_swap_width(node.dtype);
      const std::uint32_t size = dtype_size(node.dtype);
      std::memcpy(bits, node.as.data, size);
      if constexpr (host_byte_order != POLYCODEC_LITTLE_ENDIAN)
        swap_copy(bits, node.as.data, size / width, width);
      static_cast<void>(width);
      if (is_own_dtype(node.dtype))
        return put_own_scalar(state_, leaves_, node.dtype, bits, size, attributes);
      return leaves_.scalar(node.dtype, bits, attributes);
    }
    case POLYCODEC_KIND_STRING:
      return text(NodeView(&node).as_string(), node.dtype == POLYCODEC_STRING_LENIENT, attributes);
    case POLYCODEC_KIND_BINARY:
      return leaves_.bytes({static_cast<const char*>(node.as.data),
                            static_cast<std::size_t>(polycodec_node_size(&node))},
                           attributes);
    case POLYCODEC_KIND_ARRAY:
      return ArrayWriter(*this, state_, leaves_).array(*node.as.array, attributes, depth);
    case POLYCODEC_KIND_EXTENSION:
      return extension(*node.as.extension, attributes, depth);
    case POLYCODEC_KIND_REFERENCE:
      state_.check_depth(depth + 1);
      return this->node(node.as.node, depth + 1);
    case POLYCODEC_KIND_TIMESTAMP:
    case POLYCODEC_KIND_DURATION:
      return put_own_time(state_, leaves_, *node.as.time, node.kind == POLYCODEC_KIND_TIMESTAMP,
                          attributes);
    case POLYCODEC_KIND_UNION:
      state_.refuse_foreign("a member of a union");
      state_.check_depth(depth + 1);
      state_.out.put_u8('[');
      leaves_.own_marker(OwnKind::member, ",\"tag\":" + std::to_string(node.as.tagged->tag));
      state_.out.put_u8(',');
      this->node(node.as.tagged->node, depth + 1);
      return state_.out.put_u8(']');
    case POLYCODEC_KIND_MAP: {
      state_.refuse_foreign("a map");
      state_.check_depth(depth + 1);
      state_.out.put_u8('[');
      leaves_.own_marker(OwnKind::map, "");
      for (const polycodec_node& part : NodeView(&node).entries()) {
        state_.out.put_u8(',');
        this->node(&part, depth + 1);
      }
      return state_.out.put_u8(']');
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
  state_.lose_attributes(attributes);
  state_.refuse_foreign("an extension \"" + std::string(name.substr(0, 64)) + '"');
  state_.check_depth(depth + 1);
  std::string more = ",\"name\":";
  append_string(more, state_.settings, state_.call, name);
  state_.out.put_u8('[');
  leaves_.own_marker(OwnKind::extension, more);
  state_.out.put_u8(',');
  this->node(extension.payload, depth + 1);
  state_.out.put_u8(']');
}

// False if the payload is not what the name promises.
bool Encoder::known_extension(std::string_view name, NodeView payload,
                              const polycodec_node* attributes) {
  const bool text = payload.is_string() && !payload.metadata();
  const bool utf8 =
      text && (payload.dtype() != POLYCODEC_STRING_LENIENT || is_utf8(payload.as_string()));
  if (name == "class" || name == "function") {
    if (!utf8) return false;
    leaves_.name(name == "class" ? TypeWord::class_name : TypeWord::function_name,
                 payload.as_string(), attributes);
    return true;
  }
  if (name == "ply" || name == "obj") {
    if (!utf8 && (payload.kind() != POLYCODEC_KIND_BINARY || payload.metadata())) return false;
    const auto bytes = payload.as_bytes();
    if (!utf8 && state_.settings.dialect != Dialect::current) return false;
    leaves_.name(type_word(name), {reinterpret_cast<const char*>(bytes.data()), bytes.size()},
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
    state_.out.put_text(payload.as_string());
    return true;
  }
  if (name != "other" || !payload.is_object() || payload.size() != 2 ||
      state_.settings.dialect != Dialect::current)
    return false;
  const auto schema = payload.find("schema");
  const auto data = payload.find("data");
  if (!schema || !data || !schema->is_string() || data->kind() != POLYCODEC_KIND_BINARY ||
      attributes != nullptr || state_.plain)
    return false;
  leaves_.leaf(schema->as_string(), data->as_bytes().data(), data->size());
  return true;
}

// An instance or a schema: JSON inside of a leaf.
void Encoder::json_leaf(TypeWord type, NodeView payload, const polycodec_node* attributes) {
  if (state_.settings.dialect != Dialect::current) {
    // The header does not describe what is inside.
    const bool before = state_.plain;
    state_.plain = true;
    this->node(payload.raw(), state_.frames.size());
    state_.plain = before;
    return;
  }
  if (type == TypeWord::instance) return put_instance(state_, leaves_, payload, attributes);
  leaves_.leaf({.type = type}, attributes,
               json_of(state_, *payload.raw(), state_.frames.size() + 1, {}, true));
}

}  // namespace polycodec::yggdrasil
