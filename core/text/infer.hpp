// SPDX-License-Identifier: MIT
// The type of a value.
#pragma once

#include <model/type/type.hpp>
#include <polycodec/node_view.hpp>

#include "core/call/limits.hpp"

#include <memory>

namespace polycodec {

class HostMeter;

/// The type of the value at `value`, annotations included. What is inferred from what is in
/// docs/text-notation.md; in short: object -> record, list of items of one common type -> `N * T`
/// (`?T` where nulls occur, `var` where lists differ in length, `any` and `0 * any` as the empty
/// list), other lists of up to 16 items
/// -> tuple, longer ones -> `N * any`, columnar arrays -> what their forms declare. A reference has
/// the type of its target; inside a cycle it is `any`. Types describe values, not their layout:
/// `indexed[..]` is never inferred. Parts of more than 200 levels or 50,000 types are `any`.
/// `value` must be valid (see value.hpp). Time is linear in the number of nodes for values of
/// like items; columns are not read, except indices (for missing items) and the nodes of document
/// arrays. Throws Error(limit) where documents or arrays nest deeper than limits.max_depth.
/// [thread-safe]
type::Type infer_type(NodeView value, const Limits& limits = {});

/// infer_type() of parts of one value, which must not change meanwhile. Arrays that several parts
/// contain are looked at once, so that the time for all levels of a value is linear in their
/// number.
class PartTypes {
 public:
  /// Both must outlive it. The work is charged to `meter`.
  PartTypes(const Limits& limits, HostMeter& meter);
  PartTypes(const PartTypes&) = delete;
  PartTypes& operator=(const PartTypes&) = delete;
  ~PartTypes();
  /// The part may be a temporary node, or a temporary copy of an array.
  type::Type of(const polycodec_node& part);
  /// Of one item of an array of the value, metadata included.
  type::Type of_item(const polycodec_array& array);

 private:
  class Memory;
  std::unique_ptr<Memory> memory_;
};

/// The type of one item of `array`, metadata included, as infer_type() finds it.
type::Type infer_item(const polycodec_array& array, const Limits& limits);

}  // namespace polycodec
