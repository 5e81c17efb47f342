// SPDX-License-Identifier: MIT
#include "core/convert/type_join.hpp"

#include "core/value/attributes.hpp"

#include <algorithm>

namespace polycodec {

namespace {

using type::Kind;
using type::Type;

bool is_list_dim(const Type& t) noexcept {
  return t.is(Kind::fixed_dim) || t.is(Kind::var_dim);
}

bool is_empty_list(const Type& t) noexcept {
  return t.is(Kind::fixed_dim) && t.size() == 0 && t.element().is(Kind::any);
}

/// The types of two runs of items, joined one by one.
std::optional<std::vector<Type>> join_all(std::span<const Type> a, std::span<const Type> b) {
  if (a.size() != b.size()) return std::nullopt;
  std::vector<Type> items;
  items.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    auto item = common_type(a[i], b[i]);
    if (!item) return std::nullopt;
    items.push_back(*std::move(item));
  }
  return items;
}

std::optional<Type> join_dims(const Type& a, const Type& b) {
  if (is_empty_list(a)) return type::var(b.element());
  if (is_empty_list(b)) return type::var(a.element());
  auto element = common_type(a.element(), b.element());
  if (!element) return std::nullopt;
  const bool fixed = a.is(Kind::fixed_dim) && b.is(Kind::fixed_dim) && a.size() == b.size();
  return fixed ? type::fixed(a.size(), *std::move(element)) : type::var(*std::move(element));
}

/// Unions join by tag; `void` stands for alternatives that no value has shown yet.
std::optional<Type> join_unions(const Type& a, const Type& b) {
  const auto x = a.items(), y = b.items();
  std::vector<Type> items;
  for (std::size_t i = 0; i < std::max(x.size(), y.size()); ++i) {
    const bool first = i < x.size() && !x[i].is(Kind::void_type);
    const bool second = i < y.size() && !y[i].is(Kind::void_type);
    auto item = first && second ? common_type(x[i], y[i])
                                : std::optional(first    ? x[i]
                                                : second ? y[i]
                                                         : Type());
    if (!item) return std::nullopt;
    items.push_back(*std::move(item));
  }
  return type::union_of(std::move(items));
}

std::optional<Type> join_records(const Type& a, const Type& b) {
  if (!std::ranges::equal(a.names(), b.names())) return std::nullopt;
  auto items = join_all(a.items(), b.items());
  if (!items) return std::nullopt;
  std::vector<type::Field> fields;
  fields.reserve(items->size());
  for (std::size_t i = 0; i < items->size(); ++i)
    fields.push_back({a.names()[i], std::move((*items)[i])});
  return type::record(std::move(fields));
}

}  // namespace

std::optional<Type> common_type(const Type& a, const Type& b) {
  if (a == b) return a;
  if (a.is(Kind::any) || b.is(Kind::any)) return type::any();
  if (a.is(Kind::null)) return text::make_optional(b);
  if (b.is(Kind::null)) return text::make_optional(a);
  if (a.is(Kind::option) || b.is(Kind::option)) {
    auto inner =
        common_type(a.is(Kind::option) ? a.element() : a, b.is(Kind::option) ? b.element() : b);
    return inner ? std::optional(text::make_optional(*std::move(inner))) : std::nullopt;
  }
  if (is_list_dim(a) && is_list_dim(b)) return join_dims(a, b);
  if (a.kind() != b.kind()) return std::nullopt;
  switch (a.kind()) {
    case Kind::record:
      return join_records(a, b);
    case Kind::tuple:
      if (auto items = join_all(a.items(), b.items())) return type::tuple(*std::move(items));
      return std::nullopt;
    case Kind::map:
      if (auto items = join_all(a.items(), b.items()))
        return type::map(items->front(), items->back());
      return std::nullopt;
    case Kind::union_type:
      return join_unions(a, b);
    case Kind::extension:
      if (a.name() != b.name()) return std::nullopt;
      if (auto inner = common_type(a.element(), b.element()))
        return type::extension(std::string(a.name()), *std::move(inner));
      return std::nullopt;
    case Kind::annotated:
      if (!std::ranges::equal(a.annotations(), b.annotations())) return std::nullopt;
      if (auto inner = common_type(a.element(), b.element()))
        return text::annotate(*std::move(inner), {a.annotations().begin(), a.annotations().end()});
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

namespace text {

Type clip(const Type& type) {
  return type.depth() >= max_inferred_depth || type.nodes() > max_inferred_parts ? type::any()
                                                                                 : type;
}

Type make_optional(Type type) {
  if (type.is(Kind::option) || type.is(Kind::null) || type.is(Kind::any)) return type;
  return type::option(std::move(type));
}

Type annotate(Type type, std::vector<type::Annotation> annotations) {
  if (annotations.empty()) return type;
  if (!type.is(Kind::annotated)) return type::annotated(std::move(type), std::move(annotations));
  const auto attribute = [](const type::Annotation& a) {
    const std::string_view key = a.key;
    return key.starts_with(coded_key) ? key.substr(coded_key.size()) : key;
  };
  const std::size_t outer = annotations.size();
  for (const type::Annotation& inner : type.annotations()) {
    const auto end = annotations.begin() + static_cast<std::ptrdiff_t>(outer);
    if (std::ranges::find(annotations.begin(), end, attribute(inner), attribute) == end)
      annotations.push_back(inner);
  }
  return type::annotated(type.element(), std::move(annotations));
}

bool Join::add(const Type& type) {
  if (empty_) {
    type_ = type;
    empty_ = false;
    return true;
  }
  auto joined = common_type(type_, type);
  if (!joined) return false;
  type_ = *std::move(joined);
  return true;
}

}  // namespace text
}  // namespace polycodec
