// SPDX-License-Identifier: MIT
// Settings of the engine for this extension: SET polycodec_max_memory_bytes = ... (docs/sql.md).
#pragma once

#include "engine.hpp"
#include "host.hpp"

namespace polycodec_sql {

/// What settings say for the calls of one query.
struct Settings {
  Limits limits = {};                 ///< 0: the default of the registry
  std::uint64_t timeout_seconds = 0;  ///< for decoding one file; 0: none
  bool copy_files = false;            ///< read files into memory instead of mapping them
  bool external_access = true;        ///< of the engine: whether files may be read at all

  /// The limits for a call that begins now.
  Limits limits_now() const;
};

/// Makes the settings known to the engine. Settings that are there stay. Throws Failure.
void register_settings(duckdb_connection connection);
/// Reads the settings. Throws Failure for a negative number.
Settings read_settings(duckdb_client_context context);

}  // namespace polycodec_sql
