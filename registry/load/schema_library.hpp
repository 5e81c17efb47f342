// SPDX-License-Identifier: MIT
#pragma once

namespace polycodec::schema {

struct Library;

/// libpolycodec-schema.so from the directory of this library, loaded at the first call after the
/// checks that a plugin must pass. Throws Error(not_found), detail `schema.library`, with the
/// reason and the name of the package. [thread-safe]
const Library& schema_library();

}  // namespace polycodec::schema
