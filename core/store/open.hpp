// SPDX-License-Identifier: MIT
// What lies at a path or in a source, opened as the store that it is.
#pragma once

#include "core/call/limits.hpp"
#include "core/io/source.hpp"

#include <memory>
#include <string>

namespace polycodec {

/// Opens a directory as a store (DirectoryStore), and anything else as Source::file(). Throws as
/// these.
Source open_source(const std::string& path, const Limits& limits = {},
                   FileAccess access = FileAccess::map);

/// The store inside `archive` if its first bytes are those of a ZIP archive, or null if they are
/// not. Throws Status::malformed (a broken archive), Status::truncated,
/// Status::denied (an unsafe name), Status::unsupported, Status::limit. Registry::open_store()
/// knows more formats.
std::shared_ptr<BlobStore> open_store(const Source& archive, const Limits& limits = {});

}  // namespace polycodec
