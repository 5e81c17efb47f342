// SPDX-License-Identifier: MIT
// The options of an instance, read once.
#pragma once

#include <polycodec/codec.hpp>

#include "datatype.hpp"

#include <optional>

namespace polycodec::yggdrasil {

enum class Dialect {
  current,   ///< typed values say what they are
  document,  ///< bare base64, described by the header, precision in bits
  legacy,    ///< likewise, in lines of 76 characters
};

enum class Duplicates { keep, last, refuse };

/// The options of the codec, with the defaults of the manifest. The README says what each one does.
struct Settings {
  bool python = false;
  Dialect dialect = Dialect::current;
  std::optional<Datatype> datatype;
  bool bare_nonfinite = false;
  bool geometry_as_text = false;
  Duplicates duplicates = Duplicates::keep;
  bool lenient_utf8 = false;
  bool refuse_foreign = false;
  bool escape_separator = true;

  /// Throws Error(Status::option) for a value that the schema forbids.
  static Settings from(const Options& options);
};

}  // namespace polycodec::yggdrasil
