// SPDX-License-Identifier: MIT
#include "support.hpp"

#include <base/contiguous.hpp>

#include "ndarray.hpp"

#include <algorithm>
#include <bit>

namespace polycodec::test {
namespace {

std::string elements(ArrayView array) {
  std::string bytes(static_cast<std::size_t>(contiguous_size(array)), '\0');
  copy_elements(array, array.raw().byte_order,
                std::as_writable_bytes(std::span(bytes.data(), bytes.size())));
  return bytes;
}

std::string kind(NodeView v) {
  return "found " + std::string(kind_name(v.node()->kind));
}

std::string ndarray_difference(NodeView value, const Json& node) {
  if (!value.is_array() || value.as_array().layout != POLYCODEC_LAYOUT_NDARRAY)
    return kind(value) + ", not an ndarray";
  const ArrayView array = value.as_array();
  const auto typestr = msgpack_ndarray::typestr_of(array.dtype(), array.raw().byte_order);
  if (typestr != node.at("typestr").get<std::string>()) return "typestr " + std::string(typestr);
  const auto shape = node.at("shape").get<std::vector<std::int64_t>>();
  if (!std::equal(shape.begin(), shape.end(), array.shape().begin(), array.shape().end()))
    return "another shape";
  if (array.length() != (shape.empty() ? 1u : static_cast<std::uint64_t>(shape[0])))
    return "another length";
  if (node.contains("data_hex") &&
      elements(array) != from_hex(node.at("data_hex").get<std::string>()))
    return "other elements";
  return {};
}

std::string list_difference(NodeView value, const Json& items) {
  if (!value.is_list()) return kind(value) + ", not a list";
  if (value.size() != items.size()) return std::to_string(value.size()) + " items";
  for (std::size_t i = 0; i < items.size(); ++i)
    if (auto d = difference(value[i], items[i]); !d.empty())
      return "[" + std::to_string(i) + "] " + d;
  return {};
}

std::string map_difference(NodeView value, const Json& entries) {
  bool all_text = true;
  for (const Json& entry : entries) all_text = all_text && entry[0].at("t") == "str";
  if (value.kind() != (all_text ? POLYCODEC_KIND_OBJECT : POLYCODEC_KIND_MAP))
    return kind(value) + ", not object or map";
  if (value.size() != entries.size()) return std::to_string(value.size()) + " entries";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string at = "{" + std::to_string(i) + "} ";
    if (auto d = difference(value.key(i), entries[i][0]); !d.empty()) return at + "key " + d;
    if (auto d = difference(value.value(i), entries[i][1]); !d.empty()) return at + d;
  }
  return {};
}

std::string scalar_difference(NodeView value, const Json& node, const std::string& t) {
  if (t == "nil") return value.is_null() ? "" : kind(value);
  if (t == "bool")
    return value.kind() == POLYCODEC_KIND_BOOLEAN && value.as_bool() == node.at("v").get<bool>()
               ? ""
               : kind(value);
  if (t == "int") {
    const auto digits = node.at("v").get<std::string>();
    if (value.kind() == POLYCODEC_KIND_SIGNED)
      return std::to_string(value.as_int64()) == digits ? "" : "another integer";
    if (value.kind() != POLYCODEC_KIND_UNSIGNED || value.as_uint64() <= INT64_MAX)
      return kind(value);
    return std::to_string(value.as_uint64()) == digits ? "" : "another integer";
  }
  const auto bits = std::stoull(node.at("bits").get<std::string>(), nullptr, 16);
  if (value.kind() != POLYCODEC_KIND_FLOAT) return kind(value);
  if (t == "f32")
    return value.dtype() == POLYCODEC_DTYPE_FLOAT32 &&
                   std::bit_cast<std::uint32_t>(value.node()->as.f32) == bits
               ? ""
               : "another float32";
  return value.dtype() == POLYCODEC_DTYPE_FLOAT64 && value.node()->as.u64 == bits
             ? ""
             : "another float64";
}

}  // namespace

std::string difference(NodeView value, const Json& node) {
  const auto t = node.at("t").get<std::string>();
  if (t == "nil" || t == "bool" || t == "int" || t == "f32" || t == "f64")
    return scalar_difference(value, node, t);
  if (t == "str")
    return value.is_string() && value.as_string() == node.at("v").get<std::string>()
               ? ""
               : kind(value) + ", str";
  if (t == "bin")
    return value.kind() == POLYCODEC_KIND_BINARY &&
                   value.as_bytes() == from_hex(node.at("hex").get<std::string>())
               ? ""
               : kind(value);
  if (t == "array") return list_difference(value, node.at("v"));
  if (t == "map") return map_difference(value, node.at("v"));
  if (t == "ndarray") return ndarray_difference(value, node);
  if (t == "timestamp") {
    if (value.kind() != POLYCODEC_KIND_TIMESTAMP) return kind(value) + ", not a datetime";
    const auto& time = value.as_time();
    return std::to_string(time.count) == node.at("sec").get<std::string>() &&
                   time.nanoseconds == node.at("nsec").get<std::uint32_t>()
               ? ""
               : "another time";
  }
  if (value.kind() != POLYCODEC_KIND_EXTENSION) return kind(value) + ", not an extension";
  const polycodec_extension& extension = value.as_extension();
  const NodeView payload(extension.payload);
  if (t == "stream")
    return to_string_view(extension.name) == "stream" ? list_difference(payload, node.at("v"))
                                                      : "another extension";
  if (t != "ext") return "a node that the test does not know: " + t;
  return to_string_view(extension.name) == "msgpack.ext" &&
                 payload.at("code").as_int64() == node.at("code").get<std::int64_t>() &&
                 payload.at("data").as_bytes() == from_hex(node.at("hex").get<std::string>())
             ? ""
             : "another ext";
}

std::string difference(NodeView a, NodeView b) {
  if (a.kind() != b.kind() || a.dtype() != b.dtype() || a.size() != b.size())
    return kind(a) + " and " + kind(b);
  switch (a.kind()) {
    case POLYCODEC_KIND_NULL:
      return {};
    case POLYCODEC_KIND_BOOLEAN:
    case POLYCODEC_KIND_SIGNED:
    case POLYCODEC_KIND_UNSIGNED:
      return a.node()->as.u64 == b.node()->as.u64 ? "" : "other numbers";
    case POLYCODEC_KIND_FLOAT:
      if (a.dtype() == POLYCODEC_DTYPE_FLOAT32)
        return std::bit_cast<std::uint32_t>(a.node()->as.f32) ==
                       std::bit_cast<std::uint32_t>(b.node()->as.f32)
                   ? ""
                   : "other numbers";
      return a.node()->as.u64 == b.node()->as.u64 ? "" : "other numbers";
    case POLYCODEC_KIND_STRING:
    case POLYCODEC_KIND_BINARY:
      return a.as_bytes() == b.as_bytes() ? "" : "other bytes";
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_OBJECT:
    case POLYCODEC_KIND_MAP: {
      const std::uint64_t nodes = a.is_list() ? a.size() : 2 * a.size();
      for (std::uint64_t i = 0; i < nodes; ++i)
        if (auto d = difference(NodeView(a.node()->as.nodes + i), NodeView(b.node()->as.nodes + i));
            !d.empty())
          return "[" + std::to_string(i) + "] " + d;
      return {};
    }
    case POLYCODEC_KIND_ARRAY: {
      const ArrayView x = a.as_array();
      const ArrayView y = b.as_array();
      if (x.layout() != y.layout() || x.dtype() != y.dtype() || x.ndim() != y.ndim() ||
          x.raw().byte_order != y.raw().byte_order)
        return "arrays of other types";
      if (!std::equal(x.shape().begin(), x.shape().end(), y.shape().begin())) return "other shapes";
      return elements(x) == elements(y) ? "" : "other elements";
    }
    case POLYCODEC_KIND_EXTENSION:
      if (to_string_view(a.as_extension().name) != to_string_view(b.as_extension().name))
        return "other extensions";
      return difference(NodeView(a.as_extension().payload), NodeView(b.as_extension().payload));
    case POLYCODEC_KIND_TIMESTAMP:
      return a.as_time().count == b.as_time().count &&
                     a.as_time().nanoseconds == b.as_time().nanoseconds &&
                     a.as_time().unit == b.as_time().unit
                 ? ""
                 : "other times";
    default:
      return kind(a) + ", which msgpack does not decode to";
  }
}

}  // namespace polycodec::test
