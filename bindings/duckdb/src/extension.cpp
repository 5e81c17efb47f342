// SPDX-License-Identifier: MIT
// The entry point of the extension: LOAD 'polycodec.duckdb_extension'.
#define DUCKDB_EXTENSION_NAME polycodec

#include "host.hpp"
#include "inspect.hpp"
#include "read.hpp"
#include "settings.hpp"

using polycodec_sql::Check;
using polycodec_sql::Registry;

// What plugins there are, where they run, and limits: as the configuration file says that
// POLYCODEC_CONFIG names. SQL cannot change it.
static Registry open_registry() {
  polycodec_registry_options options{};
  options.struct_size = sizeof options;
  options.flags = POLYCODEC_REGISTRY_DEFAULT_CONFIG;
  Check call;
  polycodec_registry* registry = nullptr;
  call.check(polycodec_registry_open(&options, &registry, call.error()));
  return Registry(registry);
}

DUCKDB_EXTENSION_ENTRYPOINT(duckdb_connection connection, duckdb_extension_info info,
                            duckdb_extension_access* access) {
  try {
    const Registry registry = open_registry();
    polycodec_sql::register_settings(connection);
    polycodec_sql::register_read(connection, registry.get());
    polycodec_sql::register_inspect(connection, registry.get());
    return true;
  } catch (const std::exception& e) {
    access->set_error(info, e.what());
    return false;
  }
}
