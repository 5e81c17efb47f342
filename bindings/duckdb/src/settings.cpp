// SPDX-License-Identifier: MIT
#include "settings.hpp"

#include <array>
#include <ctime>

namespace polycodec_sql {
namespace {

struct Limit {
  const char* name;
  std::uint64_t polycodec_limits::*field;
  const char* description;
};
constexpr std::array<Limit, 5> limits = {
    {{"polycodec_max_input_bytes", &polycodec_limits::max_input_bytes, "Largest file in bytes"},
     {"polycodec_max_memory_bytes", &polycodec_limits::max_memory_bytes,
      "Memory that the value of one file may take beside the file"},
     {"polycodec_max_elements", &polycodec_limits::max_elements, "Elements of one array or list"},
     {"polycodec_max_nodes", &polycodec_limits::max_nodes, "Nodes and arrays of one value"},
     {"polycodec_max_work", &polycodec_limits::max_work, "Work for one file, in units of 5 ns"}}};

constexpr const char* timeout_name = "polycodec_timeout_seconds";
constexpr const char* copy_name = "polycodec_copy_files";

void add(duckdb_connection connection, const char* name, const char* description, duckdb_type type,
         SqlValue value) {
  const Owned<duckdb_config_option> option(duckdb_create_config_option());
  const LogicalType logical(duckdb_create_logical_type(type));
  duckdb_config_option_set_name(option.get(), name);
  duckdb_config_option_set_type(option.get(), logical.get());
  duckdb_config_option_set_default_value(option.get(), value.get());
  duckdb_config_option_set_default_scope(option.get(), DUCKDB_CONFIG_OPTION_SCOPE_GLOBAL);
  duckdb_config_option_set_description(option.get(), description);
  // It fails where the setting is known already, as after a second LOAD.
  duckdb_register_config_option(connection, option.get());
}

SqlValue setting(duckdb_client_context context, const char* name) {
  return SqlValue(duckdb_client_context_get_config_option(context, name, nullptr));
}

std::uint64_t number(duckdb_client_context context, const char* name) {
  const SqlValue value = setting(context, name);
  if (value == nullptr || duckdb_is_null_value(value.get())) return 0;
  const std::int64_t count = duckdb_get_int64(value.get());
  if (count < 0)
    throw Failure("invalid " + std::string(name) + " " + std::to_string(count) +
                  ": must be 0 (the default) or more");
  return static_cast<std::uint64_t>(count);
}

}  // namespace

Limits Settings::limits_now() const {
  Limits now = limits;
  if (timeout_seconds != 0) {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    const std::uint64_t seconds = static_cast<std::uint64_t>(time.tv_sec) + timeout_seconds;
    now.deadline = seconds > UINT64_MAX / 1'000'000'000 - 1 ? UINT64_MAX : seconds * 1'000'000'000;
  }
  return now;
}

void register_settings(duckdb_connection connection) {
  for (const Limit& limit : limits)
    add(connection, limit.name, limit.description, DUCKDB_TYPE_BIGINT,
        SqlValue(duckdb_create_int64(0)));
  add(connection, timeout_name, "Seconds for decoding one file; 0: no limit", DUCKDB_TYPE_BIGINT,
      SqlValue(duckdb_create_int64(0)));
  add(connection, copy_name, "Read files into memory instead of mapping them", DUCKDB_TYPE_BOOLEAN,
      SqlValue(duckdb_create_bool(false)));
}

Settings read_settings(duckdb_client_context context) {
  Settings settings;
  for (const Limit& limit : limits) settings.limits.*limit.field = number(context, limit.name);
  settings.timeout_seconds = number(context, timeout_name);
  const SqlValue copy = setting(context, copy_name);
  settings.copy_files = copy != nullptr && duckdb_get_bool(copy.get());
  const SqlValue access = setting(context, "enable_external_access");
  settings.external_access = access == nullptr || duckdb_get_bool(access.get());
  return settings;
}

}  // namespace polycodec_sql
