// SPDX-License-Identifier: MIT
#include "common/json.hpp"

namespace polycodec::cli {

std::string text_of(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json parse_json(std::string_view text) {
  constexpr int deepest = 200;
  const auto take = [](int depth, Json::parse_event_t, const Json&) {
    if (depth <= deepest) return true;
    throw Error(Status::malformed,
                "the JSON is nested deeper than " + std::to_string(deepest) + " levels");
  };
  try {
    return Json::parse(text.begin(), text.end(), take);
  } catch (const Json::parse_error& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: .."
    std::string_view reason(error.what());
    reason.remove_prefix(std::min(reason.find("] "), reason.size() - 2) + 2);
    throw Error(Status::malformed, "no JSON: " + std::string(reason))
        .offset(error.byte == 0 ? 0 : error.byte - 1);
  }
}

Json json_of(const Value& value) {
  return parse_json(value.text({.plain = true}));
}

std::string joined(const Json& list, const char* separator) {
  std::string text;
  for (const Json& item : list) text += (text.empty() ? "" : separator) + item.get<std::string>();
  return text;
}

}  // namespace polycodec::cli
