// SPDX-License-Identifier: MIT
#include "infer.hpp"

#include <base/column_read.hpp>
#include <base/utf8.hpp>
#include <model/type/build.hpp>
#include <model/type/layout.hpp>
#include <model/type/parse.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/call.hpp>
#include <polycodec/dtype.hpp>

#include "decode.hpp"
#include "join.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace polycodec::dynd {

namespace {

using type::Type;

constexpr std::size_t max_tuple_items = 16;

Type leaf_scalar(std::uint32_t dtype) {
  return type::scalar(dtype == POLYCODEC_DTYPE_COMPLEX32 ? std::uint32_t{POLYCODEC_DTYPE_COMPLEX64}
                                                         : dtype);
}

Type time_type(std::uint32_t dtype) {
  if (dtype == POLYCODEC_DTYPE_TIMESTAMP64)
    return type::record(
        {{"$datetime", type::tuple({type::scalar(POLYCODEC_DTYPE_INT64),
                                    type::scalar(POLYCODEC_DTYPE_UINT32), type::string()})}});
  return type::record(
      {{"$timedelta", type::tuple({type::scalar(POLYCODEC_DTYPE_INT64), type::string()})}});
}

Type leaf_type(const polycodec_array& leaf) {
  if (is_time(leaf.dtype)) return time_type(leaf.dtype);
  switch (leaf.dtype) {
    case POLYCODEC_DTYPE_FIXED_BYTES:
      return leaf.item_size == 0 ? type::bytes() : type::fixed_bytes(leaf.item_size);
    case POLYCODEC_DTYPE_FIXED_UTF8:
      return leaf.item_size == 0 ? type::string() : type::fixed_string(leaf.item_size);
    case POLYCODEC_DTYPE_FIXED_UTF16:
      return leaf.item_size < 2 ? type::string()
                                : type::fixed_string(leaf.item_size / 2, type::Encoding::utf16);
    case POLYCODEC_DTYPE_FIXED_UTF32:
      return leaf.item_size < 4 ? type::string()
                                : type::fixed_string(leaf.item_size / 4, type::Encoding::utf32);
    default:
      return leaf_scalar(leaf.dtype);
  }
}

// Number below 64 for nodes without parts, equal for equal types; 64 for all others.
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

Type class_type(unsigned leaf) {
  if (leaf == 0) return type::void_type();
  if (leaf == 62) return type::string();
  if (leaf == 63) return type::bytes();
  return leaf_scalar(leaf);
}

class Inference {
 public:
  Inference(std::uint32_t max_depth, const Call& call) noexcept
      : call_(call), depth_left_(max_depth), pace_(call) {}

  /// Of a node, an array, or a part of an array.
  Type of(const View& value) {
    if (value.node() != nullptr) return node(*value.node());
    if (value.array() != nullptr) return array(*value.array());
    pace_.step();
    call_.check_stack();
    const Level level(depth_left_);
    switch (value.kind()) {
      case POLYCODEC_KIND_NULL:
        return type::void_type();
      case POLYCODEC_KIND_STRING:
        return type::string();
      case POLYCODEC_KIND_BINARY:
        return type::bytes();
      case POLYCODEC_KIND_LIST:
        return type::fixed(value.size(), parts(value));
      case POLYCODEC_KIND_TUPLE:
      case POLYCODEC_KIND_OBJECT: {
        std::vector<Type> types;
        std::vector<type::Field> fields;
        for (std::uint64_t i = 0; i < value.size(); ++i) {
          Type part = small(of(value.child(i)));
          if (value.kind() == POLYCODEC_KIND_OBJECT) {
            fields.push_back({std::string(value.name(i)), std::move(part)});
          } else {
            types.push_back(std::move(part));
          }
        }
        return value.kind() == POLYCODEC_KIND_OBJECT ? type::record(std::move(fields))
                                                     : type::tuple(std::move(types));
      }
      case POLYCODEC_KIND_UNION:
        return union_of(small(of(value.child())));
      case POLYCODEC_KIND_TIMESTAMP:
      case POLYCODEC_KIND_DURATION:
        return time_type(value.dtype());
      default:
        return leaf_scalar(value.dtype());
    }
  }

  Type node(const polycodec_node& n) {
    pace_.step();
    if (const unsigned leaf = leaf_class(n); leaf < 64) return class_type(leaf);
    call_.check_stack();
    const Level level(depth_left_);
    const auto size = static_cast<std::size_t>(polycodec_node_size(&n));
    switch (n.kind) {
      case POLYCODEC_KIND_LIST:
        return list({n.as.nodes, size});
      case POLYCODEC_KIND_TUPLE:
        return tuple({n.as.nodes, size});
      case POLYCODEC_KIND_OBJECT:
        return object({n.as.nodes, 2 * size});
      case POLYCODEC_KIND_MAP:
        return map({n.as.nodes, 2 * size});
      case POLYCODEC_KIND_ARRAY:
        return array(*n.as.array);
      case POLYCODEC_KIND_EXTENSION:
        return type::record(
            {{"$ext", type::tuple({type::string(), small(node(*n.as.extension->payload))})}});
      case POLYCODEC_KIND_REFERENCE:
        return node(*n.as.node);
      case POLYCODEC_KIND_ANNOTATED: {
        const auto declared = declared_types(n.as.annotated->metadata);
        if (declared.empty()) return node(*n.as.annotated->node);
        try {
          return type::parse(declared.front(), {.strict_dynd = true, .concrete_only = true});
        } catch (const Error& e) {
          throw Error(Status::invalid, "the attribute 'dynd.type': " + e.message())
              .detail(e.detail());
        }
      }
      case POLYCODEC_KIND_TIMESTAMP:
        return time_type(POLYCODEC_DTYPE_TIMESTAMP64);
      case POLYCODEC_KIND_DURATION:
        return time_type(POLYCODEC_DTYPE_DURATION64);
      case POLYCODEC_KIND_UNION:
        return type::record({{"$union", type::tuple({type::scalar(POLYCODEC_DTYPE_INT64),
                                                     small(node(*n.as.tagged->node))})}});
      default:
        throw Error(Status::invalid, "a node of unknown kind " + std::to_string(n.kind));
    }
  }

 private:
  struct Level {
    explicit Level(std::uint32_t& left) : left_(left) {
      if (left_ == 0) refuse_limit("the value nests deeper than the limits allow (max_depth)");
      --left_;
    }
    ~Level() { ++left_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    std::uint32_t& left_;
  };

  /// The common type of nodes, or array[Any].
  Type common(std::span<const polycodec_node> nodes) {
    Join join;
    std::uint64_t seen = 0;
    for (const polycodec_node& n : nodes) {
      pace_.step();
      if (const unsigned leaf = leaf_class(n); leaf < 64) {
        if ((seen >> leaf & 1) != 0) continue;
        seen |= std::uint64_t{1} << leaf;
        if (!join.add(class_type(leaf))) return any_type();
      } else if (!join.add(node(n))) {
        return any_type();
      }
    }
    return small(join.type());
  }

  Type list(std::span<const polycodec_node> items) {
    if (items.size() > max_tuple_items) return type::fixed(items.size(), common(items));
    std::vector<Type> types;
    Join join;
    bool common = true;
    for (const polycodec_node& n : items) {
      types.push_back(small(node(n)));
      common = common && join.add(types.back());
    }
    return common ? type::fixed(items.size(), small(join.type())) : type::tuple(std::move(types));
  }

  Type tuple(std::span<const polycodec_node> items) {
    std::vector<Type> types;
    for (const polycodec_node& n : items) types.push_back(small(node(n)));
    return type::tuple(std::move(types));
  }

  static std::string_view text(const polycodec_node& key) {
    return {static_cast<const char*>(key.as.data),
            static_cast<std::size_t>(polycodec_node_size(&key))};
  }

  Type object(std::span<const polycodec_node> entries) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < entries.size(); i += 2) names.push_back(text(entries[i]));
    if (!are_field_names(names)) return map(entries);
    std::vector<type::Field> fields;
    fields.reserve(names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
      fields.push_back({std::string(names[i]), small(node(entries[2 * i + 1]))});
    return type::record(std::move(fields));
  }

  static bool are_field_names(std::vector<std::string_view> names) {
    if (!std::ranges::all_of(names, [](std::string_view name) { return is_utf8(name); }))
      return false;
    std::ranges::sort(names);
    return std::ranges::adjacent_find(names) == names.end();
  }

  Type map(std::span<const polycodec_node> entries) {
    std::vector<polycodec_node> keys, values;
    for (std::size_t i = 0; i < entries.size(); i += 2) {
      keys.push_back(entries[i]);
      values.push_back(entries[i + 1]);
    }
    const bool empty = keys.empty();
    Type key = empty ? type::void_type() : common(keys);
    Type value = empty ? type::void_type() : common(values);
    return type::record(
        {{"$map", type::fixed(keys.size(), type::tuple({std::move(key), std::move(value)}))}});
  }

  Type parts(const View& list) {
    Join join;
    for (std::uint64_t i = 0; i < list.size(); ++i)
      if (!join.add(of(list.child(i)))) return any_type();
    return small(join.type());
  }

  /// Of an array with all of its items.
  Type array(const polycodec_array& a) {
    call_.check_stack();
    const Level level(depth_left_);
    if (a.layout == POLYCODEC_LAYOUT_NDARRAY && a.ndim == 0) return leaf_type(a);
    return type::fixed(a.length, small(item(a)));
  }

  /// Of one item of an array.
  Type item(const polycodec_array& a) {
    call_.check_stack();
    const Level level(depth_left_);
    if (a.n_children == 0) return bare_item(a);
    if (const auto known = known_.find(&a); known != known_.end()) return known->second;
    Type t = small(bare_item(a));
    known_.emplace(&a, t);
    return t;
  }

  Type record(const polycodec_array& a) {
    std::vector<Type> columns;
    for (std::uint32_t i = 0; i < a.n_children; ++i) columns.push_back(small(item(*a.children[i])));
    if (a.names == nullptr) return type::tuple(std::move(columns));
    std::vector<std::string_view> names;
    for (std::uint32_t i = 0; i < a.n_children; ++i) names.push_back(to_string_view(a.names[i]));
    if (!are_field_names(names))
      throw Error(Status::invalid, "two columns of a record have the same name");
    std::vector<type::Field> fields;
    for (std::size_t i = 0; i < names.size(); ++i)
      fields.push_back({std::string(names[i]), std::move(columns[i])});
    return type::record(std::move(fields));
  }

  Type bare_item(const polycodec_array& a) {
    const ArrayView view(a);
    switch (view.layout()) {
      case POLYCODEC_LAYOUT_NDARRAY: {
        Type t = leaf_type(a);
        for (std::uint32_t axis = a.ndim; axis-- > 1;)
          t = type::fixed(static_cast<std::uint64_t>(a.shape[axis]), std::move(t));
        return t;
      }
      case POLYCODEC_LAYOUT_LIST_OFFSETS:
      case POLYCODEC_LAYOUT_LIST_VIEW:
      case POLYCODEC_LAYOUT_LIST_FIXED:
        if (view.is_string()) return type::string();
        if (view.is_binary()) return type::bytes();
        return view.layout() == POLYCODEC_LAYOUT_LIST_FIXED
                   ? type::fixed(a.list_size, item(*a.children[0]))
                   : type::var(item(*a.children[0]));
      case POLYCODEC_LAYOUT_RECORD:
        return record(a);
      case POLYCODEC_LAYOUT_UNION: {
        Join join;
        for (std::uint32_t i = 0; i < a.n_children; ++i)
          if (!join.add(item(*a.children[i]))) return union_of(any_type());
        return union_of(join.type());
      }
      case POLYCODEC_LAYOUT_OPTION_BYTES:
      case POLYCODEC_LAYOUT_OPTION_BITS:
        return make_optional(item(*a.children[0]));
      case POLYCODEC_LAYOUT_INDEXED: {
        Type t = item(*a.children[0]);
        return has_negative(a.index, a.length) ? make_optional(std::move(t)) : t;
      }
      case POLYCODEC_LAYOUT_CHUNKED: {
        Join join;
        for (std::uint32_t i = 0; i < a.n_children; ++i)
          if (!join.add(item(*a.children[i]))) return any_type();
        return join.type();
      }
      case POLYCODEC_LAYOUT_DOCUMENT:
        return common({a.nodes, static_cast<std::size_t>(a.length)});
      default:
        throw Error(Status::invalid, "an array of unknown form " + std::to_string(a.layout));
    }
  }

  static Type union_of(Type member) {
    return type::record(
        {{"$union", type::tuple({type::scalar(POLYCODEC_DTYPE_INT64), std::move(member)})}});
  }

  const Call& call_;
  std::uint32_t depth_left_;
  Meter pace_;
  std::unordered_map<const polycodec_array*, Type> known_;
};

}  // namespace

Type infer(const View& value, std::uint32_t max_depth, const Call& call) {
  return Inference(max_depth, call).of(value);
}

std::vector<std::string_view> declared_types(const polycodec_node* attributes) {
  std::vector<std::string_view> types;
  if (attributes == nullptr) return types;
  const auto found = NodeView(attributes).find(type_attribute);
  if (!found) return types;
  if (found->is_string()) {
    types.push_back(found->as_string());
  } else if (found->is_list()) {
    for (const polycodec_node& text : found->items()) types.push_back(NodeView(&text).as_string());
  }
  if (types.empty()) throw Error(Status::invalid, "the attribute 'dynd.type' is no type");
  return types;
}

}  // namespace polycodec::dynd
