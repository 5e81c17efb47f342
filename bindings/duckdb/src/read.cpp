// SPDX-License-Identifier: MIT
#include "read.hpp"

#include "arguments.hpp"
#include "chunk_rows.hpp"
#include "gather.hpp"
#include "leaf.hpp"
#include "table.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace polycodec_sql {
namespace {

constexpr const char* function_name = "read_polycodec";
constexpr const char* filename_column = "filename";

/// What is read, as the query was bound.
struct Bound {
  Registry registry;
  ClientContext context;
  std::unique_ptr<Files> files;
  std::vector<std::string> paths;
  Request request;
  SqlType type;           ///< a STRUCT with the columns of the files
  bool filename = false;  ///< a further column, the last one
  Join join = Join::same_names;
  /// With union_by_name: for each file, which columns it has.
  std::vector<std::vector<bool>> has_column;
};

/// What all threads of one query share.
struct Query {
  const Bound* bound;
  std::vector<std::size_t> columns;  ///< of each vector of a chunk: the column; others have no data
  std::vector<bool> wanted;          ///< for each column of the files
  std::atomic<std::size_t> next_file = 0;
  std::atomic<bool> failed = false;
};

/// What one thread reads.
struct Scan {
  std::size_t file = 0;
  std::unique_ptr<Table> table;
  std::uint64_t row = 0;
};

[[noreturn]] void fail_with_file(const std::string& path, const std::exception& e) {
  throw Failure(std::string(function_name) + ": '" + path + "': " + text_of(e));
}

std::unique_ptr<Table> read_table(const Bound& bound, const std::string& path,
                                  const std::optional<std::vector<std::string>>& columns) {
  return std::make_unique<Table>(decode(bound.registry, *bound.files, path, bound.request, columns),
                                 bound.request.at, bound.files->settings());
}

/// The types of a file. Few rows tell them where the format has them.
SqlType type_of_file(const Bound& bound, const std::string& path) {
  try {
    const Table sample(decode(bound.registry, *bound.files, path, bound.request, std::nullopt, 1),
                       bound.request.at, bound.files->settings());
    if (!sample.is_typed_by_rows()) return sample.type();
  } catch (const Error&) {
    // What has no rows is read as a whole. Other problems come again, with rows.
  }
  return read_table(bound, path, std::nullopt)->type();
}

/// The columns that the query names, in its order.
SqlType chosen(const SqlType& type, const std::vector<std::string>& columns) {
  if (columns.empty()) throw Failure("'columns' is empty: name at least one column");
  SqlType result{DUCKDB_TYPE_STRUCT, {}, {}, 0};
  for (const std::string& name : columns) {
    const auto at = std::find(type.names.begin(), type.names.end(), name);
    if (at == type.names.end())
      throw Failure("no column '" + name + "': the file has " + to_text(type) +
                    "; change 'columns'");
    if (std::find(result.names.begin(), result.names.end(), name) != result.names.end())
      throw Failure("column '" + name + "' is twice in 'columns': name it once");
    result.names.push_back(name);
    result.children.push_back(type.children[static_cast<std::size_t>(at - type.names.begin())]);
  }
  return result;
}

[[noreturn]] void fail_unlike(const Bound& bound, const SqlType& type, const char* remedy) {
  throw Failure("its columns are " + to_text(type) + ", and those of '" + bound.paths.front() +
                "' are " + to_text(bound.type) + ": all files of a table have like columns; " +
                remedy);
}

void join_types(Bound& bound) {
  std::vector<SqlType> types;
  for (const std::string& path : bound.paths) {
    try {
      types.push_back(type_of_file(bound, path));
      auto both = joined(bound.type, types.back(), Join::by_name);
      if (!both) fail_unlike(bound, types.back(), "read them in two queries");
      bound.type = std::move(*both);
    } catch (const Error& e) {
      fail_with_file(path, e);
    }
  }
  for (const SqlType& type : types) {
    std::vector<bool>& has = bound.has_column.emplace_back();
    for (const std::string& name : bound.type.names)
      has.push_back(std::find(type.names.begin(), type.names.end(), name) != type.names.end());
  }
}

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
    bound->filename = flag_argument(info, filename_column);
    if (!bound->request.options.empty() && bound->request.codec.empty())
      throw Failure("'options' without 'codec': name the codec that they are for");
    if (flag_argument(info, "union_by_name")) {
      bound->join = Join::by_name;
      join_types(*bound);
    } else {
      try {
        bound->type = type_of_file(*bound, bound->paths.front());
      } catch (const Error& e) {
        fail_with_file(bound->paths.front(), e);
      }
    }
    if (const auto columns = list_argument(info, "columns")) {
      const SqlType all = bound->type;
      bound->type = chosen(all, *columns);
      for (std::vector<bool>& has : bound->has_column) {
        std::vector<bool> kept;
        for (const std::string& name : bound->type.names)
          kept.push_back(has[static_cast<std::size_t>(
              std::find(all.names.begin(), all.names.end(), name) - all.names.begin())]);
        has = std::move(kept);
      }
    }
    std::vector<std::string> names = bound->type.names;
    if (bound->filename) names.emplace_back(filename_column);
    names = sql_names(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const LogicalType type = i < bound->type.children.size()
                                   ? to_logical(bound->type.children[i])
                                   : LogicalType(duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR));
      duckdb_bind_add_result_column(info, names[i].c_str(), type.get());
    }
    duckdb_bind_set_bind_data(info, bound.release(),
                              [](void* p) { delete static_cast<Bound*>(p); });
  });
}

void init(duckdb_init_info info) {
  guarded(info, duckdb_init_set_error, [info] {
    auto query = std::make_unique<Query>();
    const auto& bound = *static_cast<const Bound*>(duckdb_init_get_bind_data(info));
    query->bound = &bound;
    query->wanted.resize(bound.type.names.size());
    for (idx_t i = 0; i < duckdb_init_get_column_count(info); ++i) {
      query->columns.push_back(duckdb_init_get_column_index(info, i));
      if (query->columns.back() < query->wanted.size()) query->wanted[query->columns.back()] = true;
    }
    duckdb_init_set_max_threads(info, bound.paths.size());
    duckdb_init_set_init_data(info, query.release(),
                              [](void* p) { delete static_cast<Query*>(p); });
  });
}

void local_init(duckdb_init_info info) {
  guarded(info, duckdb_init_set_error, [info] {
    duckdb_init_set_init_data(info, new Scan, [](void* p) { delete static_cast<Scan*>(p); });
  });
}

/// The columns to decode of a file. Where no column is asked for, one tells the number of rows: the
/// first, or where there is one a number, which is less to read than text and lists.
std::vector<std::string> names_to_read(const Query& query, std::size_t file) {
  const Bound& bound = *query.bound;
  const auto there = [&](std::size_t i) {
    return bound.has_column.empty() || bound.has_column[file][i];
  };
  std::vector<std::string> names;
  std::optional<std::size_t> cheap;
  for (std::size_t i = 0; i < bound.type.names.size(); ++i) {
    if (!there(i)) continue;
    if (query.wanted[i]) names.push_back(bound.type.names[i]);
    const duckdb_type id = bound.type.children[i].id;
    const bool number = bound.type.children[i].children.empty() && id != DUCKDB_TYPE_VARCHAR &&
                        id != DUCKDB_TYPE_BLOB;
    if (!cheap || (number && !bound.type.children[*cheap].children.empty())) cheap = i;
  }
  if (names.empty() && cheap) names.push_back(bound.type.names[*cheap]);
  return names;
}

/// Opens the next file; false at the end.
bool open_next(Query& query, Scan& scan) {
  const Bound& bound = *query.bound;
  scan.file = query.next_file.fetch_add(1);
  if (query.failed || scan.file >= bound.paths.size()) return false;
  const std::string& path = bound.paths[scan.file];
  scan.row = 0;
  try {
    std::optional<std::vector<std::string>> names = names_to_read(query, scan.file);
    if (names->empty() || bound.type.names == std::vector<std::string>{only_column}) names.reset();
    std::unique_ptr<Table> table;
    try {
      table = read_table(bound, path, names);
    } catch (const Error& e) {
      // Columns of tuples have no paths. Where a column is not there, the whole tells what is.
      if (!names || (e.code() != Status::not_found && e.code() != Status::type)) throw;
      table = read_table(bound, path, std::nullopt);
    }
    for (std::size_t i = 0; i < bound.type.names.size(); ++i) {
      if (!query.wanted[i]) continue;
      const SqlType& type = table->type();
      const auto at = std::find(type.names.begin(), type.names.end(), bound.type.names[i]);
      const bool expected = bound.has_column.empty() || bound.has_column[scan.file][i];
      if (at == type.names.end() && !expected) continue;
      const auto both =
          at == type.names.end()
              ? std::nullopt
              : joined(bound.type.children[i],
                       type.children[static_cast<std::size_t>(at - type.names.begin())],
                       bound.join);
      if (both != bound.type.children[i])
        fail_unlike(bound, type_of_file(bound, path),
                    bound.join == Join::same_names ? "use union_by_name := true"
                                                   : "the file has changed, so repeat the query");
    }
    scan.table = std::move(table);
    return true;
  } catch (const Error& e) {
    fail_with_file(path, e);
  }
}

void fill(const Query& query, const Scan& scan, std::uint64_t rows, duckdb_data_chunk chunk) {
  const Bound& bound = *query.bound;
  const std::size_t columns = bound.type.names.size();
  std::vector<duckdb_vector> vectors(columns);
  for (std::size_t i = 0; i < query.columns.size(); ++i) {
    duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, i);
    if (query.columns[i] < columns) vectors[query.columns[i]] = vector;
    if (query.columns[i] == columns) {
      const std::string& path = bound.paths[scan.file];
      const SqlValue name(duckdb_create_varchar_length(path.data(), path.size()));
      if (name == nullptr)
        throw Failure("its name is not UTF-8: rename it, or leave out 'filename'");
      duckdb_vector_reference_value(vector, name.get());
    }
  }
  Gather(scan.table->budget())
      .put_columns(vectors, bound.type, scan.table->array(), Rows(scan.row, rows));
}

void function(duckdb_function_info info, duckdb_data_chunk chunk) {
  auto& query = *static_cast<Query*>(duckdb_function_get_init_data(info));
  auto& scan = *static_cast<Scan*>(duckdb_function_get_local_init_data(info));
  guarded(info, duckdb_function_set_error, [&] {
    try {
      while (scan.table == nullptr || scan.row == scan.table->rows()) {
        scan.table.reset();
        if (!open_next(query, scan)) return duckdb_data_chunk_set_size(chunk, 0);
      }
      const std::uint64_t rows = rows_of_chunk(scan.table->array(), scan.row, duckdb_vector_size());
      try {
        fill(query, scan, rows, chunk);
      } catch (const Error& e) {
        fail_with_file(query.bound->paths[scan.file], e);
      }
      duckdb_data_chunk_set_size(chunk, rows);
      scan.row += rows;
    } catch (...) {
      query.failed = true;  // so that other threads end
      throw;
    }
  });
}

}  // namespace

void register_read(duckdb_connection connection, const Registry& registry) {
  const auto made = make_function(function_name, {bind, init, local_init, function}, registry);
  add_named(made.get(), "filename", DUCKDB_TYPE_BOOLEAN);
  add_named(made.get(), "union_by_name", DUCKDB_TYPE_BOOLEAN);
  const LogicalType name(duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR));
  const LogicalType names(duckdb_create_list_type(name.get()));
  duckdb_table_function_add_named_parameter(made.get(), "columns", names.get());
  register_function(connection, made.get(), function_name);
}

}  // namespace polycodec_sql
