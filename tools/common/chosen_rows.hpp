// SPDX-License-Identifier: MIT
// Which rows of its children an array shows.
#pragma once

#include <polycodec/array_view.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace polycodec::cli {

/// Rows of an array in the order in which the value has them, -1 where one is missing.
using Rows = std::vector<std::int64_t>;
/// Is asked before so much work is done; false ends it.
using Take = std::function<bool(std::uint64_t units)>;

/// True if the array shows each row of its children once and in order, as far as it tells cheaply.
bool shows_all(const ArrayView& array);

/// The rows of a child that `rows` of the array show (null: all rows). Bytes of a child that no
/// list has are left out. Nothing: there was too much work.
std::optional<Rows> child_rows(const ArrayView& array, std::uint32_t child, const Rows* rows,
                               const Take& take);

}  // namespace polycodec::cli
