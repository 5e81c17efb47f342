// SPDX-License-Identifier: MIT
#include "registry/document/json_document.hpp"

#include <base/json_cursor.hpp>
#include <base/seeded_hash.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>

#include "core/text/json_text.hpp"
#include "core/text/text.hpp"
#include "registry/document/json_schema.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace polycodec {
namespace {

constexpr std::uint32_t max_json_depth = 64;

std::optional<std::size_t> index_of(std::string_view part) {
  std::size_t index = 0;
  const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), index);
  if (part.empty() || code != std::errc() || end != part.data() + part.size()) return std::nullopt;
  return index;
}

/// The members or items of `text`, which is JSON.
SeededMap<std::string, std::string_view> items_of(std::string_view text) {
  SeededMap<std::string, std::string_view> all;
  if (text.starts_with('{')) {
    for (const auto& member : json_members(text, {})) all.emplace(member.name, member.value);
  } else if (text.starts_with('[')) {
    for (const std::string_view item : json_items(text))
      all.emplace(std::to_string(all.size()), item);
  }
  return all;
}

std::uint64_t line_at(std::string_view text, std::uint64_t offset) {
  return line_column(text, offset).line;
}

}  // namespace

JsonPath operator/(JsonPath path, std::string_view key) {
  path.emplace_back(key);
  return path;
}

JsonPath operator/(JsonPath path, std::size_t index) {
  path.push_back(std::to_string(index));
  return path;
}

std::string path_text(const JsonPath& path) {
  std::string text;
  for (const std::string& part : path) {
    if (const auto index = index_of(part))
      append_index(text, *index);
    else
      append_key(text, part);
  }
  return "'" + text.substr(text.starts_with('.') ? 1 : 0) + "'";
}

JsonDocument::JsonDocument(std::string_view text, std::string origin, Status status)
    : text_(text), origin_(std::move(origin)), status_(status) {
  Limits limits;
  limits.max_depth = max_json_depth;
  try {
    value_ = parse_json(text_, limits, DuplicateKeys::refuse);
  } catch (const Error& e) {
    if (e.code() == Status::memory) throw;  // nothing is wrong with the text
    // The message ends with line and column, which are in front here.
    const std::string reason = e.message().substr(0, e.message().rfind(" (line "));
    const bool syntax = e.detail() == "json.syntax";
    throw Error(status_,
                origin_ + ":" + std::to_string(line_at(text_, e.offset())) + ": " +
                    (syntax ? "not JSON: " : "") + reason,
                e.offset());
  }
}

void JsonDocument::check(NodeView schema) const {
  if (const auto problems = schema_problems(schema, root(), 1); !problems.empty())
    fail(problems[0].path, problems[0].describe());
}

std::string JsonDocument::line(const JsonPath& path, const std::string& what) const {
  return origin_ + ":" + std::to_string(line_in_json(text_, path)) + ": " + what;
}

void JsonDocument::fail(const JsonPath& path, const std::string& what) const {
  throw Error(status_, line(path, what));
}

std::size_t line_in_json(std::string_view text, std::vector<std::string> path) {
  return JsonLines(text).line(path);
}

JsonLines::JsonLines(std::string_view text) : text_(text) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string_view::npos; ++at)
    newlines_.push_back(at);
  levels_.push_back({{}, text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()))});
}

std::size_t JsonLines::line(const std::vector<std::string>& path) {
  std::size_t depth = 0;  // of levels_ that lead to the path
  while (depth < path.size() && depth + 1 < levels_.size() &&
         levels_[depth + 1].part == path[depth])
    ++depth;
  levels_.erase(levels_.begin() + static_cast<std::ptrdiff_t>(depth + 1), levels_.end());
  for (; depth < path.size(); ++depth) {
    Level& level = levels_.back();
    if (!std::exchange(level.is_known, true)) level.items = items_of(level.text);
    const auto next = level.items.find(path[depth]);
    if (next == level.items.end()) break;
    levels_.push_back({path[depth], next->second});
  }
  const auto offset = static_cast<std::size_t>(levels_.back().text.data() - text_.data());
  const auto before = std::ranges::lower_bound(newlines_, offset);
  return static_cast<std::size_t>(before - newlines_.begin()) + 1;
}

std::string text_at(NodeView object, std::string_view key) {
  const auto found = object.find(key);
  return found ? std::string(found->as_string()) : std::string();
}

std::vector<std::string> texts_at(NodeView object, std::string_view key) {
  std::vector<std::string> all;
  const NodeView list = list_at(object, key);
  for (std::uint64_t i = 0; i < list.size(); ++i) all.emplace_back(list[i].as_string());
  return all;
}

bool bool_at(NodeView object, std::string_view key, bool fallback) {
  const auto found = object.find(key);
  return found ? found->as_bool() : fallback;
}

NodeView object_at(NodeView object, std::string_view key) {
  static const polycodec_node none = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, 0);
  return object.find(key).value_or(NodeView(&none));
}

NodeView list_at(NodeView object, std::string_view key) {
  static const polycodec_node none = polycodec_node_make(POLYCODEC_KIND_LIST, 0, 0);
  return object.find(key).value_or(NodeView(&none));
}

}  // namespace polycodec
