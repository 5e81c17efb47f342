// SPDX-License-Identifier: MIT
// Regular expressions of schemas, which are those of ECMAScript, in the syntax of RE2.
#pragma once

#include <string>
#include <string_view>

namespace polycodec::schema {

/// Returns the expression with the escapes that RE2 writes differently or reads as less than
/// ECMAScript does: `\cX`, `\uXXXX`, `\s`, `\S` (not in brackets), long names in `\p{..}`, and
/// named groups. All else stays, also what RE2 then refuses.
std::string to_re2(std::string_view pattern);

}  // namespace polycodec::schema
