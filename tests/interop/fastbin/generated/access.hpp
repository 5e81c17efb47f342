// SPDX-License-Identifier: MIT
// Generated structs behind one type, so that one test goes over all schemas.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::test {

/// Keys in the order of the schema.
using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::byte>;

/// What was wrong with a buffer, in the words of the generated code.
struct Refusal {
  std::string code;
  std::string path;
  std::uint64_t offset;
  std::string text;
};

/// How the tests use one generated struct. `check` is `open` with options; the other functions are
/// given bytes that passed it.
struct Access {
  std::string schema;
  std::string name;
  std::optional<Refusal> (*check)(std::span<const std::byte>, bool known_enums, bool whole_buffer);
  std::optional<Refusal> (*verify)(std::span<const std::byte>, std::size_t* size);
  Json (*read)(std::span<const std::byte>);          ///< in the notation of the vectors
  Bytes (*rewrite)(std::span<const std::byte>);      ///< all members set, then size_of and write
  std::string (*print)(std::span<const std::byte>);  ///< operator<<
  std::size_t min_size;
  bool is_fixed;
  std::string_view schema_hash;
};

/// All structs of all schemas of the vectors.
const std::vector<Access>& generated_structs();

}  // namespace polycodec::test
