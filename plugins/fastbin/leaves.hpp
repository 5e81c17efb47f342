// SPDX-License-Identifier: MIT
// Scalars of a verified buffer as nodes and as columns.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/call.hpp>

#include "plan.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace polycodec::fastbin {

/// The scalar whose native bytes are at `p`: a number of its width, a boolean, or the name of
/// an enum's value (the number if it has none).
polycodec_node scalar_node(const Plan& plan, const Type& type, const std::byte* p);

/// The text of `size` bytes at `p`, a view; lenient if it is not UTF-8.
polycodec_node text_node(const std::byte* p, std::uint64_t size);

/// A column of `count` scalars, `stride` bytes apart from `p` on, inside `buffer`, which outlives
/// the value. Numbers are a view. Enums are names by index: a view as well where the values of the
/// enum count up from 0; one node each if a value has no name.
const polycodec_array* leaf_column(const Plan& plan, const Type& type, std::string_view buffer,
                                   const std::byte* p, std::int64_t stride, std::uint64_t count,
                                   Builder& out, Meter& pace);

/// `count` fixed structs, `stride` bytes apart: a record of such columns.
const polycodec_array* fixed_rows(const Plan& plan, const Struct& s, std::string_view buffer,
                                  const std::byte* p, std::int64_t stride, std::uint64_t count,
                                  Builder& out, Meter& pace);

/// A record of columns that are called like the members of `s`.
const polycodec_array* struct_record(const Plan& plan, const Struct& s, std::uint64_t length,
                                     std::span<const polycodec_array* const> columns, Builder& out);

}  // namespace polycodec::fastbin
