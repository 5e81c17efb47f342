// SPDX-License-Identifier: MIT
#include "pattern.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace polycodec_sql {
namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& name) {
  return name.native().starts_with('.');
}

/// Adds what lies under `base` and matches the parts from `part` on.
void match(const fs::path& base, const std::vector<fs::path>& parts, std::size_t part,
           std::set<std::string>& found) {
  std::error_code problem;
  if (part == parts.size()) {
    if (fs::exists(base, problem)) found.insert(base.native());
    return;
  }
  const std::string& name = parts[part].native();
  if (!is_pattern(name)) return match(base / name, parts, part + 1, found);
  const bool deep = name == "**";
  if (deep) match(base, parts, part + 1, found);
  const fs::directory_options options = fs::directory_options::skip_permission_denied;
  for (fs::directory_iterator it(base.empty() ? "." : base, options, problem), end;
       !problem && it != end; it.increment(problem)) {
    const fs::path entry = it->path().filename();
    std::error_code gone;  // others may change the directory
    const bool directory = it->is_directory(gone);
    if (deep) {
      if (directory && !it->is_symlink(gone) && !is_hidden(entry))
        match(base / entry, parts, part, found);
    } else if (fnmatch(name.c_str(), entry.c_str(), FNM_PERIOD) == 0) {
      if (part + 1 == parts.size() || directory) match(base / entry, parts, part + 1, found);
    }
  }
}

}  // namespace

bool is_pattern(const std::string& name) {
  return name.find_first_of("*?[") != std::string::npos;
}

std::vector<std::string> matching_files(const std::string& pattern) {
  const fs::path path(pattern);
  std::vector<fs::path> parts;
  for (const fs::path& part : path.relative_path())
    // `**` twice finds the same, more slowly.
    if (!part.empty() && !(part == "**" && !parts.empty() && parts.back() == "**"))
      parts.push_back(part);
  if (!parts.empty() && parts.back() == "**") parts.emplace_back("*");
  std::set<std::string> found;
  match(path.root_path(), parts, 0, found);
  return {found.begin(), found.end()};
}

}  // namespace polycodec_sql
