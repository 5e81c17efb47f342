// SPDX-License-Identifier: MIT
// The statements of OBJ and what kind each one is of.
#pragma once

#include <cstdint>
#include <string_view>

namespace polycodec::obj {

/// What a statement says.
enum class Statement : std::uint8_t {
  unknown,
  vertex,
  texture,
  normal,
  parameter,
  face,
  line,
  point,
  state,  ///< grouping, materials, rendering: kept as text
  surf,   ///< free-form elements ..
  curv,
  curv2,
  trim,     ///< .. and what stands between them and `end`: trim, hole and scrv
  special,  ///< sp
  body,     ///< parm
  end,
  connection,  ///< con
};

/// The statement that a keyword starts.
Statement statement_of(std::string_view keyword) noexcept;

}  // namespace polycodec::obj
