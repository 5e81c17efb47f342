// SPDX-License-Identifier: MIT
// How much of a value another one keeps: what a conversion says about itself.
#pragma once

#include <base/seeded_hash.hpp>
#include <polycodec/node_view.hpp>

#include "core/call/limits.hpp"
#include "core/value/value.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// From the most to the least that is kept. `same`: kinds, types and bits. `same_items`: but for
/// tuples that are lists, references that are their targets, fixed-width strings, the order of
/// members, and members that were absent and are null.
/// `same_numbers`: but for the types of numbers, times and empty lists, and the bits of NaN and
/// -0.0. `unknown`: nobody compared.
enum class Kept : std::uint8_t { same, same_items, same_numbers, different, unknown };

/// A member of another type: its path without the indices of items, which is the same for all rows.
struct Retyped {
  std::string path;
  std::string from, to;  ///< such as "int32" and "int64", "tuple" and "list", "absent" and "null";
                         ///< of times the unit
};

/// The most that are listed.
inline constexpr std::size_t max_retyped = 32;

/// The result of compare_kept().
struct KeptValue {
  Kept kept = Kept::same;
  std::vector<Retyped> retyped;  ///< each member once for each pair of types
  /// The first difference that nothing covers, or else the first one; with `different` alone.
  std::optional<Difference> difference;
  bool is_covered = true;  ///< false: of `difference`
};

/// Says whether a difference at `path` is known. `is_missing`: what is there is not in the other
/// value; otherwise parts of it may be, such as the items of lists of two lengths.
using Covers = std::function<bool(std::string_view path, bool is_missing)>;

/// Compares a valid value with what came back of it, in time that is linear in both. Attributes do
/// not count. The walk ends at the first difference that is not covered. Throws Status::limit
/// (depth, stack, work), Status::cancelled. [thread-safe]
KeptValue compare_kept(NodeView before, NodeView after, const Limits& limits,
                       std::shared_ptr<Budget> budget, const Covers& covers);

/// The members of another type alone, whatever else differs. Throws as compare_kept().
/// [thread-safe]
std::vector<Retyped> retyped_members(NodeView before, NodeView after, const Limits& limits,
                                     std::shared_ptr<Budget> budget = {});

namespace detail {

struct Step;

/// Gathers what a walk over two values finds. For one thread.
class KeptNotes {
 public:
  explicit KeptNotes(const Covers& covers) : covers_(covers) {}

  void lower(Kept to) noexcept { found_.kept = std::max(found_.kept, to); }
  /// Notes two dtypes, or two words for types, at a member.
  void types(const Step* at, std::uint32_t from, std::uint32_t to);
  void types(const Step* at, std::string_view from, std::string_view to, Kept kept);
  /// Notes a difference. False: the walk is to end.
  bool difference(std::string path, bool is_missing, const std::function<std::string()>& reason);

  KeptValue take() { return std::move(found_); }

 private:
  bool is_new(const Step* at, std::uint64_t types, Kept kept);

  const Covers& covers_;
  KeptValue found_;
  SeededSet<std::uint64_t> seen_;
};

}  // namespace detail
}  // namespace polycodec
