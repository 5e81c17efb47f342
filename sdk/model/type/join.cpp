// SPDX-License-Identifier: MIT
#include "join.hpp"

#include <base/depth.hpp>
#include <model/type/build.hpp>

#include <algorithm>

namespace polycodec::type {

namespace {

bool is_list_dim(const Type& t) noexcept {
  return t.is(Kind::fixed_dim) || t.is(Kind::var_dim);
}

bool is_empty_list(const Type& t, const Words& words) noexcept {
  return t.is(Kind::fixed_dim) && t.size() == 0 && t.element() == words.nothing;
}

/// The types of two runs of items, joined one by one.
std::optional<std::vector<Type>> join_all(const Type& a, const Type& b, const Words& words) {
  const auto x = a.items(), y = b.items();
  if (x.size() != y.size()) return std::nullopt;
  std::vector<Type> items;
  items.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    auto item = common_type(x[i], y[i], words);
    if (!item) return std::nullopt;
    items.push_back(*std::move(item));
  }
  return items;
}

std::optional<Type> join_dims(const Type& a, const Type& b, const Words& words) {
  if (is_empty_list(a, words)) return var(b.element());
  if (is_empty_list(b, words)) return var(a.element());
  auto element = common_type(a.element(), b.element(), words);
  if (!element) return std::nullopt;
  const bool same = a.is(Kind::fixed_dim) && b.is(Kind::fixed_dim) && a.size() == b.size();
  return same ? fixed(a.size(), *std::move(element)) : var(*std::move(element));
}

/// Unions join by tag; `void` is an alternative that no value has shown yet.
std::optional<Type> join_unions(const Type& a, const Type& b, const Words& words) {
  const auto x = a.items(), y = b.items();
  std::vector<Type> items;
  for (std::size_t i = 0; i < std::max(x.size(), y.size()); ++i) {
    const bool first = i < x.size() && !x[i].is(Kind::void_type);
    const bool second = i < y.size() && !y[i].is(Kind::void_type);
    auto item = first && second ? common_type(x[i], y[i], words)
                                : std::optional(first    ? x[i]
                                                : second ? y[i]
                                                         : Type());
    if (!item) return std::nullopt;
    items.push_back(*std::move(item));
  }
  return union_of(std::move(items));
}

std::optional<Type> join_records(const Type& a, const Type& b, const Words& words) {
  if (!std::ranges::equal(a.names(), b.names())) return std::nullopt;
  auto items = join_all(a, b, words);
  if (!items) return std::nullopt;
  std::vector<Field> fields;
  fields.reserve(items->size());
  for (std::size_t i = 0; i < items->size(); ++i)
    fields.push_back({a.names()[i], std::move((*items)[i])});
  return record(std::move(fields));
}

}  // namespace

std::optional<Type> common_type(const Type& a, const Type& b, const Words& words) {
  if (a == b) return a;
  check_stack(a.depth());
  if (a == words.any || b == words.any) return words.any;
  if (a == words.missing) return make_optional(b, words);
  if (b == words.missing) return make_optional(a, words);
  if (a.is(Kind::option) || b.is(Kind::option)) {
    auto inner = common_type(a.is(Kind::option) ? a.element() : a,
                             b.is(Kind::option) ? b.element() : b, words);
    return inner ? std::optional(make_optional(*std::move(inner), words)) : std::nullopt;
  }
  if (is_list_dim(a) && is_list_dim(b)) return join_dims(a, b, words);
  if (a.kind() != b.kind()) return std::nullopt;
  switch (a.kind()) {
    case Kind::array:
      return words.any;
    case Kind::record:
      return join_records(a, b, words);
    case Kind::tuple:
      if (auto items = join_all(a, b, words)) return tuple(*std::move(items));
      return std::nullopt;
    case Kind::map:
      if (auto items = join_all(a, b, words)) return map(items->front(), items->back());
      return std::nullopt;
    case Kind::union_type:
      return join_unions(a, b, words);
    case Kind::extension:
      if (a.name() != b.name()) return std::nullopt;
      if (auto inner = common_type(a.element(), b.element(), words))
        return extension(std::string(a.name()), *std::move(inner));
      return std::nullopt;
    case Kind::annotated:
      if (!std::ranges::equal(a.annotations(), b.annotations())) return std::nullopt;
      if (auto inner = common_type(a.element(), b.element(), words))
        return annotated(*std::move(inner), {a.annotations().begin(), a.annotations().end()});
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

Type clip(const Type& type, const Words& words) {
  const bool large = type.depth() >= max_inferred_depth || type.nodes() > max_inferred_parts;
  return large ? words.any : type;
}

Type make_optional(Type type, const Words& words) {
  const bool says_it = type.is(Kind::option) || type == words.missing || type.is(words.any.kind());
  return says_it ? type : option(std::move(type));
}

bool Join::add(const Type& type) {
  auto joined = type_ ? common_type(*type_, type, words_) : type;
  if (!joined) return false;
  type_ = *std::move(joined);
  return true;
}

}  // namespace polycodec::type
