// SPDX-License-Identifier: MIT
#include <model/type/layout.hpp>
#include <model/type/parse.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include "array_parts.hpp"
#include "extras.hpp"
#include "numpy.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace polycodec::awkward {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw Error(Status::malformed, "invalid 'polycodec' extension field: " + why)
      .detail("extra.mismatch");
}

bool boolean(NodeView v, std::string_view name) {
  if (v.kind() != POLYCODEC_KIND_BOOLEAN) refuse(quote(name) + " must be true or false");
  return v.as_bool();
}

std::uint64_t count(NodeView v, std::string_view name) {
  if (v.kind() != POLYCODEC_KIND_SIGNED || v.as_int64() < 0)
    refuse(quote(name) + " must be a count");
  return v.as_uint64();
}

const polycodec_array& array_of(const polycodec_node& value, std::string_view name) {
  if (value.kind != POLYCODEC_KIND_ARRAY) refuse(quote(name) + " is only valid on an array");
  return *value.as.array;
}

const polycodec_array& record_of(const polycodec_node& value, std::string_view name) {
  const polycodec_array& a = array_of(value, name);
  if (a.layout != POLYCODEC_LAYOUT_RECORD) refuse(quote(name) + " is only valid on a table");
  return a;
}

polycodec_node as_tuple(Builder& out, const polycodec_node& value) {
  const polycodec_array& table = record_of(value, extra::tuple);
  for (std::uint32_t i = 0; i < table.n_children; ++i)
    if (to_string_view(table.names[i]) != std::to_string(i))
      refuse("the columns of a tuple must be called 0, 1, .. in order");
  polycodec_array* a = copy_header(out, table);
  a->names = nullptr;
  return Builder::array(a);
}

/// The dtype of an element of `size` bytes that the notation names, or NONE.
std::uint32_t dtype_of_notation(std::string_view notation, std::uint32_t size) {
  const type::Type type = type::parse(notation);
  std::uint32_t dtype = POLYCODEC_DTYPE_NONE;
  if (type.is(type::Kind::scalar) && dtype_size(type.dtype()) == size) dtype = type.dtype();
  if (type.is(type::Kind::fixed_string)) {
    switch (type.encoding()) {
      case type::Encoding::utf32:
        dtype = POLYCODEC_DTYPE_FIXED_UTF32;
        break;
      case type::Encoding::utf16:
      case type::Encoding::ucs2:
        dtype = POLYCODEC_DTYPE_FIXED_UTF16;
        break;
      default:
        dtype = POLYCODEC_DTYPE_FIXED_UTF8;
    }
  }
  return size % std::max(dtype_swap_width(dtype), 1u) == 0 ? dtype
                                                           : std::uint32_t{POLYCODEC_DTYPE_NONE};
}

/// The array with elements of the type that is written out, where numpy has none.
const polycodec_array* with_type(Builder& out, const polycodec_array& array,
                                 std::string_view notation) {
  polycodec_array* a = copy_header(out, array);
  const ArrayView view(array);
  if (array.layout == POLYCODEC_LAYOUT_LIST_FIXED) {
    auto** child = out.allocate<const polycodec_array*>(1);
    *child = with_type(out, *array.children[0], notation);
    a->children = child;
    return a;
  }
  // Strings of a fixed size, less the zeros at their end.
  if (view.is_binary() && type::parse(notation).is(type::Kind::fixed_string)) {
    for (std::uint64_t i = 0; i < view.length(); ++i)
      if (!is_utf8(view.text(i))) refuse("text " + std::to_string(i) + " is not UTF-8");
    a->flags = POLYCODEC_ARRAY_STRING;
    return a;
  }
  const std::uint32_t dtype = array.layout == POLYCODEC_LAYOUT_NDARRAY
                                  ? dtype_of_notation(notation, array.item_size)
                                  : std::uint32_t{POLYCODEC_DTYPE_NONE};
  if (dtype == POLYCODEC_DTYPE_NONE) refuse("the elements are not of the type " + quote(notation));
  a->dtype = static_cast<std::uint8_t>(dtype);
  a->byte_order = POLYCODEC_LITTLE_ENDIAN;
  if (!elements_are_valid(*a)) refuse("not every element is one of " + quote(notation));
  return a;
}

polycodec_node with_length(Builder& out, const polycodec_node& value, std::uint64_t rows,
                           const polycodec_limits& limits) {
  const polycodec_array& table = record_of(value, extra::length);
  if (table.n_children != 0) refuse("the length of a table with columns is theirs");
  if (rows > limits.max_elements)
    throw Error(Status::limit, "a table of " + std::to_string(rows) + " rows (max_elements)");
  polycodec_array* a = copy_header(out, table);
  a->length = rows;
  return Builder::array(a);
}

/// Lists of one length.
polycodec_node with_size(Builder& out, const polycodec_node& value, std::uint64_t size) {
  const polycodec_array& lists = array_of(value, extra::size);
  const ArrayView view(lists);
  if (!view.is_list()) refuse("'size' is only valid on lists");
  for (std::uint64_t i = 0; i < lists.length; ++i) {
    const auto range = view.range(i);
    if (range.begin != i * size || range.end != range.begin + size)
      refuse("the lists are not of size " + std::to_string(size));
  }
  polycodec_array* a = copy_header(out, lists);
  a->layout = POLYCODEC_LAYOUT_LIST_FIXED;
  a->index = a->tags = {};
  a->list_size = size;
  return Builder::array(a);
}

/// The items of a union as they are.
polycodec_node as_documents(Builder& out, const polycodec_node& value,
                            const polycodec_limits& limits) {
  const polycodec_array& items = array_of(value, extra::any);
  if (items.length > limits.max_nodes)
    throw Error(Status::limit, "more items than the limit (max_nodes)");
  const bool members = items.layout == POLYCODEC_LAYOUT_UNION;
  auto* nodes = out.allocate<polycodec_node>(items.length);
  for (std::uint64_t i = 0; i < items.length; ++i) {
    nodes[i] = element_node(out, items, i);
    if (members) nodes[i] = *nodes[i].as.tagged->node;
  }
  polycodec_array* a = out.new_array(POLYCODEC_LAYOUT_DOCUMENT, items.length);
  a->nodes = nodes;
  a->metadata = items.metadata;
  return Builder::array(a);
}

polycodec_node with_kind(Builder& out, const polycodec_node& value, NodeView word) {
  if (!word.is_string()) refuse("'kind' must be a text");
  const NodeView items(&value);
  const bool pair = value.kind == POLYCODEC_KIND_TUPLE && items.size() == 2;
  if (word.as_string() == kind::extension) {
    if (!pair || !items[0].is_string()) refuse("an extension is a tuple of name and payload");
    return out.extension(items[0].as_string(), *items[1].raw());
  }
  if (word.as_string() == kind::variant) {
    if (!pair || items[0].kind() != POLYCODEC_KIND_SIGNED)
      refuse("a member of a union is a tuple of tag and value");
    return out.tagged(items[0].as_int64(), *items[1].raw());
  }
  if (word.as_string() != kind::map) refuse("unknown kind " + quote(word.as_string()));
  if (value.kind != POLYCODEC_KIND_LIST) refuse("a map is a list of tuples of key and value");
  polycodec_node* nodes;
  const polycodec_node map = out.map(items.size(), &nodes);
  for (const polycodec_node& entry : items.items()) {
    if (entry.kind != POLYCODEC_KIND_TUPLE || polycodec_node_size(&entry) != 2)
      refuse("a map is a list of tuples of key and value");
    *nodes++ = entry.as.nodes[0];
    *nodes++ = entry.as.nodes[1];
  }
  return map;
}

/// The one element without the axis that it is on.
polycodec_node without_axes(Builder& out, const polycodec_node& value, std::uint64_t axes) {
  const polycodec_array& one = array_of(value, extra::axes);
  if (axes != 0 || one.length != 1 || one.ndim > 1)
    refuse("an array of 0 axes is one of one element");
  // Strings of a fixed size, less the zeros at their end, are items of a list.
  if (one.layout != POLYCODEC_LAYOUT_NDARRAY || one.ndim == 0) return element_node(out, one, 0);
  polycodec_array* a = copy_header(out, one);
  a->ndim = 0;
  return Builder::array(a);
}

}  // namespace

polycodec_node with_extras(Builder& out, const polycodec_node& given, NodeView expression,
                           const polycodec_limits& limits) {
  polycodec_node value = given;
  if (const auto name = expression.find(rowname_key)) {
    if (!name->is_string()) refuse("'rowname' must be a text");
    value = Builder::array(
        with_attribute(out, record_of(value, rowname_key), rowname_key, *name->raw()));
  }
  const auto extras = expression.find(extra_key);
  if (!extras) return value;
  if (!extras->is_object()) refuse("'polycodec' must be an object");
  if (const auto tuple = extras->find(extra::tuple); tuple && boolean(*tuple, extra::tuple))
    value = as_tuple(out, value);
  if (const auto notation = extras->find(extra::type)) {
    if (!notation->is_string()) refuse("'type' must be type notation");
    value = Builder::array(with_type(out, array_of(value, extra::type), notation->as_string()));
  }
  if (const auto rows = extras->find(extra::length))
    value = with_length(out, value, count(*rows, extra::length), limits);
  if (const auto size = extras->find(extra::size))
    value = with_size(out, value, count(*size, extra::size));
  if (const auto any = extras->find(extra::any); any && boolean(*any, extra::any))
    value = as_documents(out, value, limits);
  if (const auto word = extras->find(extra::kind)) value = with_kind(out, value, *word);
  if (const auto scalar = extras->find(extra::scalar); scalar && boolean(*scalar, extra::scalar)) {
    const polycodec_array& one = array_of(value, extra::scalar);
    if (one.length != 1) refuse("a scalar is an array of one element");
    value = element_node(out, one, 0);
  }
  if (const auto axes = extras->find(extra::axes))
    value = without_axes(out, value, count(*axes, extra::axes));
  return value;
}

polycodec_node with_about(Builder& out, const polycodec_node& value, NodeView schema) {
  const bool is_array = value.kind == POLYCODEC_KIND_ARRAY;
  const polycodec_node* const before = is_array ? value.as.array->metadata
                                       : value.kind == POLYCODEC_KIND_ANNOTATED
                                           ? value.as.annotated->metadata
                                           : nullptr;
  std::vector<Member> members;
  for (const std::string_view key : about_keys) {
    const auto found = schema.find(key);
    if (found && (before == nullptr || !NodeView(before).find(key)))
      members.push_back({key, *found->raw()});
  }
  if (members.empty()) return value;
  for (std::uint64_t i = 0; before != nullptr && i < NodeView(before).size(); ++i)
    members.push_back({NodeView(before).key(i).as_string(), *NodeView(before).value(i).raw()});
  const polycodec_node about = out.object(std::span<const Member>(members));
  if (!is_array) return out.annotated(*NodeView(&value).node(), about);
  polycodec_array* const copy = copy_header(out, *value.as.array);
  copy->metadata = out.store(about);
  return Builder::array(copy);
}

polycodec_node with_attributes(Builder& out, const polycodec_node& value,
                               const polycodec_node& attributes) {
  if (value.kind != POLYCODEC_KIND_ARRAY) return out.annotated(value, attributes);
  const polycodec_array* a = value.as.array;
  const auto entries = NodeView(&attributes).entries();
  for (std::size_t i = 0; i < entries.size(); i += 2)
    a = with_attribute(out, *a, NodeView(&entries[i]).as_string(), entries[i + 1]);
  if (entries.empty() && a->metadata == nullptr) {
    polycodec_array* copy = copy_header(out, *a);
    copy->metadata = out.store(attributes);
    a = copy;
  }
  return Builder::array(a);
}

}  // namespace polycodec::awkward
