// SPDX-License-Identifier: MIT
#include "infer.hpp"

#include <base/depth.hpp>
#include <base/same_name.hpp>

#include <algorithm>
#include <utility>

namespace polycodec::type {

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

}  // namespace

/// Whether joining the type of a node to `t` gives `t` again. False says nothing: the function
/// saves making types for the items of long lists that are alike.
class Fitting {
 public:
  explicit Fitting(Inference& inference) noexcept : inference_(inference) {}

  bool fits(const Type& t, const polycodec_node& n) {
    const bool answer = part_fits(t, n);
    inference_.visit(visits_);
    return answer;
  }

 private:
  bool part_fits(const Type& t, const polycodec_node& n);
  bool all_fit(const Type& t, const polycodec_node& list);
  bool record_fits(const Type& t, const polycodec_node& n);
  bool tuple_fits(const Type& t, const polycodec_node& n);
  bool map_fits(const Type& t, const polycodec_node& n);

  static constexpr std::uint64_t many = 4096;

  Inference& inference_;
  std::uint64_t visits_ = 0;  // that were not charged yet
};

bool Fitting::all_fit(const Type& t, const polycodec_node& list) {
  const std::uint64_t size = polycodec_node_size(&list);
  for (std::uint64_t i = 0; i < size; ++i)
    if (!part_fits(t, list.as.nodes[i])) return false;
  return true;
}

bool Fitting::record_fits(const Type& t, const polycodec_node& n) {
  const auto names = t.names();
  if (n.kind != POLYCODEC_KIND_OBJECT || polycodec_node_size(&n) != names.size()) return false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const NodeView key(&n.as.nodes[2 * i]);
    if (!key.is_string() || !is_same_name(key.as_string(), names[i])) return false;
    if (!part_fits(t.items()[i], n.as.nodes[2 * i + 1])) return false;
  }
  return true;
}

bool Fitting::tuple_fits(const Type& t, const polycodec_node& n) {
  if ((n.kind != POLYCODEC_KIND_LIST && n.kind != POLYCODEC_KIND_TUPLE) ||
      polycodec_node_size(&n) != t.items().size())
    return false;
  for (std::size_t i = 0; i < t.items().size(); ++i)
    if (!part_fits(t.items()[i], n.as.nodes[i])) return false;
  return true;
}

bool Fitting::map_fits(const Type& t, const polycodec_node& n) {
  if (n.kind != POLYCODEC_KIND_MAP) return false;
  const std::uint64_t size = polycodec_node_size(&n);
  if (size == 0) return false;
  for (std::uint64_t i = 0; i < size; ++i)
    if (!part_fits(t.items()[0], n.as.nodes[2 * i]) ||
        !part_fits(t.items()[1], n.as.nodes[2 * i + 1]))
      return false;
  return true;
}

bool Fitting::part_fits(const Type& t, const polycodec_node& n) {
  if (++visits_ == many) inference_.visit(std::exchange(visits_, 0));
  check_stack(t.depth());
  switch (t.kind()) {
    case Kind::any:
      return true;
    case Kind::option:
      return n.kind == POLYCODEC_KIND_NULL || part_fits(t.element(), n);
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
             part_fits(t.element(), *n.as.extension->payload);
    case Kind::union_type:
      return n.kind == POLYCODEC_KIND_UNION && n.as.tagged->tag >= 0 &&
             static_cast<std::uint64_t>(n.as.tagged->tag) < t.items().size() &&
             part_fits(t.items()[static_cast<std::size_t>(n.as.tagged->tag)], *n.as.tagged->node);
    default:
      return false;
  }
}

Inference::Level::Level(Inference& inference) : depth_(inference.depth_) {
  if (depth_ >= inference.max_depth_) throw depth_error(inference.max_depth_).detail("type.limit");
  check_stack(depth_);
  inference.visit(1);
  ++depth_;
}

Type Inference::leaf_type(unsigned leaf) {
  if (leaf == 0) return words_.missing;
  if (leaf == 62) return string();
  if (leaf == 63) return bytes();
  return number(leaf);
}

bool Inference::NodeJoin::add(const polycodec_node& n) {
  inference_.visit(1);
  const unsigned leaf = leaf_class(n);
  if (leaf < 64) {
    const std::uint64_t bit = std::uint64_t{1} << leaf;
    if ((seen_ & bit) != 0) return true;
    if (!join_.add(inference_.leaf_type(leaf))) return false;
    seen_ |= bit;
    return true;
  }
  if (join_.current() != nullptr && Fitting(inference_).fits(*join_.current(), n)) return true;
  const Type type = inference_.node(n);
  // Types are joined part by part.
  inference_.visit(type.nodes() + (join_.current() == nullptr ? 0 : join_.current()->nodes()));
  return join_.add(type);
}

Type Inference::common(std::span<const polycodec_node> nodes) {
  NodeJoin join(*this);
  for (const polycodec_node& n : nodes)
    if (!join.add(n)) return words_.any;
  return join.type();
}

Type Inference::list(std::span<const polycodec_node> items) {
  const std::uint64_t size = items.size();
  if (size > max_tuple_items) return fixed(size, common(items));
  std::vector<Type> types;
  types.reserve(items.size());
  Join join(words_);
  bool alike = true;
  for (const polycodec_node& n : items) {
    types.push_back(small(node(n)));
    alike = alike && join.add(types.back());
  }
  return alike ? fixed(size, small(join.type())) : tuple_of(std::move(types));
}

bool Inference::too_large(std::span<const Type> parts) const noexcept {
  std::uint64_t sum = 0;
  for (const Type& part : parts) sum += part.nodes();
  return sum > max_inferred_parts;
}

Type Inference::tuple_of(std::vector<Type> items) {
  return too_large(items) ? words_.any : tuple(std::move(items));
}

Type Inference::record_of(std::span<const std::string_view> names, std::vector<Type> columns) {
  if (too_large(columns)) return words_.any;
  std::vector<Field> fields;
  fields.reserve(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i)
    fields.push_back({std::string(names[i]), std::move(columns[i])});
  return type::record(std::move(fields));
}

Type Inference::object(std::span<const polycodec_node> entries) {
  std::vector<std::string_view> names;
  names.reserve(entries.size() / 2);
  for (std::size_t i = 0; i < entries.size(); i += 2)
    names.push_back(NodeView(&entries[i]).as_string());
  if (!are_field_names(names)) return map(entries);
  // A record with more fields than a type can have parts needs no look at them.
  if (names.size() > max_inferred_parts) return words_.any;
  std::vector<Type> types;
  types.reserve(names.size());
  for (std::size_t i = 1; i < entries.size(); i += 2) types.push_back(small(node(entries[i])));
  return record_of(names, std::move(types));
}

Type Inference::map(std::span<const polycodec_node> entries) {
  NodeJoin keys(*this), values(*this);
  bool common_key = true, common_value = true;
  for (std::size_t i = 0; i < entries.size(); i += 2) {
    common_key = common_key && keys.add(entries[i]);
    common_value = common_value && values.add(entries[i + 1]);
  }
  return map_of(entries.size() / 2, common_key ? keys.type() : words_.any,
                common_value ? values.type() : words_.any);
}

Type Inference::reference(const polycodec_node* target) {
  // The type stays `any` while it is being worked out: that is what a cycle finds.
  const auto [at, fresh] = known_nodes_.try_emplace(target, words_.any);
  if (!fresh) return at->second;
  Type found = node(*target);
  known_nodes_[target] = found;
  return found;
}

Type Inference::node(const polycodec_node& n) {
  if (const unsigned leaf = leaf_class(n); leaf < 64) return leaf_type(leaf);
  const Level level(*this);
  const auto size = static_cast<std::size_t>(polycodec_node_size(&n));
  switch (n.kind) {
    case POLYCODEC_KIND_LIST:
      return list({n.as.nodes, size});
    case POLYCODEC_KIND_TUPLE: {
      if (size > max_inferred_parts) return words_.any;
      std::vector<Type> items;
      items.reserve(size);
      for (std::size_t i = 0; i < size; ++i) items.push_back(small(node(n.as.nodes[i])));
      return tuple_of(std::move(items));
    }
    case POLYCODEC_KIND_OBJECT:
      return object({n.as.nodes, 2 * size});
    case POLYCODEC_KIND_MAP:
      return map({n.as.nodes, 2 * size});
    case POLYCODEC_KIND_ARRAY:
      return array(*n.as.array);
    case POLYCODEC_KIND_EXTENSION:
      return extended(to_string_view(n.as.extension->name), small(node(*n.as.extension->payload)));
    case POLYCODEC_KIND_REFERENCE:
      return reference(n.as.node);
    case POLYCODEC_KIND_ANNOTATED:
      return annotated_node(*n.as.annotated);
    case POLYCODEC_KIND_TIMESTAMP:
      return time(POLYCODEC_DTYPE_TIMESTAMP64, n.as.time->unit);
    case POLYCODEC_KIND_DURATION:
      return time(POLYCODEC_DTYPE_DURATION64, n.as.time->unit);
    case POLYCODEC_KIND_UNION:
      return tagged(n.as.tagged->tag, small(node(*n.as.tagged->node)));
    default:
      throw Error(Status::invalid, "a node of unknown kind " + std::to_string(n.kind));
  }
}

Type Inference::time(std::uint32_t dtype, std::uint32_t unit) {
  return dtype == POLYCODEC_DTYPE_TIMESTAMP64 ? datetime(unit) : timedelta(unit);
}

Type Inference::tagged(std::int64_t tag, Type member) {
  if (tag < 0 || tag > max_union_tag) return words_.any;
  std::vector<Type> members(static_cast<std::size_t>(tag) + 1);
  members.back() = std::move(member);
  return union_of(std::move(members));
}

Type Inference::alternatives(std::vector<Type> members) {
  return members.empty() || too_large(members) ? words_.any : union_of(std::move(members));
}

Type Inference::map_of(std::uint64_t, Type key, Type value) {
  return type::map(std::move(key), std::move(value));
}

Type Inference::extended(std::string_view name, Type payload) {
  return is_utf8(name) ? extension(std::string(name), std::move(payload)) : words_.any;
}

Type Inference::odd_record(std::span<const std::string_view> names, std::span<const Type> columns) {
  if (!std::ranges::all_of(names, [](std::string_view name) { return is_utf8(name); }))
    return words_.any;
  // As an object with duplicate keys.
  Join join(words_);
  for (const Type& column : columns)
    if (!join.add(column)) return type::map(string(), words_.any);
  return type::map(string(), small(join.type()));
}

Type Inference::described(Type type, const polycodec_node&) {
  return type;
}

bool are_field_names(std::vector<std::string_view> names) {
  if (!std::ranges::all_of(names, [](std::string_view name) { return is_utf8(name); }))
    return false;
  if (names.size() <= 8) {
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (names[i] == names[j]) return false;
    return true;
  }
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

}  // namespace polycodec::type
