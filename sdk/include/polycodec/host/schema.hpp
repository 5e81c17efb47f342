// SPDX-License-Identifier: MIT
// Schemas and units (docs/schemas.md). A program includes polycodec.hpp.
#pragma once

#include <polycodec/host/registry.hpp>

#include <cstdint>
#include <optional>
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

/// For which absent properties Schema::normalize() fills in a `default`.
enum class Defaults : std::int32_t {
  all = POLYCODEC_DEFAULTS_ALL,
  required = POLYCODEC_DEFAULTS_REQUIRED,  ///< those in `required`
  none = POLYCODEC_DEFAULTS_NONE,
};
/// Which numbers Schema::normalize() may change a little.
enum class Rounding : std::int32_t {
  floats = POLYCODEC_ROUNDING_FLOATS,  ///< what becomes a float
  all = POLYCODEC_ROUNDING_ALL,        ///< what becomes an integer, too
  none = POLYCODEC_ROUNDING_NONE,
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
  /// The one that describes a value. `flags`: POLYCODEC_SCHEMA_*.
  static Schema infer(const Value& value, std::uint32_t flags = 0) {
    auto how = border::empty<polycodec_schema_options>();
    how.flags = flags;
    return border::make<Schema>(polycodec_schema_infer, value.raw(), &how);
  }
  /// As JSON. `indent`: spaces for each level; 0: all on one line.
  std::string text(std::uint32_t indent = 0) const {
    auto how = border::empty<polycodec_schema_options>();
    how.indent = indent;
    return border::text_of(
        [&](polycodec_sink* out) { border::call(polycodec_schema_print, raw(), &how, out); });
  }
  /// The first 100 problems of a value; none if it fits. `warnings` (or null) gets what is
  /// worth telling but not a problem, such as deprecated properties.
  std::vector<Problem> validate(const Value& value,
                                std::vector<Problem>* warnings = nullptr) const {
    auto how = border::empty<polycodec_schema_options>();
    const Heard heard(how, warnings);
    std::uint64_t n = 0;
    const Sink out = Sink::contiguous();
    border::call(polycodec_schema_validate, raw(), value.raw(), &how, &n, out.raw());
    heard.take();
    return problems_of(out);
  }
  /// A value that fits: numbers cast, units converted, defaults filled in. It keeps the first one,
  /// which it views.
  Value normalize(const Value& value, Defaults defaults = Defaults::all,
                  Rounding rounding = Rounding::floats,
                  std::vector<Problem>* warnings = nullptr) const {
    auto how = border::empty<polycodec_schema_options>();
    how.defaults = static_cast<std::int32_t>(defaults);
    how.rounding = static_cast<std::int32_t>(rounding);
    const Heard heard(how, warnings);
    const Value made = border::make<Value>(polycodec_schema_normalize, raw(), value.raw(), &how);
    heard.take();
    return made;
  }

 private:
  static std::vector<Problem> problems_of(const Sink& json) {
    const Value found = Value::parse(json.bytes());
    std::vector<Problem> all;
    for (const View problem : found.view())
      all.push_back({std::string(problem["path"].as_string()),
                     std::string(problem["keyword"].as_string()),
                     std::string(problem["reason"].as_string())});
    return all;
  }
  /// The warnings of a call, where somebody asks for them.
  class Heard {
   public:
    Heard(polycodec_schema_options& how, std::vector<Problem>* warnings) : to_(warnings) {
      if (to_ != nullptr) how.warnings = sink_.emplace(Sink::contiguous()).raw();
    }
    void take() const {
      if (to_ != nullptr) *to_ = problems_of(*sink_);
    }

   private:
    std::vector<Problem>* to_;
    std::optional<Sink> sink_;
  };
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
