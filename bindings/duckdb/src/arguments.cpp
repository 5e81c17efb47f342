// SPDX-License-Identifier: MIT
#include "arguments.hpp"

namespace polycodec_sql {
namespace {

SqlValue named(duckdb_bind_info info, const char* name) {
  SqlValue value(duckdb_bind_get_named_parameter(info, name));
  if (value != nullptr && duckdb_is_null_value(value.get())) value.reset();
  return value;
}

std::vector<std::string> items_of(duckdb_value list, const char* name) {
  std::vector<std::string> items;
  const std::uint64_t size = duckdb_get_list_size(list);
  for (std::uint64_t i = 0; i < size; ++i) {
    const SqlValue item(duckdb_get_list_child(list, i));
    if (item == nullptr || duckdb_is_null_value(item.get()))
      throw Failure(std::string("invalid NULL in '") + name + "': must be a list of names");
    items.push_back(text_of(item.get()));
  }
  return items;
}

}  // namespace

std::optional<std::string> text_argument(duckdb_bind_info info, const char* name) {
  const SqlValue value = named(info, name);
  if (value == nullptr) return std::nullopt;
  return text_of(value.get());
}

std::optional<std::vector<std::string>> list_argument(duckdb_bind_info info, const char* name) {
  const SqlValue value = named(info, name);
  if (value == nullptr) return std::nullopt;
  return items_of(value.get(), name);
}

bool flag_argument(duckdb_bind_info info, const char* name) {
  const SqlValue value = named(info, name);
  return value != nullptr && duckdb_get_bool(value.get());
}

std::vector<std::string> files_argument(duckdb_bind_info info, const char* function) {
  const SqlValue value(duckdb_bind_get_parameter(info, 0));
  if (value != nullptr && !duckdb_is_null_value(value.get())) {
    // The type belongs to the value.
    const duckdb_type type = duckdb_get_type_id(duckdb_get_value_type(value.get()));
    if (type == DUCKDB_TYPE_VARCHAR) return {text_of(value.get())};
    if (type == DUCKDB_TYPE_LIST) {
      std::vector<std::string> names = items_of(value.get(), "files");
      if (!names.empty()) return names;
    }
  }
  throw Failure(
      std::string(function) +
      ": invalid first argument: must be the name or pattern of a file, or a list of them");
}

void add_named(duckdb_table_function function, const char* name, duckdb_type type) {
  const LogicalType logical(duckdb_create_logical_type(type));
  duckdb_table_function_add_named_parameter(function, name, logical.get());
}

Owned<duckdb_table_function> make_function(const char* name, const Callbacks& callbacks,
                                           const Registry& registry) {
  Owned<duckdb_table_function> function(duckdb_create_table_function());
  duckdb_table_function_set_name(function.get(), name);
  const LogicalType any(duckdb_create_logical_type(DUCKDB_TYPE_ANY));
  duckdb_table_function_add_parameter(function.get(), any.get());
  add_named(function.get(), "at", DUCKDB_TYPE_VARCHAR);
  add_named(function.get(), "codec", DUCKDB_TYPE_VARCHAR);
  add_named(function.get(), "options", DUCKDB_TYPE_VARCHAR);
  duckdb_table_function_set_extra_info(function.get(), new Registry(registry),
                                       [](void* p) { delete static_cast<Registry*>(p); });
  duckdb_table_function_set_bind(function.get(), callbacks.bind);
  duckdb_table_function_set_init(function.get(), callbacks.init);
  duckdb_table_function_set_local_init(function.get(), callbacks.local_init);
  duckdb_table_function_set_function(function.get(), callbacks.function);
  duckdb_table_function_supports_projection_pushdown(function.get(), true);
  return function;
}

void register_function(duckdb_connection connection, duckdb_table_function function,
                       const char* name) {
  if (duckdb_register_table_function(connection, function) != DuckDBSuccess)
    throw Failure(std::string("the engine does not take the function ") + name +
                  ": is there another of this name?");
}

}  // namespace polycodec_sql
