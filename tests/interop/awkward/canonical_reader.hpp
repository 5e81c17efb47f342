// SPDX-License-Identifier: MIT
// A second reader, for what our writer writes: it knows no more than the canonical forms, and
// insists on them. It shares no code with the plugin.
#pragma once

#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace polycodec::test {

/// Named blobs in the order in which they were written.
using Blobs = std::vector<std::pair<std::string, std::string>>;

/// Evaluates the schema called `schema` to what the Python library's tolist() gives, as plain JSON:
/// bytes are
/// {"$bytes": hex}, floats that are not finite {"$float": ..}, tuples lists. Throws
/// std::runtime_error that says which rule of the canonical form is broken.
class CanonicalReader {
 public:
  using Json = nlohmann::ordered_json;

  explicit CanonicalReader(const Blobs& blobs);
  Json read(const std::string& schema);
  /// Names of the functions that were called, such as "JaggedArray.fromcounts".
  const std::set<std::string>& called() const noexcept { return called_; }
  /// The outermost expression.
  const Json& schema() const noexcept { return schema_; }

 private:
  Json evaluate(const Json& expression, bool column);
  Json call(const Json& expression);
  Json frombuffer(const Json& args);
  std::string buffer(const Json& expression);
  std::vector<long long> integers(const Json& expression, const char* dtype);

  std::map<std::string, std::string> blobs_;
  std::set<std::string> read_, called_;
  std::map<unsigned, Json> values_;
  std::string prefix_;
  Json schema_;
};

}  // namespace polycodec::test
