// SPDX-License-Identifier: MIT
#include "infer.hpp"

#include <model/type/build.hpp>
#include <model/type/infer.hpp>
#include <model/type/layout.hpp>
#include <model/type/parse.hpp>
#include <polycodec/call.hpp>

#include "decode.hpp"

#include <algorithm>

namespace polycodec::dynd {

namespace {

using type::Kind;
using type::Type;

Type integer() {
  return type::scalar(POLYCODEC_DTYPE_INT64);
}

class Inference final : public type::Inference {
 public:
  Inference(std::uint32_t max_depth, const Call& call)
      : type::Inference({Type(), type::array(type::kind("Any")), Type()}, max_depth),
        call_(call),
        meter_(call) {}

  /// Of a node, an array, or a part of an array.
  Type of(const View& value) {
    if (value.node() != nullptr) return node(*value.node());
    if (value.array() != nullptr) return array(*value.array());
    const Level level(*this);
    switch (value.kind()) {
      case POLYCODEC_KIND_NULL:
        return words_.missing;
      case POLYCODEC_KIND_STRING:
        return type::string();
      case POLYCODEC_KIND_BINARY:
        return type::bytes();
      case POLYCODEC_KIND_LIST: {
        type::Join join(words_);
        for (const View item : value)
          if (!join.add(of(item))) return type::fixed(value.size(), words_.any);
        return type::fixed(value.size(), small(join.type()));
      }
      case POLYCODEC_KIND_TUPLE: {
        std::vector<Type> types;
        for (const View item : value) types.push_back(small(of(item)));
        return type::tuple(std::move(types));
      }
      case POLYCODEC_KIND_OBJECT: {
        std::vector<type::Field> fields;
        for (std::uint64_t i = 0; i < value.size(); ++i)
          fields.push_back({std::string(value.name(i)), small(of(value.child(i)))});
        return type::record(std::move(fields));
      }
      case POLYCODEC_KIND_UNION:
        return tagged(0, small(of(value.child())));
      case POLYCODEC_KIND_TIMESTAMP:
      case POLYCODEC_KIND_DURATION:
        return time(value.dtype(), 0);
      default:
        return number(value.dtype());
    }
  }

  /// Of the member of the record for `value`.
  Type inside(const View& value) {
    of(value);
    return std::move(inside_);
  }

 private:
  void visit(std::uint64_t count) override {
    meter_.tick(count);
    call_.check_stack();
  }
  Type number(std::uint32_t dtype) override {
    const bool half = dtype == POLYCODEC_DTYPE_COMPLEX32;
    return type::scalar(half ? std::uint32_t{POLYCODEC_DTYPE_COMPLEX64} : dtype);
  }
  Type time(std::uint32_t dtype, std::uint32_t) override {
    if (dtype == POLYCODEC_DTYPE_TIMESTAMP64)
      return type::record(
          {{"$datetime",
            type::tuple({integer(), type::scalar(POLYCODEC_DTYPE_UINT32), type::string()})}});
    return type::record({{"$timedelta", type::tuple({integer(), type::string()})}});
  }
  Type tagged(std::int64_t, Type member) override {
    return stand_in("$union", type::tuple({integer(), std::move(member)}));
  }
  Type alternatives(std::vector<Type> members) override {
    type::Join join(words_);
    for (const Type& member : members)
      if (!join.add(member)) return tagged(0, words_.any);
    return tagged(0, small(join.type()));
  }
  Type map_of(std::uint64_t size, Type key, Type value) override {
    Type pair = small(type::tuple({std::move(key), std::move(value)}));
    return stand_in("$map", type::fixed(size, std::move(pair)));
  }
  Type extended(std::string_view, Type payload) override {
    return stand_in("$ext", type::tuple({type::string(), std::move(payload)}));
  }
  Type odd_record(std::span<const std::string_view>, std::span<const Type>) override {
    throw Error(Status::invalid, "two columns of a record have the same name");
  }
  Type annotated_node(const polycodec_annotated& n) override {
    const auto declared = declared_types(n.metadata);
    if (declared.empty()) return node(*n.node);
    try {
      return type::parse(declared.front(), {.strict_dynd = true, .concrete_only = true});
    } catch (const Error& e) {
      throw Error(Status::invalid, "the attribute 'dynd.type': " + e.message()).detail(e.detail());
    }
  }

  /// The record for a value that DyND has no type for. It is cut where a record would be.
  Type stand_in(const char* name, Type inside) {
    inside_ = std::move(inside);
    return type::record({{name, small(inside_)}});
  }

  const Call& call_;
  Meter meter_;
  Type inside_;  // of the last one, which is the outermost at the end
};

/// `type` with other parts inside.
Type rebuild(const Type& type, std::vector<Type> items) {
  switch (type.kind()) {
    case Kind::fixed_dim:
      return type::fixed(type.size(), std::move(items.front()));
    case Kind::var_dim:
      return type::var(std::move(items.front()));
    case Kind::option:
      return type::option(std::move(items.front()));
    case Kind::pointer:
      return type::pointer(std::move(items.front()));
    case Kind::tuple:
      return type::tuple(std::move(items));
    default: {
      std::vector<type::Field> fields;
      for (std::size_t i = 0; i < items.size(); ++i)
        fields.push_back({type.names()[i], std::move(items[i])});
      return type::record(std::move(fields));
    }
  }
}

bool has_parts(const Type& type) {
  return type.is(Kind::fixed_dim) || type.is(Kind::var_dim) || type.is(Kind::option) ||
         type.is(Kind::pointer) || type.is(Kind::tuple) || type.is(Kind::record);
}

}  // namespace

Type infer(const View& value, std::uint32_t max_depth, const Call& call) {
  return Inference(max_depth, call).of(value);
}

Type infer_inside(const View& value, std::uint32_t max_depth, const Call& call) {
  return Inference(max_depth, call).inside(value);
}

Type infer_pair(const View& key, const View& value, std::uint32_t max_depth, const Call& call) {
  Inference inference(max_depth, call);
  Type first = inference.small(inference.of(key));
  return type::tuple({std::move(first), inference.small(inference.of(value))});
}

bool has_sentinels(const Type& type) {
  if (type.is(Kind::option) && type::has_sentinel(type.element())) return true;
  return has_parts(type) && std::ranges::any_of(type.items(), has_sentinels);
}

Type without_sentinels(const Type& type) {
  if (!has_parts(type)) return type;
  if (type.is(Kind::option) && type::has_sentinel(type.element()))
    return type::option(type::pointer(type.element()));
  std::vector<Type> items;
  for (const Type& item : type.items()) items.push_back(without_sentinels(item));
  return rebuild(type, std::move(items));
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
  if (types.empty()) throw Error(Status::invalid, "the attribute 'dynd.type' is not a type");
  return types;
}

}  // namespace polycodec::dynd
