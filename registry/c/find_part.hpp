// SPDX-License-Identifier: MIT
// Parts of a value: by path, and as values.
#pragma once

#include <polycodec/items.h>

#include "core/value/value.hpp"
#include "registry/c/handle.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::c {

/// The part of a value at a path (base/path_steps.hpp): names of members and columns, indices of
/// items. References, unions, options and chunks need no step of their own. Throws Status::option
/// for text that is not a path, Status::not_found, Status::limit. [thread-safe]
polycodec_item find_part(const polycodec_value& of, std::string_view path);

/// Whether the part at a path has the rows of a projection: it is a list or an array. Throws as
/// find_part(). [thread-safe]
bool has_rows(const polycodec_value& of, std::string_view path);

/// Throws Status::not_found, with those of the `known` names that are like it.
[[noreturn]] void throw_no_name(const std::string& wanted, const std::vector<std::string>& known);

/// Throws Status::not_found for an index that is not below `count`.
[[noreturn]] void throw_no_item(std::uint64_t index, std::uint64_t count);

/// Throws Status::invalid for an item that is not of the value, Status::not_found for one that is
/// not there. Null is all of it.
void check_item(const polycodec_value& of, const polycodec_item* item);

/// A value of a part that keeps the one that it is of. Null: that one.
std::shared_ptr<const Value> part_of(const polycodec_value& of, const polycodec_item* item);

/// As part_of(), to be read while `of` lives. Null costs nothing.
std::shared_ptr<const Value> read_part(const polycodec_value& of, const polycodec_item* item);

/// Puts the part at `path` in place of a decoded value, which it keeps. Throws as find_part().
void select_part(std::unique_ptr<polycodec_value>& decoded, std::string_view path);

}  // namespace polycodec::c
