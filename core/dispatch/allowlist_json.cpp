// SPDX-License-Identifier: MIT
#include <polycodec/dispatch.hpp>
#include <polycodec/text.hpp>

namespace polycodec {

Allowlist Allowlist::parse(std::string_view json) {
  Limits limits;
  limits.max_depth = 8;  // two levels are legal
  return from(parse_json(json, limits, DuplicateKeys::refuse).view());
}

}  // namespace polycodec
