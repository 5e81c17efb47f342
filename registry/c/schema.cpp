// SPDX-License-Identifier: MIT
#include <base/json_writer.hpp>
#include <base/quote.hpp>
#include <polycodec/text.hpp>

#include "core/value/host_meter.hpp"
#include "registry/c/sink.hpp"

#include <vector>

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

int32_t polycodec_schema_infer(const polycodec_value* value, polycodec_schema** schema,
                               polycodec_error* error) {
  return c::enter(error, [&] {
    const Value& of = c::need(value, "value").value;
    c::place(schema, "schema");
    const ValueBudget walk(of);
    c::make(schema, schema::infer(of.view()));
  });
}

polycodec_schema* polycodec_schema_retain(polycodec_schema* schema) {
  return c::retain(schema);
}
void polycodec_schema_release(polycodec_schema* schema) {
  c::release(schema);
}

int32_t polycodec_schema_print(const polycodec_schema* schema, polycodec_sink* sink,
                               polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& of = c::need(schema, "schema").schema;
    c::put(c::sink_of(sink), of.to_json());
  });
}

int32_t polycodec_schema_validate(const polycodec_schema* schema, const polycodec_value* value,
                                  uint64_t* problems, polycodec_sink* sink,
                                  polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& rules = c::need(schema, "schema").schema;
    const Value& what = c::need(value, "value").value;
    c::place(problems, "problems");
    Sink* const to = sink == nullptr ? nullptr : &c::sink_of(sink);
    const ValueBudget walk(what);
    const auto found = schema::validate(rules, what.view());
    if (to != nullptr) {
      Json list = Json::list();
      for (const schema::Problem& problem : found)
        list.push_back(
            Json{{"path", problem.path}, {"keyword", problem.keyword}, {"reason", problem.reason}});
      c::put(*to, list.text(json_compact));
    }
    *problems = found.size();
  });
}

int32_t polycodec_schema_normalize(const polycodec_schema* schema, polycodec_value* value,
                                   polycodec_value** normalized, polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& rules = c::need(schema, "schema").schema;
    auto& what = c::need(value, "value");
    c::place(normalized, "normalized");
    const ValueBudget walk(what.value);
    auto made = std::make_unique<polycodec_value>(Value::build(
        [&](Builder& out) { return schema::normalize(rules, what.value.view(), out); }));
    made->value.keep(c::share(what));
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
