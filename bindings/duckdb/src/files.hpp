// SPDX-License-Identifier: MIT
// The files that a query names.
#pragma once

#include "settings.hpp"

#include <string>
#include <vector>

namespace polycodec_sql {

/// Opens files as the engine allows it: it is asked before each one.
class Files {
 public:
  /// `context` is that of the query. It must live as long as this object.
  Files(duckdb_client_context context, Settings settings);

  /// Returns the files that a name stands for, sorted: itself, or those that match its pattern with
  /// `*`, `?`, `[..]` and `**` (any number of directories). Throws Failure if there is none.
  std::vector<std::string> expand(const std::string& name) const;
  /// Opens a file or directory, or a URL that a file system of the engine knows. Throws Failure.
  /// [thread-safe]
  Source open(const std::string& path) const;
  const Settings& settings() const noexcept { return settings_; }

 private:
  void check_access(const std::string& path) const;
  Source read_remote(const std::string& url) const;

  duckdb_client_context context_;
  Settings settings_;
};

}  // namespace polycodec_sql
