// SPDX-License-Identifier: MIT
// Patterns of file names.
#pragma once

#include <string>
#include <vector>

namespace polycodec_sql {

/// Returns whether a name is a pattern: it has one of the characters `*?[`.
bool is_pattern(const std::string& name);

/// Returns the files that match the pattern, sorted by their bytes. `*`, `?` and `[..]` match
/// within one name, `**` any number of directories. Names that begin with a dot match only patterns
/// that do. Directories that cannot be read have no files, and links to directories are followed
/// but for
/// `**`.
std::vector<std::string> matching_files(const std::string& pattern);

}  // namespace polycodec_sql
