// SPDX-License-Identifier: MIT
// What a type is, as a value.
#include <base/dtype_names.hpp>
#include <base/json_writer.hpp>
#include <model/type/parse.hpp>
#include <model/type/print.hpp>
#include <model/type/text.hpp>

#include "core/text/text.hpp"
#include "registry/c/handle.hpp"

#include <array>
#include <string>
#include <string_view>
#include <variant>

namespace polycodec::c {
namespace {

using type::Kind;

/// The words for the kinds, in their order.
constexpr std::array<std::string_view, 30> kinds = {
    "scalar",       "string",   "char",     "bytes",     "fixed_bytes", "fixed_string",
    "void",         "type",     "fixed",    "var",       "any_fixed",   "any_dim",
    "dim_variable", "ellipsis", "power",    "record",    "tuple",       "option",
    "pointer",      "array",    "callable", "variable",  "constructed", "pattern",
    "null",         "any",      "datetime", "timedelta", "union",       "map"};
constexpr std::array<std::string_view, 3> more_kinds = {"annotated", "extension", "indexed"};

constexpr std::string_view word(Kind kind) noexcept {
  const auto at = static_cast<std::size_t>(kind);
  return at < kinds.size() ? kinds[at] : more_kinds[at - kinds.size()];
}

Json description(const type::Type& of) {
  Json made{{"kind", std::string(word(of.kind()))}};
  if (of.dtype() != POLYCODEC_DTYPE_NONE) made["dtype"] = std::string(dtype_name(of.dtype()));
  if (of.is(Kind::fixed_dim) || of.is(Kind::fixed_bytes) || of.is(Kind::fixed_string) ||
      (of.is(Kind::power_dim) && of.base() == Kind::fixed_dim))
    made["size"] = of.size();
  if (of.align() != 0) made["align"] = of.align();
  if (of.is(Kind::character) || of.is(Kind::fixed_string))
    made["encoding"] = std::string(type::encoding_name(of.encoding()));
  if (of.unit() != POLYCODEC_UNIT_NONE) made["unit"] = std::string(time_unit_name(of.unit()));
  if (!of.name().empty()) made["name"] = std::string(of.name());
  if (of.is(Kind::power_dim)) made["base"] = std::string(word(of.base()));
  if (!of.base_name().empty()) made["base_name"] = std::string(of.base_name());
  if (of.is(Kind::record) || of.is(Kind::callable)) {
    Json names = Json::list();
    for (const std::string& name : of.names()) names.push_back(name);
    made["names"] = std::move(names);
  }
  if (of.variadic()) made["variadic"] = true;
  if (of.keyword_variadic()) made["keyword_variadic"] = true;
  if (!of.items().empty()) {
    Json items = Json::list();
    for (const type::Type& item : of.items()) items.push_back(description(item));
    made["items"] = std::move(items);
  }
  if (!of.annotations().empty()) {
    Json annotations = Json::object();
    for (const type::Annotation& annotation : of.annotations())
      std::visit([&](const auto& value) { annotations[annotation.key] = value; }, annotation.value);
    made["annotations"] = std::move(annotations);
  }
  return made;
}

}  // namespace
}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_type_describe(const polycodec_registry* registry, polycodec_bytes notation,
                                uint32_t flags, polycodec_value** description,
                                polycodec_error* error) {
  return c::enter(error, [&] {
    const std::string_view text = c::text(notation, "notation");
    type::ParseOptions options;
    options.strict_dynd = c::flags(flags, POLYCODEC_TYPE_STRICT, "flags") != 0;
    c::place(description, "description");
    const type::Type of = registry == nullptr
                              ? type::parse(text, options)
                              : c::need(registry, "registry").registry.parse_type(text, options);
    Json made{{"type", type::print(of)}, {"concrete", of.is_concrete()}};
    const Json what = c::description(of);
    for (const auto& [key, value] : what.members()) made[key] = value;
    Limits limits;
    limits.max_depth = 2 * type::Type::max_depth + 2;
    c::make(description, parse_json(made.text(json_compact), limits));
  });
}
