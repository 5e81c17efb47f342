// SPDX-License-Identifier: MIT
// Schemas and units (docs/schemas.md). A program includes polycodec.hpp.
#pragma once

#include <polycodec/host/registry.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {
inline namespace host {

/// What a value does not have that a schema asks for.
struct Problem {
  std::string path, keyword, reason;
};

/// What values must be like. Counted, for any thread.
class Schema
    : public border::Counted<polycodec_schema, polycodec_schema_retain, polycodec_schema_release> {
 public:
  using Counted::Counted;
  /// Of JSON; type words may name types of `registry` (or null).
  static Schema parse(std::string_view json, const Registry* registry = nullptr) {
    return border::make<Schema>(polycodec_schema_parse,
                                registry != nullptr ? registry->raw() : nullptr, to_bytes(json));
  }
  /// The one that describes a value.
  static Schema infer(const Value& value) {
    return border::make<Schema>(polycodec_schema_infer, value.raw());
  }
  /// As JSON.
  std::string text() const {
    return border::text_of(
        [&](polycodec_sink* out) { border::call(polycodec_schema_print, raw(), out); });
  }
  /// The first 100 problems of a value; none if it fits.
  std::vector<Problem> validate(const Value& value) const {
    std::uint64_t n = 0;
    const Value found = Value::parse(border::text_of([&](polycodec_sink* out) {
      border::call(polycodec_schema_validate, raw(), value.raw(), &n, out);
    }));
    std::vector<Problem> all;
    for (const View problem : found.view())
      all.push_back({std::string(problem["path"].as_string()),
                     std::string(problem["keyword"].as_string()),
                     std::string(problem["reason"].as_string())});
    return all;
  }
  /// A value that fits: numbers cast, units converted, defaults filled in. It keeps the first one,
  /// which it views.
  Value normalize(const Value& value) const {
    return border::make<Value>(polycodec_schema_normalize, raw(), value.raw());
  }
};

/// Converts numbers in place. Throws Status::type if the units measure different things.
inline void convert_units(std::string_view from, std::string_view to, std::span<double> numbers) {
  border::call(polycodec_units_convert, to_bytes(from), to_bytes(to), numbers.data(),
               std::uint64_t{numbers.size()});
}
/// The canonical text of a unit, such as `kg*m*(s**-2)`. Throws Status::unsupported for an unknown
/// one.
inline std::string canonical_unit(std::string_view text) {
  return border::text_of(
      [&](polycodec_sink* out) { border::call(polycodec_units_canonical, to_bytes(text), out); });
}

}  // namespace host
}  // namespace polycodec
