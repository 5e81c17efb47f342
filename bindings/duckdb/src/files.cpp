// SPDX-License-Identifier: MIT
#include "files.hpp"

#include "pattern.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace polycodec_sql {
namespace {

constexpr std::uint64_t most_remote_bytes = std::uint64_t{4} << 30;  // without a setting
constexpr std::uint64_t piece = std::uint64_t{1} << 20;

bool is_remote(const std::string& path) {
  return path.find("://") != std::string::npos;
}

/// A file that the engine opened, or why it did not.
struct Opened {
  Owned<duckdb_file_handle> handle;
  duckdb_error_type problem = DUCKDB_ERROR_INVALID;
  std::string message;
};

Opened open_by_engine(duckdb_client_context context, const std::string& path) {
  const Owned<duckdb_file_system> system(duckdb_client_context_get_file_system(context));
  const Owned<duckdb_file_open_options> options(duckdb_create_file_open_options());
  duckdb_file_open_options_set_flag(options.get(), DUCKDB_FILE_FLAG_READ, true);
  duckdb_file_handle handle = nullptr;
  Opened opened;
  if (duckdb_file_system_open(system.get(), path.c_str(), options.get(), &handle) ==
      DuckDBSuccess) {
    opened.handle.reset(handle);
    return opened;
  }
  const Owned<duckdb_error_data> error(duckdb_file_system_error_data(system.get()));
  opened.problem = duckdb_error_data_error_type(error.get());
  opened.message = duckdb_error_data_message(error.get());
  return opened;
}

}  // namespace

Files::Files(duckdb_client_context context, Settings settings)
    : context_(context), settings_(settings) {}

void Files::check_access(const std::string& path) const {
  const Opened opened = open_by_engine(context_, path);
  // Other problems, such as that it is a directory, are for those who open it to report.
  if (opened.handle == nullptr && opened.problem == DUCKDB_ERROR_PERMISSION)
    throw Failure(opened.message);
}

std::vector<std::string> Files::expand(const std::string& name) const {
  if (name.find('\0') != std::string::npos) throw Failure("invalid file name: it contains a NUL");
  std::error_code problem;
  if (is_remote(name) || !is_pattern(name) || std::filesystem::exists(name, problem)) {
    if (is_remote(name) && name.find('*') != std::string::npos)
      throw Failure("invalid pattern '" + name +
                    "': only local files have patterns; list the URLs");
    return {name};
  }
  check_access(name);  // before names of files show in errors
  std::vector<std::string> files = matching_files(name);
  if (files.empty())
    throw Failure("no file matches '" + name + "': must be at least one; check the pattern");
  return files;
}

Source Files::open(const std::string& path) const {
  if (is_remote(path)) return read_remote(path);
  check_access(path);
  return Source::file(path, {.copy = settings_.copy_files, .limits = settings_.limits_now()});
}

Source Files::read_remote(const std::string& url) const {
  const Opened opened = open_by_engine(context_, url);
  if (opened.handle == nullptr) throw Failure(opened.message);
  const std::uint64_t most =
      settings_.limits.max_input_bytes == 0 ? most_remote_bytes : settings_.limits.max_input_bytes;
  std::string content;
  for (;;) {
    const std::size_t size = content.size();
    content.resize(size + piece);
    const std::int64_t got =
        duckdb_file_handle_read(opened.handle.get(), content.data() + size, piece);
    if (got < 0) {
      const Owned<duckdb_error_data> error(duckdb_file_handle_error_data(opened.handle.get()));
      throw Failure(duckdb_error_data_message(error.get()));
    }
    content.resize(size + static_cast<std::size_t>(got));
    if (content.size() > most)
      throw Failure("more than " + std::to_string(most) +
                    " bytes: exceeds polycodec_max_input_bytes; raise it with SET");
    if (got == 0) break;
  }
  return Source::owned(std::move(content), {.name = url});
}

}  // namespace polycodec_sql
