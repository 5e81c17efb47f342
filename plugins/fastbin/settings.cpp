// SPDX-License-Identifier: MIT
#include "settings.hpp"

#include <base/quote.hpp>

#include <string>

namespace polycodec::fastbin {
namespace {

/// True if the option has the value `yes`, false for `no` (its default).
bool choice(const Options& options, const char* name, const char* no, const char* yes) {
  const std::string value = options.get(name, no);
  if (value != yes && value != no)
    throw Error(Status::option, "option " + quote(name) + " must be \"" + no + "\" or \"" + yes +
                                    "\", not \"" + value + "\"");
  return value == yes;
}

}  // namespace

Settings Settings::from(const Options& options) {
  Settings settings;
  settings.strict_utf8 = choice(options, "utf8", "lenient", "strict");
  settings.known_enums = choice(options, "unknown_enum", "keep", "refuse");
  settings.skip_slack = choice(options, "slack", "strict", "lenient");
  settings.allow_absent = choice(options, "absent", "refuse", "null");
  settings.whole_input = choice(options, "trailing", "ignore", "refuse");
  settings.aligned_input = choice(options, "alignment", "any", "word");
  return settings;
}

}  // namespace polycodec::fastbin
