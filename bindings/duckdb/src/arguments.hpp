// SPDX-License-Identifier: MIT
// Arguments of the functions, and their errors.
#pragma once

#include "engine.hpp"
#include "host.hpp"

#include <optional>
#include <string>
#include <vector>

namespace polycodec_sql {

/// Returns a named argument: its value, or nothing where it is left out or NULL.
std::optional<std::string> text_argument(duckdb_bind_info info, const char* name);
std::optional<std::vector<std::string>> list_argument(duckdb_bind_info info, const char* name);
bool flag_argument(duckdb_bind_info info, const char* name);

/// Returns the first argument: one name, or a list of names. Throws Failure for anything else.
std::vector<std::string> files_argument(duckdb_bind_info info, const char* function);

/// Adds a parameter of this type to a function.
void add_named(duckdb_table_function function, const char* name, duckdb_type type);

/// Makes a function of the engine with the first parameter `files` and these callbacks. It keeps a
/// copy of the registry, which duckdb_bind_get_extra_info() gives.
struct Callbacks {
  duckdb_table_function_bind_t bind;
  duckdb_table_function_init_t init;
  duckdb_table_function_init_t local_init;
  duckdb_table_function_t function;
};
Owned<duckdb_table_function> make_function(const char* name, const Callbacks& callbacks,
                                           const Registry& registry);
/// Makes it known to the engine. Throws Failure.
void register_function(duckdb_connection connection, duckdb_table_function function,
                       const char* name);

/// Runs `body`, and gives what it throws to `set_error`. Nothing is thrown to the engine.
template <class Info, class Body>
void guarded(Info info, void (*set_error)(Info, const char*), Body&& body) noexcept {
  try {
    body();
  } catch (const std::exception& e) {
    set_error(info, text_of(e).c_str());
  } catch (...) {  // of the engine, whose types of exceptions may be others
    set_error(info, "polycodec: the engine could not take the data: choose columns or fewer rows");
  }
}

}  // namespace polycodec_sql
