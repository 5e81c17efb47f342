// SPDX-License-Identifier: MIT
// The common type of several values.
#pragma once

#include <model/type/type.hpp>

#include <optional>

namespace polycodec::dynd {

/// array[Any]: what has no other type.
type::Type any_type();
/// `type`, or array[Any] for types that are too large or too deep to be part of an inferred one.
type::Type small(const type::Type& type);
/// `?type`, where that says anything new.
type::Type make_optional(type::Type type);
/// The type that values of both types have; nothing if only array[Any] would do.
std::optional<type::Type> common_type(const type::Type& a, const type::Type& b);

/// Joins the types of items as they come.
class Join {
 public:
  /// False, with the joined type as it was, if there is no common type.
  bool add(const type::Type& type) {
    if (!type_) {
      type_ = type;
      return true;
    }
    if (*type_ == type) return true;
    auto joined = common_type(*type_, type);
    if (!joined) return false;
    type_ = *std::move(joined);
    return true;
  }
  /// The joined type; void if nothing was added.
  type::Type type() const { return type_.value_or(type::Type()); }

 private:
  std::optional<type::Type> type_;
};

}  // namespace polycodec::dynd
