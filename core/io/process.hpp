// SPDX-License-Identifier: MIT
// What this process is: its rights, its environment, where the library lies.
#pragma once

#include <filesystem>

namespace polycodec {

/// True if the process runs with more rights than who started it.
bool is_privileged() noexcept;

/// The value of an environment variable, or null; null for all in a privileged process.
const char* trusted_environment(const char* name);

/// The file of libpolycodec.so, without links; empty if it cannot be found out. What this is linked
/// into says it (registry/library).
std::filesystem::path library_file();

/// The directory that libpolycodec.so is in; empty if it cannot be found out.
inline std::filesystem::path library_directory() {
  return library_file().parent_path();
}

}  // namespace polycodec
