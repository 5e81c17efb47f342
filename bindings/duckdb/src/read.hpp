// SPDX-License-Identifier: MIT
// read_polycodec(files, at := .., columns := .., codec := .., options := .., filename := ..,
// union_by_name := ..): files as one table.
#pragma once

#include "engine.hpp"
#include "host.hpp"

namespace polycodec_sql {

/// Makes the function known to the engine. It keeps the registry. Throws Failure.
void register_read(duckdb_connection connection, const Registry& registry);

}  // namespace polycodec_sql
