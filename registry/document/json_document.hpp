// SPDX-License-Identifier: MIT
// JSON text read strictly, with errors that name the line: for manifests and configuration.
#pragma once

#include <base/seeded_hash.hpp>
#include <polycodec/error.hpp>
#include <polycodec/node_view.hpp>

#include "core/value/value.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

/// The place of a value in a document: keys, and indices as decimal numbers.
using JsonPath = std::vector<std::string>;

JsonPath operator/(JsonPath path, std::string_view key);
JsonPath operator/(JsonPath path, std::size_t index);

/// A path in quotes as messages show it: `'policy.allow_codecs[2]'`.
std::string path_text(const JsonPath& path);

/// A parsed text. A key that is given twice, nesting deeper than 64 and bytes that are not UTF-8
/// are errors.
class JsonDocument {
 public:
  /// Keeps a view of `text`. All errors have this status and begin with `origin:line: `.
  JsonDocument(std::string_view text, std::string origin, Status status);
  /// A document that was parsed before: it has neither text nor lines.
  JsonDocument(Value value, std::string origin, Status status)
      : origin_(std::move(origin)), status_(status), value_(std::move(value)) {}

  NodeView root() const noexcept { return value_.view(); }
  /// Moves the document out, when all of it has been checked.
  Value take_value() noexcept { return std::move(value_); }
  /// Throws the first problem that the schema finds.
  void check(NodeView schema) const;
  /// Throws the error for the value at `path`.
  [[noreturn]] void fail(const JsonPath& path, const std::string& what) const;

 private:
  /// `origin:line: what` for the value at `path`.
  std::string line(const JsonPath& path, const std::string& what) const;

  std::string_view text_;
  std::string origin_;
  Status status_;
  Value value_;
};

/// The line, counted from 1, on which the value at `path` (keys, and indices as decimal numbers)
/// is in the JSON text `text`; where there is no such value, that of the innermost one around
/// it. For messages about a configuration.
std::size_t line_in_json(std::string_view text, std::vector<std::string> path);

/// The same for many paths of one text, which is gone through once if they come in its order.
class JsonLines {
 public:
  /// `text` outlives this.
  explicit JsonLines(std::string_view text);
  std::size_t line(const std::vector<std::string>& path);

 private:
  /// A list or object that was looked into: the way to it, and what is in it.
  struct Level {
    std::string part;
    std::string_view text;
    SeededMap<std::string, std::string_view> items = {};
    bool is_known = false;
  };
  std::string_view text_;
  std::vector<std::size_t> newlines_;
  std::vector<Level> levels_;  // the way to the last one
};

// Members of an object that a schema has checked; absent ones have a default.
std::string text_at(NodeView object, std::string_view key);
std::vector<std::string> texts_at(NodeView object, std::string_view key);
bool bool_at(NodeView object, std::string_view key, bool fallback);
/// An empty object or list where the member is absent.
NodeView object_at(NodeView object, std::string_view key);
NodeView list_at(NodeView object, std::string_view key);

}  // namespace polycodec
