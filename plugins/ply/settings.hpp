// SPDX-License-Identifier: MIT
// The options of an instance, read once.
#pragma once

#include <model/mesh/form.hpp>
#include <polycodec/codec.hpp>

#include "header.hpp"

#include <optional>

namespace polycodec::ply {

/// The options of the codec, with the defaults of the manifest. The README says what each one does.
struct Settings {
  bool strict = false;
  std::optional<Format> format;           ///< absent: as the value came, otherwise native binary
  std::optional<LineEnding> line_ending;  ///< absent: as the value came, otherwise LF
  Spelling types = Spelling::keep;
  bool comments = true;
  bool triangulate = false;
  mesh::Form form = mesh::Form::file;

  /// Throws Error(Status::option) for a value that the schema forbids.
  static Settings from(const Options& options);
};

}  // namespace polycodec::ply
