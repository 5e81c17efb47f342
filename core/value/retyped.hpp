// SPDX-License-Identifier: MIT
// Members of a value that have another type after a conversion.
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/node_view.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace polycodec {

class Budget;

/// One member: its path without the indices of items, which is the same for all rows.
struct Retyped {
  std::string path;
  std::string from, to;  ///< such as "int32" and "int64", "tuple" and "list", with units of times
};

/// The most that retyped_members() returns.
inline constexpr std::size_t max_retyped = 32;

/// Returns members that are a number, a time, a string or a list in both values, of different types
/// or units. A member counts once for each pair of types; members of one value alone do not count.
/// Columns of arrays cost no more than their headers. Throws Status::limit (depth, stack, work).
/// [thread-safe]
POLYCODEC_API std::vector<Retyped> retyped_members(NodeView before, NodeView after,
                                                   const Limits& limits,
                                                   std::shared_ptr<Budget> budget = {});

}  // namespace polycodec
