// SPDX-License-Identifier: MIT
#include "inspect.hpp"

#include "arguments.hpp"
#include "description.hpp"
#include "leaf.hpp"

#include <array>
#include <atomic>
#include <memory>

namespace polycodec_sql {
namespace {

constexpr const char* function_name = "polycodec_inspect";

/// A column of the result: text, or a number.
struct Column {
  const char* name;
  std::optional<std::string> Description::*text;
  std::optional<std::uint64_t> Description::*number;
};
constexpr std::array<Column, 12> columns = {{{"filename", nullptr, nullptr},
                                             {"codec", &Description::codec, nullptr},
                                             {"file_bytes", nullptr, &Description::file_bytes},
                                             {"at_path", &Description::at, nullptr},
                                             {"column_name", &Description::column, nullptr},
                                             {"type", &Description::type, nullptr},
                                             {"sql_type", &Description::sql_type, nullptr},
                                             {"row_count", nullptr, &Description::rows},
                                             {"unit", &Description::unit, nullptr},
                                             {"notes", &Description::notes, nullptr},
                                             {"address", &Description::address, nullptr},
                                             {"error", &Description::error, nullptr}}};
constexpr std::size_t address_column = 10;

struct Bound {
  Registry registry;
  ClientContext context;
  std::unique_ptr<Files> files;
  std::vector<std::string> paths;
  Request request;
};

struct Query {
  const Bound* bound;
  std::vector<std::size_t> wanted;
  bool addresses = false;
  std::atomic<std::size_t> next_file = 0;
};

struct Scan {
  std::string path;
  std::vector<Description> found;
  std::size_t row = 0;
};

void bind(duckdb_bind_info info) {
  guarded(info, duckdb_bind_set_error, [info] {
    auto bound = std::make_unique<Bound>();
    bound->registry = *static_cast<const Registry*>(duckdb_bind_get_extra_info(info));
    duckdb_client_context context = nullptr;
    duckdb_table_function_get_client_context(info, &context);
    bound->context.reset(context);
    bound->files = std::make_unique<Files>(context, read_settings(context));
    for (const std::string& name : files_argument(info, function_name))
      for (std::string& path : bound->files->expand(name)) bound->paths.push_back(std::move(path));
    bound->request.at = text_argument(info, "at").value_or("$");
    bound->request.codec = text_argument(info, "codec").value_or("");
    bound->request.options = text_argument(info, "options").value_or("");
    for (const Column& column : columns) {
      const LogicalType type(duckdb_create_logical_type(
          column.number != nullptr ? DUCKDB_TYPE_UBIGINT : DUCKDB_TYPE_VARCHAR));
      duckdb_bind_add_result_column(info, column.name, type.get());
    }
    duckdb_bind_set_bind_data(info, bound.release(),
                              [](void* p) { delete static_cast<Bound*>(p); });
  });
}

void init(duckdb_init_info info) {
  guarded(info, duckdb_init_set_error, [info] {
    auto query = std::make_unique<Query>();
    query->bound = static_cast<const Bound*>(duckdb_init_get_bind_data(info));
    for (idx_t i = 0; i < duckdb_init_get_column_count(info); ++i) {
      query->wanted.push_back(duckdb_init_get_column_index(info, i));
      if (query->wanted.back() == address_column) query->addresses = true;
    }
    duckdb_init_set_max_threads(info, query->bound->paths.size());
    duckdb_init_set_init_data(info, query.release(),
                              [](void* p) { delete static_cast<Query*>(p); });
  });
}

void local_init(duckdb_init_info info) {
  guarded(info, duckdb_init_set_error, [info] {
    duckdb_init_set_init_data(info, new Scan, [](void* p) { delete static_cast<Scan*>(p); });
  });
}

void put_cell(duckdb_vector vector, std::uint64_t row, const Column& column, const Scan& scan,
              const Description& from) {
  static const SqlType text{DUCKDB_TYPE_VARCHAR};
  if (column.number != nullptr && from.*column.number)
    static_cast<std::uint64_t*>(duckdb_vector_get_data(vector))[row] = *(from.*column.number);
  else if (column.text != nullptr && from.*column.text)
    put_bytes(vector, row, text, *(from.*column.text));
  else if (column.text == nullptr && column.number == nullptr)
    put_bytes(vector, row, text, scan.path);
  else
    put_null(vector, row, text);
}

void function(duckdb_function_info info, duckdb_data_chunk chunk) {
  guarded(info, duckdb_function_set_error, [&] {
    auto& query = *static_cast<Query*>(duckdb_function_get_init_data(info));
    auto& scan = *static_cast<Scan*>(duckdb_function_get_local_init_data(info));
    const Bound& bound = *query.bound;
    if (scan.row == scan.found.size()) {
      const std::size_t file = query.next_file.fetch_add(1);
      if (file >= bound.paths.size()) return duckdb_data_chunk_set_size(chunk, 0);
      scan.path = bound.paths[file];
      scan.row = 0;
      try {
        scan.found =
            describe(bound.registry, *bound.files, scan.path, bound.request, query.addresses);
      } catch (const Error& e) {
        scan.found.assign(1, {});
        scan.found[0].error = text_of(e);
      }
    }
    const std::uint64_t rows =
        std::min<std::uint64_t>(scan.found.size() - scan.row, duckdb_vector_size());
    for (std::size_t i = 0; i < query.wanted.size(); ++i) {
      if (query.wanted[i] >= columns.size()) continue;
      for (std::uint64_t row = 0; row < rows; ++row)
        put_cell(duckdb_data_chunk_get_vector(chunk, i), row, columns[query.wanted[i]], scan,
                 scan.found[scan.row + row]);
    }
    duckdb_data_chunk_set_size(chunk, rows);
    scan.row += rows;
  });
}

}  // namespace

void register_inspect(duckdb_connection connection, const Registry& registry) {
  const auto made = make_function(function_name, {bind, init, local_init, function}, registry);
  register_function(connection, made.get(), function_name);
}

}  // namespace polycodec_sql
