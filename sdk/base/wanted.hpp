// SPDX-License-Identifier: MIT
// The part of a value that a projection names.
#pragma once

#include <polycodec/abi.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// What is wanted of one place in a value: all of it, or some of its members. Lists, arrays,
/// options, annotations and alternatives of unions on the way have no step in a path: what is
/// wanted of them is wanted of each item. [thread-safe]
class Wanted {
 public:
  struct Member;

  /// Everything.
  Wanted() = default;
  /// What the paths name; everything for null or without paths. Throws Error(Status::option) for a
  /// path with an index, and as PathSteps.
  explicit Wanted(const polycodec_projection* projection);
  explicit Wanted(std::span<const std::string> paths);

  bool all() const noexcept { return members_.empty(); }
  /// What is wanted of the member `name`; null: nothing.
  const Wanted* find(std::string_view name) const noexcept;
  /// Empty if all is wanted.
  const std::vector<Member>& members() const noexcept { return members_; }

  /// What a codec reads of a place with these `members`, whose names `name` gives: this, or
  /// everything if one of the wanted members is missing. The host then reports which one, with
  /// suggestions.
  template <class Range, class Name = std::identity>
  const Wanted& of(const Range& members, const Name& name = {}) const;

 private:
  void add(std::string_view path);

  std::vector<Member> members_;
  bool whole_ = false;
};

struct Wanted::Member {
  std::string name;
  Wanted wanted;
};

/// Everything.
inline const Wanted all_wanted;

/// How many rows from the first one on a codec has to read: the host leaves out those before the
/// ones that are wanted, which keep their places as what they are or as nulls. UINT64_MAX: all.
inline std::uint64_t rows_to_read(const polycodec_projection* projection) noexcept {
  if (projection == nullptr || projection->n_rows > UINT64_MAX - projection->first_row)
    return UINT64_MAX;
  return projection->first_row + projection->n_rows;
}

template <class Range, class Name>
const Wanted& Wanted::of(const Range& members, const Name& name) const {
  for (const Member& wanted : members_) {
    const auto is_it = [&](const auto& member) {
      return std::string_view(std::invoke(name, member)) == wanted.name;
    };
    if (std::ranges::none_of(members, is_it)) return all_wanted;
  }
  return *this;
}

}  // namespace polycodec
