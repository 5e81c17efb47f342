// SPDX-License-Identifier: MIT
#include "registry/config/config_limits.hpp"

#include "registry/config/config.hpp"
#include "registry/document/json_document.hpp"
#include "registry/document/json_schema.hpp"

#include <array>

namespace polycodec {
namespace {

struct Field {
  const char* name;
  std::uint64_t Limits::*member;
};

constexpr std::array<Field, 9> limit_fields = {{{"max_input_bytes", &Limits::max_input_bytes},
                                                {"max_output_bytes", &Limits::max_output_bytes},
                                                {"max_memory_bytes", &Limits::max_memory_bytes},
                                                {"max_resident_bytes", &Limits::max_resident_bytes},
                                                {"max_nodes", &Limits::max_nodes},
                                                {"max_elements", &Limits::max_elements},
                                                {"max_work", &Limits::max_work},
                                                {"max_stack_bytes", &Limits::max_stack_bytes},
                                                {"max_header_bytes", &Limits::max_header_bytes}}};

}  // namespace

Limits read_limits(NodeView object, Limits base) {
  if (const auto depth = object.find("max_depth"))
    base.max_depth = static_cast<std::uint32_t>(depth->as_uint64());
  for (const auto& field : limit_fields)
    if (const auto count = object.find(field.name)) base.*field.member = count->as_uint64();
  return base;
}

}  // namespace polycodec
