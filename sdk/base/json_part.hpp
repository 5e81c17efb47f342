// SPDX-License-Identifier: MIT
// The parts of JSON text that are wanted, without nodes of the rest.
#pragma once

#include <base/json_reader.hpp>
#include <base/wanted.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

namespace polycodec {

/// Where the value at `at` ends, or npos. Only brackets and quotes are looked at: brackets balance
/// in number, and strings end.
std::size_t json_value_end(std::string_view text, std::size_t at) noexcept;

/// As read_json().
using ReadJson = std::function<polycodec_node(std::string_view text, const JsonOptions& options)>;

/// Reads the part of `text` that `wanted` names; other items may be there, too, and nulls in place
/// of rows before the first one. Values that are passed are looked at as by json_value_end(), all
/// text is UTF-8, and what is around and between members and items is JSON. Objects that lack a
/// wanted member are read as wholes. `read_whole` reads containers of which all is wanted. Nothing:
/// read_json() is to read all, because something is wrong or a wanted member is repeated.
std::optional<polycodec_node> read_json_part(Builder& builder, std::string_view text,
                                             const JsonOptions& options,
                                             const polycodec_projection& wanted,
                                             const ReadJson& read_whole);

}  // namespace polycodec
