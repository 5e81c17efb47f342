// SPDX-License-Identifier: MIT
// JSON text read strictly, with errors that name the line: for manifests and configuration.
#pragma once

#include <polycodec/error.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

/// Members keep their order, which the options of some codecs depend on. Looking one up takes linear time.
using Json = nlohmann::ordered_json;

/// Where a value stands in a document: keys, and indices as decimal numbers.
using JsonPath = std::vector<std::string>;

/// A parsed text. A key that is given twice, nesting deeper than 64 and bytes that are not UTF-8 are errors.
class JsonDocument {
 public:
  /// Keeps a view of `text`. All errors have this status and begin with `origin:line: `.
  JsonDocument(std::string_view text, std::string origin, Status status);

  const Json& root() const noexcept { return root_; }
  /// Moves the document out, when all of it has been checked.
  Json take_root() noexcept { return std::move(root_); }
  /// Throws the error for the value at `path`.
  [[noreturn]] void fail(const JsonPath& path, const std::string& what) const;

 private:
  std::string_view text_;
  std::string origin_;
  Status status_;
  Json root_;
};

/// The object at a path of a document, read key by key with checks.
class JsonObject {
 public:
  /// Throws unless `value` is an object with no other keys than `keys`.
  JsonObject(const JsonDocument& document, const Json& value, JsonPath path, std::vector<std::string> keys);

  const Json* find(const char* key) const;
  const Json& need(const char* key) const;
  std::string text(const char* key) const;
  std::optional<std::string> find_text(const char* key) const;
  bool truth(const char* key) const;
  std::optional<bool> find_truth(const char* key) const;
  std::optional<std::uint64_t> find_count(const char* key) const;
  std::uint64_t count(const char* key) const;
  /// A list of texts; empty if the key is absent.
  std::vector<std::string> texts(const char* key) const;
  /// The list at `key`, or null if absent.
  const Json* find_list(const char* key) const;
  /// The object at `key`, whose keys are anything, or null if absent.
  const Json* find_map(const char* key) const;

  JsonPath at(std::string_view key) const;
  JsonPath at(std::string_view key, std::size_t index) const;
  /// Throws the error for the value at `key`, or for the object itself if `key` is empty.
  [[noreturn]] void fail(std::string_view key, const std::string& what) const;
  const JsonDocument& document() const noexcept { return document_; }

 private:
  [[noreturn]] void wrong_type(std::string_view key, const char* wanted, const Json& found) const;

  const JsonDocument& document_;
  const Json& value_;
  JsonPath path_;
};

/// The word for a JSON value in messages, such as "a list".
const char* json_kind(const Json& value) noexcept;

/// A path as people read it: `policy.allow_codecs[2]`.
std::string path_text(const JsonPath& path);

}  // namespace polycodec
