// SPDX-License-Identifier: MIT
// The options of an instance, read once.
#pragma once

#include <model/mesh/form.hpp>
#include <polycodec/codec.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace polycodec::obj {

enum class LineEnding : std::uint8_t { lf, crlf, cr };

std::string_view line_ending_name(LineEnding ending) noexcept;
std::string_view line_ending_text(LineEnding ending) noexcept;
bool line_ending_from_name(std::string_view name, LineEnding& ending) noexcept;

/// The options of the codec, with the defaults of the manifest. The README says what each one does.
struct Settings {
  bool strict = false;
  bool weight_last = false;  ///< seven numbers of a vertex are x y z r g b w, not x y z w r g b
  bool materials = false;
  std::optional<LineEnding> line_ending;  ///< absent: as the value came, otherwise LF
  bool comments = true;
  bool triangulate = false;
  mesh::Form form = mesh::Form::file;

  /// Throws Error(Status::option) for a value that the schema forbids.
  static Settings from(const Options& options);
};

}  // namespace polycodec::obj
