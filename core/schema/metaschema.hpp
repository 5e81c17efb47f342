// SPDX-License-Identifier: MIT
// The schema of schemas of draft 4: the one document that a reference may name without having it.
#pragma once

#include <string_view>

namespace polycodec::schema {

/// Its address, without a fragment.
inline constexpr std::string_view metaschema_uri = "http://json-schema.org/draft-04/schema";
/// Its text. It says what draft 4 says of each keyword; yggdrasil's keywords are not in it.
extern const std::string_view metaschema_text;

}  // namespace polycodec::schema
