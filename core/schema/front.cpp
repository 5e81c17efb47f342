// SPDX-License-Identifier: MIT
// The public functions of schemas and units.
#include <polycodec/error.hpp>

#include "core/text/text.hpp"
#include "library.hpp"

namespace polycodec::schema {

const Program& Schema::program() const {
  if (!program_) {
    static const Schema everything = parse("{}");
    return everything.program();
  }
  return *program_;
}

Schema Schema::parse(std::string_view json, const Limits& limits, Precision precision,
                     const TypeNames& names) {
  return from_view(parse_json(json, limits, DuplicateKeys::refuse).view(), limits, precision,
                   names);
}

Schema Schema::from_view(NodeView document, const Limits& limits, Precision precision,
                         const TypeNames& names) {
  return Schema(library::compile(document, limits, precision, names));
}

std::string Schema::to_json(const PrintOptions& options) const {
  return library::to_json(program(), options);
}

std::optional<SchemaDifference> first_difference(const Schema& a, const Schema& b) {
  return library::first_difference(a.program(), b.program());
}

Schema infer(NodeView value, const InferOptions& options, const Limits& limits) {
  return Schema(library::infer(value, options, limits));
}

std::vector<Problem> validate(const Schema& schema, NodeView value, const ValidateOptions& options,
                              const Limits& limits) {
  return library::validate(schema.program(), value, options, limits);
}

std::optional<Problem> first_problem(const Schema& schema, NodeView value, const Limits& limits) {
  ValidateOptions options;
  options.max_problems = 1;
  auto problems = validate(schema, value, options, limits);
  if (problems.empty()) return std::nullopt;
  return std::move(problems.front());
}

polycodec_node normalize(const Schema& schema, NodeView value, Builder& out,
                         const NormalizeOptions& options, const Limits& limits) {
  return library::normalize(schema.program(), value, out, options, limits);
}

Value normalize(const Schema& schema, Value&& value, const NormalizeOptions& options,
                const Limits& limits) {
  const auto source = std::make_shared<Value>(std::move(value));
  try {
    Value made = Value::build(
        [&](Builder& out) { return normalize(schema, source->view(), out, options, limits); },
        limits.memory_for(UINT64_MAX));
    made.keep(source);
    return made;
  } catch (...) {
    value = std::move(*source);
    throw;
  }
}

std::optional<std::string> canonical_units(std::string_view text) {
  return library::canonical_units(text);
}

bool same_units(std::string_view a, std::string_view b) {
  return a == b || library::same_units(a, b);
}

UnitConversion UnitConversion::between(std::string_view from, std::string_view to) {
  return library::convert_units(from, to);
}

double UnitConversion::apply(double x) const noexcept {
  if (!offset_) return x * multiplier_ / divisor_;
  offset_->convert(offset_->converter.get(), &x, 1);
  return x;
}

void UnitConversion::apply(std::span<double> numbers) const noexcept {
  if (offset_) return offset_->convert(offset_->converter.get(), numbers.data(), numbers.size());
  if (divisor_ == 1)
    for (double& x : numbers) x *= multiplier_;
  else
    for (double& x : numbers) x /= divisor_;
}

}  // namespace polycodec::schema
