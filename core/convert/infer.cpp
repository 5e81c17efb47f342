// SPDX-License-Identifier: MIT
#include <polycodec/infer.hpp>

#include "core/convert/infer_type.hpp"

namespace polycodec {

namespace text {

using type::Kind;
using type::Type;

namespace {

constexpr std::size_t max_tuple_items = 16;
constexpr std::int64_t max_union_tag = 255;

/// A number below 64 for nodes that have no parts, such that equal numbers mean equal types; 64 for
/// all others.
unsigned leaf_class(const polycodec_node& n) noexcept {
  switch (n.kind) {
    case POLYCODEC_KIND_NULL:
      return 0;
    case POLYCODEC_KIND_BOOLEAN:
      return POLYCODEC_DTYPE_BOOLEAN;
    case POLYCODEC_KIND_SIGNED:
    case POLYCODEC_KIND_UNSIGNED:
    case POLYCODEC_KIND_FLOAT:
    case POLYCODEC_KIND_WIDE:
      return n.dtype;
    case POLYCODEC_KIND_STRING:
      return 62;
    case POLYCODEC_KIND_BINARY:
      return 63;
    default:
      return 64;
  }
}

Type leaf_type(unsigned leaf) {
  if (leaf == 0) return type::null();
  if (leaf == 62) return type::string();
  if (leaf == 63) return type::bytes();
  return type::scalar(leaf);
}

/// True if joining the type of `n` to `t` gives `t` again. False says nothing: it is only a way to
/// make no types for the items of long lists that are all alike.
bool fits(const Type& t, const polycodec_node& n);

bool all_fit(const Type& t, const polycodec_node& list) {
  const std::uint64_t size = polycodec_node_size(&list);
  for (std::uint64_t i = 0; i < size; ++i)
    if (!fits(t, list.as.nodes[i])) return false;
  return true;
}

bool record_fits(const Type& t, const polycodec_node& n) {
  const auto names = t.names();
  if (n.kind != POLYCODEC_KIND_OBJECT || polycodec_node_size(&n) != names.size()) return false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const NodeView key(&n.as.nodes[2 * i]);
    if (!key.is_string() || key.as_string() != names[i]) return false;
    if (!fits(t.items()[i], n.as.nodes[2 * i + 1])) return false;
  }
  return true;
}

bool tuple_fits(const Type& t, const polycodec_node& n) {
  if ((n.kind != POLYCODEC_KIND_LIST && n.kind != POLYCODEC_KIND_TUPLE) ||
      polycodec_node_size(&n) != t.items().size())
    return false;
  for (std::size_t i = 0; i < t.items().size(); ++i)
    if (!fits(t.items()[i], n.as.nodes[i])) return false;
  return true;
}

bool map_fits(const Type& t, const polycodec_node& n) {
  if (n.kind != POLYCODEC_KIND_MAP) return false;
  const std::uint64_t size = polycodec_node_size(&n);
  if (size == 0) return false;
  for (std::uint64_t i = 0; i < size; ++i)
    if (!fits(t.items()[0], n.as.nodes[2 * i]) || !fits(t.items()[1], n.as.nodes[2 * i + 1]))
      return false;
  return true;
}

bool fits(const Type& t, const polycodec_node& n) {
  switch (t.kind()) {
    case Kind::any:
      return true;
    case Kind::option:
      return n.kind == POLYCODEC_KIND_NULL || fits(t.element(), n);
    case Kind::null:
      return n.kind == POLYCODEC_KIND_NULL;
    case Kind::scalar:
      return leaf_class(n) == static_cast<unsigned>(t.dtype());
    case Kind::string:
      return n.kind == POLYCODEC_KIND_STRING;
    case Kind::bytes:
      return n.kind == POLYCODEC_KIND_BINARY;
    case Kind::datetime:
      return n.kind == POLYCODEC_KIND_TIMESTAMP &&
             n.as.time->unit == static_cast<std::uint32_t>(t.unit());
    case Kind::timedelta:
      return n.kind == POLYCODEC_KIND_DURATION &&
             n.as.time->unit == static_cast<std::uint32_t>(t.unit());
    case Kind::fixed_dim:
      return n.kind == POLYCODEC_KIND_LIST && polycodec_node_size(&n) == t.size() &&
             t.size() != 0 && all_fit(t.element(), n);
    case Kind::var_dim:
      return n.kind == POLYCODEC_KIND_LIST && all_fit(t.element(), n);
    case Kind::record:
      return record_fits(t, n);
    case Kind::tuple:
      return tuple_fits(t, n);
    case Kind::map:
      return map_fits(t, n);
    case Kind::extension:
      return n.kind == POLYCODEC_KIND_EXTENSION &&
             to_string_view(n.as.extension->name) == t.name() &&
             fits(t.element(), *n.as.extension->payload);
    case Kind::union_type:
      return n.kind == POLYCODEC_KIND_UNION && n.as.tagged->tag >= 0 &&
             static_cast<std::uint64_t>(n.as.tagged->tag) < t.items().size() &&
             fits(t.items()[static_cast<std::size_t>(n.as.tagged->tag)], *n.as.tagged->node);
    default:
      return false;
  }
}

}  // namespace

bool Inference::NodeJoin::add(const polycodec_node& n) {
  const unsigned leaf = leaf_class(n);
  if (leaf < 64) {
    const std::uint64_t bit = std::uint64_t{1} << leaf;
    if ((seen_ & bit) != 0) return true;
    if (!join_.add(leaf_type(leaf))) return false;
    seen_ |= bit;
    return true;
  }
  if (!join_.empty() && fits(join_.current(), n)) return true;
  return join_.add(inference_.node(n));
}

Type Inference::nodes(std::span<const polycodec_node> all) {
  NodeJoin join(*this);
  for (const polycodec_node& n : all)
    if (!join.add(n)) return type::any();
  return clip(join.type());
}

Type Inference::list(std::span<const polycodec_node> items) {
  const std::uint64_t size = items.size();
  if (size > max_tuple_items) return type::fixed(size, nodes(items));
  std::vector<Type> types;
  types.reserve(items.size());
  Join join;
  bool common = true;
  for (const polycodec_node& n : items) {
    types.push_back(clip(node(n)));
    common = common && join.add(types.back());
  }
  return common ? type::fixed(size, clip(join.type())) : tuple(std::move(types));
}

Type Inference::tuple(std::vector<Type> items) {
  std::uint64_t parts = 0;
  for (Type& item : items) {
    item = clip(item);
    parts += item.nodes();
  }
  return parts > max_inferred_parts ? type::any() : type::tuple(std::move(items));
}

Type Inference::object(std::span<const polycodec_node> entries) {
  if (!has_record_keys(entries)) return map(entries);
  // A record with more fields than a type can have parts needs no look at them.
  if (entries.size() / 2 > max_inferred_parts) return type::any();
  std::vector<type::Field> fields;
  fields.reserve(entries.size() / 2);
  std::uint64_t parts = 0;
  for (std::size_t i = 0; i < entries.size(); i += 2) {
    fields.push_back({std::string(NodeView(&entries[i]).as_string()), clip(node(entries[i + 1]))});
    parts += fields.back().type.nodes();
  }
  return parts > max_inferred_parts ? type::any() : type::record(std::move(fields));
}

Type Inference::map(std::span<const polycodec_node> entries) {
  NodeJoin keys(*this), values(*this);
  bool common_key = true, common_value = true;
  for (std::size_t i = 0; i < entries.size(); i += 2) {
    common_key = common_key && keys.add(entries[i]);
    common_value = common_value && values.add(entries[i + 1]);
  }
  return type::map(common_key ? clip(keys.type()) : type::any(),
                   common_value ? clip(values.type()) : type::any());
}

Type Inference::extension(const polycodec_extension& extension) {
  const std::string_view name = to_string_view(extension.name);
  if (!is_utf8(name)) return type::any();
  return type::extension(std::string(name), clip(node(*extension.payload)));
}

Type Inference::variant(const polycodec_tagged& variant) {
  if (variant.tag < 0 || variant.tag > max_union_tag) return type::any();
  std::vector<Type> alternatives(static_cast<std::size_t>(variant.tag) + 1);
  alternatives.back() = clip(node(*variant.node));
  return type::union_of(std::move(alternatives));
}

Type Inference::reference(const polycodec_node* target) {
  // The type stays `any` while it is being worked out: that is what a cycle finds.
  const auto [at, fresh] = known_nodes_.try_emplace(target, type::any());
  if (!fresh) return at->second;
  Type found = node(*target);
  known_nodes_[target] = found;
  return found;
}

Type Inference::annotated(const polycodec_annotated& annotated) {
  return annotate(clip(node(*annotated.node)),
                  annotations_of(NodeView(annotated.metadata), limits_));
}

Type Inference::node(const polycodec_node& n) {
  if (const unsigned leaf = leaf_class(n); leaf < 64) return leaf_type(leaf);
  const Level level(*this);
  const auto size = static_cast<std::size_t>(polycodec_node_size(&n));
  switch (n.kind) {
    case POLYCODEC_KIND_LIST:
      return list({n.as.nodes, size});
    case POLYCODEC_KIND_TUPLE: {
      if (size > max_inferred_parts) return type::any();
      std::vector<Type> items;
      items.reserve(size);
      for (std::size_t i = 0; i < size; ++i) items.push_back(clip(node(n.as.nodes[i])));
      return tuple(std::move(items));
    }
    case POLYCODEC_KIND_OBJECT:
      return object({n.as.nodes, 2 * size});
    case POLYCODEC_KIND_MAP:
      return map({n.as.nodes, 2 * size});
    case POLYCODEC_KIND_ARRAY:
      return array(*n.as.array);
    case POLYCODEC_KIND_EXTENSION:
      return extension(*n.as.extension);
    case POLYCODEC_KIND_REFERENCE:
      return reference(n.as.node);
    case POLYCODEC_KIND_ANNOTATED:
      return annotated(*n.as.annotated);
    case POLYCODEC_KIND_TIMESTAMP:
      return type::datetime(n.as.time->unit);
    case POLYCODEC_KIND_DURATION:
      return type::timedelta(n.as.time->unit);
    case POLYCODEC_KIND_UNION:
      return variant(*n.as.tagged);
    default:
      throw Error(Status::invalid, "a node of unknown kind " + std::to_string(n.kind));
  }
}

}  // namespace text

type::Type infer_type(NodeView value, const Limits& limits) {
  return text::clip(text::Inference(limits).node(*value.raw()));
}

}  // namespace polycodec
