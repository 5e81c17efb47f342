// SPDX-License-Identifier: MIT
// Any bytes as a schema and a value: the text up to a line that is empty is the schema, the rest
// the value, as JSON or text notation. What is read prints and reads back as the same; what is
// normalized fits; nothing takes long.

#include "core/schema/schema.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

using namespace polycodec;

namespace {

void require(bool right, const char* what, std::string_view about) {
  if (right) return;
  std::fprintf(stderr, "%s: %.*s\n", what, static_cast<int>(about.size()), about.data());
  std::abort();
}

void try_units(std::string_view text) {
  const auto canonical = schema::canonical_units(text);
  if (!canonical) return;
  require(schema::canonical_units(*canonical) == canonical, "not canonical", *canonical);
  try {
    (void)schema::UnitConversion::between(text, "m").apply(1);
  } catch (const Error&) {
    // Most units are no lengths.
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Limits limits;
  limits.max_memory_bytes = std::uint64_t{64} << 20;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t gap = bytes.find("\n\n");
  const std::string_view schema_text = bytes.substr(0, gap);
  const std::string_view value_text =
      gap == bytes.npos ? std::string_view("null") : bytes.substr(gap + 2);
  try_units(schema_text);
  try {
    const schema::Schema schema = schema::Schema::parse(schema_text, limits);
    const std::string printed = schema.to_json();
    const schema::Schema again = schema::Schema::parse(printed, limits);
    require(again.to_json() == printed, "printed otherwise", printed);
    require(!schema::first_difference(schema, again), "differs from itself", printed);

    Value value = parse_text(value_text, limits);
    Limits few = limits;
    few.max_work = 1 << 20;
    (void)schema::validate(schema, value.view(), {}, few);
    const schema::Schema inferred = schema::infer(value.view(), {}, limits);
    require(!schema::first_problem(inferred, value.view(), limits), "does not fit its own schema",
            inferred.to_json());
    const Value made = schema::normalize(schema, std::move(value), {}, few);
    validate(made.view(), limits, Validation::full);
  } catch (const Error&) {
    // Refused is as good as read.
  }
  return 0;
}
