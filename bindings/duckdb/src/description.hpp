// SPDX-License-Identifier: MIT
// What is in a file: one entry for the file, and one for each column of it.
#pragma once

#include "table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace polycodec_sql {

/// A file, or one column. Empty members are not known.
struct Description {
  std::optional<std::string> codec;
  std::optional<std::uint64_t> file_bytes;
  std::optional<std::string> at;      ///< what read_polycodec() takes as `at`
  std::optional<std::string> column;  ///< none: the file
  std::optional<std::string> type;    ///< in type notation
  std::optional<std::string> sql_type;
  std::optional<std::uint64_t> rows;
  std::optional<std::string> unit;
  std::optional<std::string> notes;  ///< metadata as JSON
  std::optional<std::string> address;
  std::optional<std::string> error;  ///< why the file or the part cannot be read
};

/// Describes a file. `addresses`: compute content addresses, which reads all of the value. What is
/// wrong with the file is in `error`. Throws Failure if the engine forbids to read it.
std::vector<Description> describe(const Registry& registry, const Files& files,
                                  const std::string& path, const Request& request, bool addresses);

}  // namespace polycodec_sql
