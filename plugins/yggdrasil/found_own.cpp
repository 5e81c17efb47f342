// SPDX-License-Identifier: MIT
// Words of our own (leaf.hpp).
#include <base/dtype_names.hpp>
#include <base/seeded_hash.hpp>
#include <base/swap_copy.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>

#include "found_leaf.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace polycodec::yggdrasil {
namespace {

// Its address tells a marker from any extension that a body can hold.
constexpr char marker_name[] = "polycodec";

[[noreturn]] void bad(const std::string& what) {
  throw Error(Status::malformed, what).detail("yggdrasil.bad_own");
}

std::string_view word(NodeView schema, std::string_view key) {
  const auto found = schema.find(key);
  if (!found || !found->is_string())
    bad("a leaf of type polycodec has no text \"" + std::string(key) + '"');
  return found->as_string();
}

bool is_table_key(NodeView key) {
  return key.as_string().data() == own_table_key.data();
}

std::uint32_t unit_of(NodeView schema) {
  const std::uint32_t unit = time_unit_from_name(word(schema, "unit"));
  if (unit == POLYCODEC_UNIT_COUNT)
    bad("unknown unit of time \"" + std::string(word(schema, "unit")) + '"');
  return unit;
}

polycodec_node own_value(Decoding& state, const FoundLeaf& found, OwnKind kind) {
  const NodeView schema = found.schema->object;
  if (kind == OwnKind::none)
    bad("a leaf of type polycodec of unknown kind \"" +
        std::string(word(schema, "kind").substr(0, 32)) + '"');
  const std::uint8_t dtype = own_dtype(word(schema, "dtype"));
  if (dtype == POLYCODEC_DTYPE_NONE)
    bad("unknown dtype of a polycodec value: \"" +
        std::string(word(schema, "dtype").substr(0, 32)) + '"');
  const bool time = dtype >= POLYCODEC_DTYPE_TIMESTAMP64;
  if (kind == OwnKind::ndarray) {
    // As an array of strings of that size, but of another type.
    LeafSchema same = *found.schema;
    same.leaf.type = TypeWord::ndarray;
    same.leaf.subtype = Subtype::string;
    same.leaf.precision = dtype_size(dtype);
    same.leaf.has_precision = true;
    same.leaf.resolve();
    same.leaf.dtype = dtype;
    FoundLeaf other = found;
    other.schema = &same;
    const polycodec_node node = array_of(state, other);
    if (time) const_cast<polycodec_array*>(node.as.array)->unit = unit_of(schema);
    return node;
  }
  std::byte bytes[16] = {};
  if (!time) {
    const std::uint32_t size = dtype_size(dtype);
    fill(state, found, bytes, size);
    if constexpr (std::endian::native == std::endian::big)
      swap_copy(bytes, bytes, size / dtype_swap_width(dtype), dtype_swap_width(dtype));
    return state.out.wide(dtype, bytes);
  }
  const bool point = dtype == POLYCODEC_DTYPE_TIMESTAMP64;
  fill(state, found, bytes, point ? 12 : 8);
  const auto count = load<std::int64_t>(bytes, std::endian::little);
  const std::uint32_t unit = unit_of(schema);
  if (!point) return state.out.duration(count, unit);
  const auto nanoseconds = load<std::uint32_t>(bytes + 8, std::endian::little);
  if (nanoseconds > 999999999 ||
      (nanoseconds != 0 && (!is_subsecond_unit(unit) || count == INT64_MIN)))
    bad("a time with " + std::to_string(nanoseconds) + " nanoseconds");
  return state.out.timestamp(count, nanoseconds, unit);
}

}  // namespace

bool is_marker(const polycodec_node& node) noexcept {
  return node.as.extension->name.data == static_cast<const void*>(marker_name);
}

polycodec_node own_of(Decoding& state, const FoundLeaf& found) {
  const NodeView schema = found.schema->object;
  const OwnKind kind = own_kind(word(schema, "kind"));
  if (kind <= OwnKind::member) {
    // It says what the array is that it is first in; elsewhere it says nothing.
    if (!state.is_first_item() || !found.data.empty())
      bad("a leaf of type polycodec and kind " + std::string(to_string(kind)) +
          " must not be first in an array");
    auto node = polycodec_node_make(POLYCODEC_KIND_EXTENSION, 0, 0);
    node.as.extension =
        state.out.store(polycodec_extension{{marker_name, sizeof marker_name - 1}, schema.raw()});
    return node;
  }
  const polycodec_node node = own_value(state, found, kind);
  const auto attributes = schema.find("attributes");
  if (!attributes) return node;
  if (!attributes->is_object()) bad("the attributes of a polycodec value are not an object");
  return state.out.annotated(node, *attributes->raw());
}

polycodec_node own_list(Decoding& state, const polycodec_node* nodes, std::uint64_t count,
                        std::uint64_t offset) {
  const NodeView schema(nodes->as.extension->payload);
  const OwnKind kind = own_kind(word(schema, "kind"));
  const auto wrong = [&](const char* what) {
    state.fail(Status::malformed, "yggdrasil.bad_own",
               std::string("an array that stands for a ") + what, offset);
  };
  --count;
  ++nodes;
  if (kind == OwnKind::map) {
    if (count % 2 != 0) wrong("map has a key without a value");
    polycodec_node* entries = nullptr;
    const polycodec_node node = state.out.map(count / 2, &entries);
    std::copy_n(nodes, count, entries);
    return node;
  }
  if (count != 1) wrong("single value has another number of items");
  if (kind == OwnKind::extension) {
    const std::string_view name = word(schema, "name");
    if (name.empty()) wrong("extension has no name");
    return state.out.extension(name, *nodes);
  }
  const auto tag = schema.find("tag");
  if (!tag || !tag->is_integer()) wrong("member of a union has no tag");
  return state.out.tagged(tag->as_int64(), *nodes);
}

bool is_table(const polycodec_node* nodes, std::uint64_t count) {
  const auto first = NodeView(nodes).metadata();
  if (!first || !NodeView(nodes).is_array()) return false;
  bool marked = false;
  for (std::uint64_t i = 0; i < first->size(); ++i) marked = marked || is_table_key(first->key(i));
  if (!marked) return false;
  SeededSet<std::string_view> titles;
  for (std::uint64_t i = 0; i < count; ++i) {
    const NodeView column(&nodes[i]);
    const auto attributes = column.metadata();
    const auto title = attributes ? attributes->find("title") : std::nullopt;
    if (!column.is_array() || !title || !title->is_string() ||
        !titles.insert(title->as_string()).second)
      return false;
    const ArrayView array = column.as_array();
    if (array.ndim() != 1 || array.length() != NodeView(nodes).as_array().length) return false;
  }
  return true;
}

polycodec_node table_of(Builder& out, const polycodec_node* nodes, std::uint64_t count) {
  std::vector<std::string_view> names;
  std::vector<const polycodec_array*> columns;
  for (std::uint64_t i = 0; i < count; ++i) {
    const NodeView attributes = *NodeView(&nodes[i]).metadata();
    auto* const column = out.store(*NodeView(&nodes[i]).node()->as.array);
    names.push_back(attributes.at("title").as_string());
    polycodec_node* members = nullptr;
    auto rest = out.object(attributes.size(), &members);
    std::uint64_t kept = 0;
    for (std::uint64_t m = 0; m < attributes.size(); ++m) {
      const std::string_view key = attributes.key(m).as_string();
      if (key == "title" || is_table_key(attributes.key(m))) continue;
      members[2 * kept] = *attributes.key(m).raw();
      members[2 * kept + 1] = *attributes.value(m).raw();
      ++kept;
    }
    if (kept != 0) {
      rest = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, kept);
      rest.as.nodes = members;
      column->metadata = out.root(rest);
    }
    columns.push_back(column);
  }
  return Builder::array(out.record(NodeView(nodes).as_array().length, names, columns));
}

}  // namespace polycodec::yggdrasil
