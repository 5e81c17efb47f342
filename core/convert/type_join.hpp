// SPDX-License-Identifier: MIT
// Making inferred types: joining the types of items, and keeping types small.
#pragma once

#include <model/type/build.hpp>
#include <polycodec/infer.hpp>

#include <vector>

namespace polycodec::text {

/// `type`, or `any` if it is too large or too deep to be a part of an inferred type.
type::Type clip(const type::Type& type);

/// The type of a missing value or a `type`: `?type`, where that says anything new.
type::Type make_optional(type::Type type);

/// `annotated[type, annotations]`; of an annotated type the annotations are added after, by new
/// keys only.
type::Type annotate(type::Type type, std::vector<type::Annotation> annotations);

/// Joins the types of items as they come.
class Join {
 public:
  /// False, with the joined type as it was, if there is no common type.
  bool add(const type::Type& type);
  bool empty() const noexcept { return empty_; }
  /// The joined type, if not empty().
  const type::Type& current() const noexcept { return type_; }
  /// The joined type; `any` if nothing was added.
  type::Type type() const { return empty_ ? type::any() : type_; }

 private:
  type::Type type_;
  bool empty_ = true;
};

}  // namespace polycodec::text
