// SPDX-License-Identifier: MIT
#include <base/json_writer.hpp>
#include <polycodec/quote.hpp>

#include "core/text/text.hpp"
#include "core/value/host_meter.hpp"
#include "registry/c/sink.hpp"

#include <vector>

namespace polycodec::c {
namespace {

polycodec_schema_options schema_options(const polycodec_schema_options* given) {
  const auto options = read_struct(given, "polycodec_schema_options");
  flags(options.flags, POLYCODEC_SCHEMA_MINIMAL, "polycodec_schema_options.flags");
  return options;
}

std::string problems_json(const std::vector<schema::Problem>& problems) {
  Json list = Json::list();
  for (const schema::Problem& problem : problems)
    list.push_back(
        Json{{"path", problem.path}, {"keyword", problem.keyword}, {"reason", problem.reason}});
  return list.text(json_compact);
}

/// What polycodec_schema_options.warnings asks for.
class Warnings {
 public:
  explicit Warnings(const polycodec_schema_options& options)
      : to_(options.warnings == nullptr ? nullptr : &sink_of(options.warnings)) {}
  std::vector<schema::Problem>* list() noexcept { return to_ == nullptr ? nullptr : &found_; }
  void write() const {
    if (to_ != nullptr) put(*to_, problems_json(found_));
  }

 private:
  Sink* to_;
  std::vector<schema::Problem> found_;
};

schema::NormalizeOptions normalize_options(const polycodec_schema_options& given) {
  schema::NormalizeOptions options;
  switch (given.defaults) {
    case POLYCODEC_DEFAULTS_ALL:
      options.defaults = schema::Defaults::all;
      break;
    case POLYCODEC_DEFAULTS_REQUIRED:
      options.defaults = schema::Defaults::required;
      break;
    case POLYCODEC_DEFAULTS_NONE:
      options.defaults = schema::Defaults::none;
      break;
    default:
      throw_argument("polycodec_schema_options.defaults", "is not a POLYCODEC_DEFAULTS_*");
  }
  switch (given.rounding) {
    case POLYCODEC_ROUNDING_FLOATS:
      options.rounding = schema::Rounding::floats;
      break;
    case POLYCODEC_ROUNDING_ALL:
      options.rounding = schema::Rounding::all;
      break;
    case POLYCODEC_ROUNDING_NONE:
      options.rounding = schema::Rounding::none;
      break;
    default:
      throw_argument("polycodec_schema_options.rounding", "is not a POLYCODEC_ROUNDING_*");
  }
  return options;
}

}  // namespace
}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_schema_parse(const polycodec_registry* registry, polycodec_bytes json,
                               polycodec_schema** schema, polycodec_error* error) {
  return c::enter(error, [&] {
    const std::string_view text = c::text(json, "json");
    c::place(schema, "schema");
    schema::TypeNames names;
    Limits limits;
    if (registry != nullptr) {
      const Registry& in = c::need(registry, "registry").registry;
      names = in.type_names();
      limits = in.options().limits;
    }
    c::make(schema, schema::Schema::parse(text, limits, schema::Precision::bytes, names));
  });
}

int32_t polycodec_schema_infer(const polycodec_value* value,
                               const polycodec_schema_options* options, polycodec_schema** schema,
                               polycodec_error* error) {
  return c::enter(error, [&] {
    const Value& of = c::need(value, "value").value;
    schema::InferOptions how;
    how.minimal = (c::schema_options(options).flags & POLYCODEC_SCHEMA_MINIMAL) != 0;
    c::place(schema, "schema");
    const ValueBudget walk(of);
    c::make(schema, schema::infer(of.view(), how));
  });
}

polycodec_schema* polycodec_schema_retain(polycodec_schema* schema) {
  return c::retain(schema);
}
void polycodec_schema_release(polycodec_schema* schema) {
  c::release(schema);
}

int32_t polycodec_schema_print(const polycodec_schema* schema,
                               const polycodec_schema_options* options, polycodec_sink* sink,
                               polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& of = c::need(schema, "schema").schema;
    schema::PrintOptions how;
    how.indent = c::schema_options(options).indent;
    c::put(c::sink_of(sink), of.to_json(how));
  });
}

int32_t polycodec_schema_validate(const polycodec_schema* schema, const polycodec_value* value,
                                  const polycodec_schema_options* options, uint64_t* problems,
                                  polycodec_sink* sink, polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& rules = c::need(schema, "schema").schema;
    const Value& what = c::need(value, "value").value;
    c::Warnings warnings(c::schema_options(options));
    c::place(problems, "problems");
    Sink* const to = sink == nullptr ? nullptr : &c::sink_of(sink);
    schema::ValidateOptions how;
    how.warnings = warnings.list();
    const ValueBudget walk(what);
    const auto found = schema::validate(rules, what.view(), how);
    if (to != nullptr) c::put(*to, c::problems_json(found));
    warnings.write();
    *problems = found.size();
  });
}

int32_t polycodec_schema_normalize(const polycodec_schema* schema, polycodec_value* value,
                                   const polycodec_schema_options* options,
                                   polycodec_value** normalized, polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& rules = c::need(schema, "schema").schema;
    auto& what = c::need(value, "value");
    const auto given = c::schema_options(options);
    auto how = c::normalize_options(given);
    c::Warnings warnings(given);
    how.warnings = warnings.list();
    c::place(normalized, "normalized");
    const ValueBudget walk(what.value);
    auto made = std::make_unique<polycodec_value>(Value::build(
        [&](Builder& out) { return schema::normalize(rules, what.value.view(), out, how); }));
    made->value.keep(c::share(what));
    warnings.write();
    *normalized = made.release();
  });
}

int32_t polycodec_units_convert(polycodec_bytes from, polycodec_bytes to, double* numbers,
                                uint64_t n, polycodec_error* error) {
  return c::enter(error, [&] {
    const auto conversion =
        schema::UnitConversion::between(c::text(from, "from"), c::text(to, "to"));
    c::items(numbers, n, "numbers");
    conversion.apply({numbers, static_cast<std::size_t>(n)});
  });
}

int32_t polycodec_units_canonical(polycodec_bytes text, polycodec_sink* sink,
                                  polycodec_error* error) {
  return c::enter(error, [&] {
    const std::string_view unit = c::text(text, "text");
    Sink& out = c::sink_of(sink);
    const auto canonical = schema::canonical_units(unit);
    if (!canonical)
      throw Error(Status::unsupported, quote(unit) + " is not a known unit")
          .detail("units.unknown");
    c::put(out, *canonical);
  });
}
