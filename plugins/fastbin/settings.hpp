// SPDX-License-Identifier: MIT
// The options besides the schema, checked once.
#pragma once

#include <polycodec/codec.hpp>

namespace polycodec::fastbin {

struct Settings {
  bool strict_utf8 = false;    ///< texts that are not UTF-8 are refused
  bool known_enums = false;    ///< enum values without a name are refused
  bool skip_slack = false;     ///< bytes behind the last member of a struct are skipped
  bool allow_absent = false;   ///< members that a shorter struct does not have are null
  bool whole_input = false;    ///< bytes behind the root are refused
  bool aligned_input = false;  ///< input whose address is no multiple of 8 is refused

  /// Throws Error(option) for values that the manifest does not list.
  static Settings from(const Options& options);
};

}  // namespace polycodec::fastbin
