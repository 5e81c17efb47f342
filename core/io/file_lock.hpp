// SPDX-License-Identifier: MIT
// The lock of a store: writers of one path wait for each other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

namespace polycodec {

/// Locks the file or directory at `path` against all who ask for it, until the result is gone. A
/// path that is not there yet is locked through the directory that is to hold it. The result is
/// null if there is nothing to lock (a pipe) or the file system has no locks. Throws Status::io
/// with the detail store.locked after `seconds`, and if the path cannot be opened.
std::shared_ptr<const void> lock_path(const std::filesystem::path& path, std::uint32_t seconds);

}  // namespace polycodec
