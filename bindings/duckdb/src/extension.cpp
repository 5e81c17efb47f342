// SPDX-License-Identifier: MIT
// The entry point of the extension: LOAD 'polycodec.duckdb_extension'.
#define DUCKDB_EXTENSION_NAME polycodec

#include "host.hpp"
#include "inspect.hpp"
#include "read.hpp"
#include "settings.hpp"

DUCKDB_EXTENSION_ENTRYPOINT(duckdb_connection connection, duckdb_extension_info info,
                            duckdb_extension_access* access) {
  try {
    // What plugins there are, where they run, and limits: as the configuration file says that
    // POLYCODEC_CONFIG names. SQL cannot change it.
    const auto registry = polycodec::Registry::open();
    polycodec_sql::register_settings(connection);
    polycodec_sql::register_read(connection, registry);
    polycodec_sql::register_inspect(connection, registry);
    return true;
  } catch (const std::exception& e) {
    access->set_error(info, polycodec_sql::text_of(e).c_str());
    return false;
  }
}
