// SPDX-License-Identifier: MIT
// What the public functions of schemas and units call, with the program of a schema.
#pragma once

#include "core/schema/schema.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::schema {

/// How a conversion with an offset is done.
struct UnitConversion::Offset {
  std::shared_ptr<void> converter;
  void (*convert)(void* converter, double* numbers, std::size_t count) noexcept;
};

namespace library {

std::shared_ptr<const Program> compile(NodeView document, const Limits& limits, Precision precision,
                                       const TypeNames& names);
NodeView document(const Program& program) noexcept;
std::string to_json(const Program& program, const PrintOptions& options);
std::optional<SchemaDifference> first_difference(const Program& a, const Program& b);
std::shared_ptr<const Program> infer(NodeView value, const InferOptions& options,
                                     const Limits& limits);
std::vector<Problem> validate(const Program& program, NodeView value,
                              const ValidateOptions& options, const Limits& limits);
polycodec_node normalize(const Program& program, NodeView value, Builder& out,
                         const NormalizeOptions& options, const Limits& limits);
std::optional<std::string> canonical_units(std::string_view text);
bool same_units(std::string_view a, std::string_view b);
UnitConversion convert_units(std::string_view from, std::string_view to);

}  // namespace library
}  // namespace polycodec::schema
