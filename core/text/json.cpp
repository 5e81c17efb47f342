// SPDX-License-Identifier: MIT
#include <base/json_number.hpp>
#include <base/json_reader.hpp>

#include "core/text/text.hpp"

namespace polycodec {

Value parse_json(std::string_view text, const Limits& limits, DuplicateKeys duplicates) {
  if (text.size() > limits.max_input_bytes)
    throw Error(Status::limit, "the JSON text has " + std::to_string(text.size()) +
                                   " bytes, more than max_input_bytes (" +
                                   std::to_string(limits.max_input_bytes) + ")")
        .detail("json.limit");
  return Value::build(
      [&](Builder& builder) {
        return read_json(builder, text,
                         {.max_nodes = limits.max_nodes,
                          .max_depth = limits.max_depth,
                          .keys = duplicates == DuplicateKeys::refuse ? JsonReader::Keys::unique
                                                                      : JsonReader::Keys::any,
                          .number = text::number_node});
      },
      limits.memory_for(text.size()));
}

}  // namespace polycodec
