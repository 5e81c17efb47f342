// SPDX-License-Identifier: MIT
// Which names blobs of a store may have.
#pragma once

#include <string_view>

namespace polycodec {

/// Why `name` may not name a blob, or NULL if it may. A name is relative, of parts joined by '/':
/// no part is empty, "." or "..". It has no backslash, no control character and no drive letter,
/// and is UTF-8 of at most 4096 bytes. Safe to call from any thread.
const char* blob_name_fault(std::string_view name) noexcept;

}  // namespace polycodec
