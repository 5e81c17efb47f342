// SPDX-License-Identifier: MIT
// Temporary names beside the file or directory that they become. Private to core.
#pragma once

#include "core/io/place.hpp"

#include <filesystem>
#include <functional>
#include <string>

namespace polycodec::posix {

/// The directory that holds `path`; never empty.
std::filesystem::path directory_of(const std::filesystem::path& path);

/// Gives temporary names of `target` to `make` until one is free, and returns that one. `make`
/// returns 0 or an errno; EEXIST: the name is taken. Throws Status::io.
std::string claim_name(const Place& target, const std::function<int(const char* name)>& make);

/// Makes a temporary file (or directory) of `target` and locks it. The lock says that its writer
/// lives. `name` becomes its path. Throws Status::io.
Descriptor make_temporary(const Place& target, bool is_directory, std::string& name);

/// Locks a file that is in the making, where the file system has locks. False: another process has
/// locked it.
bool lock_temporary(int fd) noexcept;

/// Removes the temporary files and directories that dead writers of `target` left.
void remove_left_over(const std::filesystem::path& target) noexcept;

}  // namespace polycodec::posix
