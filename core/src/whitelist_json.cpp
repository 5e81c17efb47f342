// SPDX-License-Identifier: MIT
#include <polycodec/builder.hpp>
#include <polycodec/dispatch.hpp>
#include <polycodec/error.hpp>
#include <polycodec/value.hpp>

#include "json_text.hpp"

#include <nlohmann/json.hpp>

namespace polycodec {

namespace {

polycodec_node to_node(Builder& builder, const nlohmann::json& json) {
  if (json.is_string()) return builder.string_copy(json.get_ref<const std::string&>());
  if (!json.is_array()) return Builder::null();  // Whitelist::from() says what is wrong with it
  polycodec_node* nodes;
  const polycodec_node list = builder.list(json.size(), &nodes);
  for (const auto& item : json) *nodes++ = to_node(builder, item);
  return list;
}

}  // namespace

Whitelist Whitelist::parse(std::string_view json) {
  constexpr std::uint32_t max_depth = 8;  // two levels are legal
  check_json(json, max_depth, "the whitelist");
  const auto document = nlohmann::json::parse(json);
  const Value value = Value::build([&](Builder& builder) { return to_node(builder, document); });
  return from(value.view());
}

}  // namespace polycodec
