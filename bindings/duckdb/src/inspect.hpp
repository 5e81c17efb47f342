// SPDX-License-Identifier: MIT
// polycodec_inspect(files, at := .., codec := .., options := ..): what is in files, as a table.
#pragma once

#include "engine.hpp"
#include "host.hpp"

namespace polycodec_sql {

/// Makes the function known to the engine. It keeps the registry. Throws Failure.
void register_inspect(duckdb_connection connection, const Registry& registry);

}  // namespace polycodec_sql
