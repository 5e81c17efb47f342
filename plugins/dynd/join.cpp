// SPDX-License-Identifier: MIT
#include "join.hpp"

#include <model/type/build.hpp>
#include <model/type/layout.hpp>

#include "infer.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace polycodec::dynd {

namespace {

using type::Kind;
using type::Type;

// Far from the bounds of serialized types (256 levels, 65536 parts), because other types go around
// these.
constexpr std::uint32_t max_depth = 200;
constexpr std::uint32_t max_parts = 50000;

bool is_list(const Type& t) noexcept {
  return t.is(Kind::fixed_dim) || t.is(Kind::var_dim);
}

bool is_empty_list(const Type& t) noexcept {
  return t.is(Kind::fixed_dim) && t.size() == 0 && t.element().is(Kind::void_type);
}

std::optional<Type> join_lists(const Type& a, const Type& b) {
  if (is_empty_list(a)) return type::var(b.element());
  if (is_empty_list(b)) return type::var(a.element());
  auto element = common_type(a.element(), b.element());
  if (!element) return std::nullopt;
  const bool fixed = a.is(Kind::fixed_dim) && b.is(Kind::fixed_dim) && a.size() == b.size();
  return fixed ? type::fixed(a.size(), *std::move(element)) : type::var(*std::move(element));
}

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
  return is_list(type) || type.is(Kind::option) || type.is(Kind::pointer) || type.is(Kind::tuple) ||
         type.is(Kind::record);
}

}  // namespace

Type any_type() {
  static const Type type = type::array(type::kind("Any"));
  return type;
}

Type small(const Type& type) {
  return type.depth() >= max_depth || type.nodes() > max_parts ? any_type() : type;
}

Type make_optional(Type type) {
  if (type.is(Kind::option) || type.is(Kind::void_type) || type.is(Kind::array)) return type;
  return type::option(std::move(type));
}

std::optional<Type> common_type(const Type& a, const Type& b) {
  if (a == b) return a;
  if (a.is(Kind::array) && b.is(Kind::array)) return any_type();
  if (a == any_type() || b == any_type()) return any_type();
  if (a.is(Kind::void_type)) return make_optional(b);
  if (b.is(Kind::void_type)) return make_optional(a);
  if (a.is(Kind::option) || b.is(Kind::option)) {
    auto inner =
        common_type(a.is(Kind::option) ? a.element() : a, b.is(Kind::option) ? b.element() : b);
    return inner ? std::optional(make_optional(*std::move(inner))) : std::nullopt;
  }
  if (is_list(a) && is_list(b)) return join_lists(a, b);
  const bool same = a.kind() == b.kind() && (a.is(Kind::record) || a.is(Kind::tuple)) &&
                    a.items().size() == b.items().size() &&
                    std::ranges::equal(a.names(), b.names());
  if (!same) return std::nullopt;
  std::vector<Type> items;
  items.reserve(a.items().size());
  for (std::size_t i = 0; i < a.items().size(); ++i) {
    auto item = common_type(a.items()[i], b.items()[i]);
    if (!item) return std::nullopt;
    items.push_back(*std::move(item));
  }
  return rebuild(a, std::move(items));
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

}  // namespace polycodec::dynd
