// SPDX-License-Identifier: MIT
// The common type of several values, for inference.
#pragma once

#include <model/type/type.hpp>

#include <optional>
#include <vector>

namespace polycodec::type {

/// The types that a notation has for values that say nothing of their own.
struct Words {
  Type missing;  ///< a missing value
  Type any;      ///< values without a common type
  Type nothing;  ///< the element of an empty list
};

/// Bounds of an inferred type. A larger or deeper one becomes `any`.
inline constexpr std::uint32_t max_inferred_parts = 50000;
inline constexpr std::uint32_t max_inferred_depth = 200;

/// `type`, or `any` where it is too large or too deep for a part of an inferred type.
Type clip(const Type& type, const Words& words);

/// The type of a missing value or a `type`: `?type`, where that says anything new.
Type make_optional(Type type, const Words& words);

/// The type that all values of types `a` and `b` have; nothing if only `any` fits both.
std::optional<Type> common_type(const Type& a, const Type& b, const Words& words);

/// Joins the types of items one by one.
class Join {
 public:
  explicit Join(const Words& words) noexcept : words_(words) {}
  /// Returns false and keeps the joined type if there is no common type.
  bool add(const Type& type);
  /// The joined type so far, or NULL.
  const Type* current() const noexcept { return type_ ? &*type_ : nullptr; }
  /// The joined type; `nothing` if no type was added.
  Type type() const { return type_.value_or(words_.nothing); }

 private:
  const Words& words_;
  std::optional<Type> type_;
};

}  // namespace polycodec::type
