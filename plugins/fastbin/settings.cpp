// SPDX-License-Identifier: MIT
#include "settings.hpp"

namespace polycodec::fastbin {

Settings Settings::from(const Options& options) {
  Settings settings;
  settings.strict_utf8 = options.choice<bool>("utf8", {{"lenient", false}, {"strict", true}});
  settings.known_enums = options.choice<bool>("unknown_enum", {{"keep", false}, {"refuse", true}});
  settings.skip_slack = options.choice<bool>("slack", {{"strict", false}, {"lenient", true}});
  settings.allow_absent = options.choice<bool>("absent", {{"refuse", false}, {"null", true}});
  settings.whole_input = options.choice<bool>("trailing", {{"ignore", false}, {"refuse", true}});
  settings.aligned_input = options.choice<bool>("alignment", {{"any", false}, {"word", true}});
  return settings;
}

}  // namespace polycodec::fastbin
