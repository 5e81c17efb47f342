// SPDX-License-Identifier: MIT
#include "common/projection.hpp"

#include <polycodec/quote.hpp>

#include <charconv>

namespace polycodec::cli {
namespace {

/// The paths of --columns, which end at commas outside of keys.
std::vector<std::string> paths_of(std::string_view columns) {
  std::vector<std::string> paths;
  bool in_key = false;
  for (std::size_t begin = 0, at = 0; at <= columns.size(); ++at) {
    if (at < columns.size()) {
      if (in_key && columns[at] == '\\') {
        ++at;
        continue;
      }
      if (columns[at] == '"') in_key = !in_key;
      if (columns[at] != ',' || in_key) continue;
    }
    paths.emplace_back(columns.substr(begin, at - begin));
    begin = at + 1;
  }
  return paths;
}

std::uint64_t row_number(std::string_view text, std::uint64_t otherwise) {
  if (text.empty()) return otherwise;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw Error(Status::option, "--rows: no number of a row (" + quote(text) +
                                    "): write FROM:TO, such as 0:100 or 1000:");
  return number;
}

}  // namespace

bool set_projection(CallOptions& call, std::string_view columns, std::string_view rows) {
  if (!columns.empty()) call.columns = paths_of(columns);
  if (rows.empty()) return !columns.empty();
  const std::size_t colon = rows.find(':');
  if (colon == std::string_view::npos)
    throw Error(Status::option,
                "--rows: no range (" + quote(rows) + "): write FROM:TO, such as 0:100 or 1000:");
  call.first_row = row_number(rows.substr(0, colon), 0);
  const std::uint64_t end = row_number(rows.substr(colon + 1), UINT64_MAX);
  if (end < call.first_row)
    throw Error(Status::option, "--rows: the range ends before it begins (" + quote(rows) +
                                    "): FROM is at most TO");
  if (end != UINT64_MAX) call.rows = end - call.first_row;
  return true;
}

}  // namespace polycodec::cli
