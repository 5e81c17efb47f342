// SPDX-License-Identifier: MIT
#include "config_limits.hpp"

#include <polycodec/config.hpp>

#include <array>

namespace polycodec {
namespace {

struct Field {
  const char* name;
  std::uint64_t Limits::*member;
};

constexpr std::array<Field, 7> fields = {{{"max_input_bytes", &Limits::max_input_bytes},
                                          {"max_output_bytes", &Limits::max_output_bytes},
                                          {"max_memory_bytes", &Limits::max_memory_bytes},
                                          {"max_nodes", &Limits::max_nodes},
                                          {"max_elements", &Limits::max_elements},
                                          {"max_ratio", &Limits::max_ratio},
                                          {"max_header_bytes", &Limits::max_header_bytes}}};

}  // namespace

Limits read_limits(const JsonDocument& document, const Json& value, const JsonPath& path, Limits base) {
  std::vector<std::string> keys = {"max_depth"};
  for (const auto& field : fields) keys.emplace_back(field.name);
  const JsonObject object(document, value, path, keys);
  // Codecs may recurse as deep as the limit says, and a thread's stack is a few megabytes.
  constexpr std::uint64_t most_depth = 10000;
  if (const auto depth = object.find_count("max_depth")) {
    if (*depth > most_depth) object.fail("max_depth", "'max_depth' must be at most " + std::to_string(most_depth));
    base.max_depth = static_cast<std::uint32_t>(*depth);
  }
  for (const auto& field : fields)
    if (const auto count = object.find_count(field.name)) base.*field.member = *count;
  return base;
}

Limits parse_limits(std::string_view text, const Limits& base) {
  const JsonDocument document(text, "limits", Status::option);
  return read_limits(document, document.root(), {}, base);
}

}  // namespace polycodec
