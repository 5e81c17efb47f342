// SPDX-License-Identifier: MIT
// The C extension API of DuckDB, with owners for what it hands out. Each function of the API goes
// through a table of pointers that the engine fills when it loads the extension.
#pragma once

#include <duckdb_extension.h>

#include <memory>
#include <string>
#include <type_traits>

DUCKDB_EXTENSION_EXTERN

namespace polycodec_sql {

/// Gives handles of the engine back.
struct Destroy {
  void operator()(duckdb_logical_type p) const { duckdb_destroy_logical_type(&p); }
  void operator()(duckdb_value p) const { duckdb_destroy_value(&p); }
  void operator()(duckdb_table_function p) const { duckdb_destroy_table_function(&p); }
  void operator()(duckdb_config_option p) const { duckdb_destroy_config_option(&p); }
  void operator()(duckdb_client_context p) const { duckdb_destroy_client_context(&p); }
  void operator()(duckdb_file_system p) const { duckdb_destroy_file_system(&p); }
  void operator()(duckdb_file_open_options p) const { duckdb_destroy_file_open_options(&p); }
  void operator()(duckdb_file_handle p) const { duckdb_destroy_file_handle(&p); }
  void operator()(duckdb_error_data p) const { duckdb_destroy_error_data(&p); }
  void operator()(char* p) const { duckdb_free(p); }
};
template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy>;

using LogicalType = Owned<duckdb_logical_type>;
using SqlValue = Owned<duckdb_value>;
using ClientContext = Owned<duckdb_client_context>;

/// Returns the text of a VARCHAR value.
inline std::string text_of(duckdb_value value) {
  const Owned<char*> text(duckdb_get_varchar(value));
  return text == nullptr ? std::string() : std::string(text.get());
}

}  // namespace polycodec_sql
