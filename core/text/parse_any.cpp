// SPDX-License-Identifier: MIT
#include <base/json_number.hpp>
#include <model/type/build.hpp>

#include "core/text/attributes.hpp"
#include "core/text/parse.hpp"

#include <algorithm>

namespace polycodec::text {

using type::any_type;
using type::Type;

namespace {

constexpr std::string_view forms[] = {"$float", "$complex", "$bytes",    "$string",
                                      "$tuple", "$map",     "$datetime", "$timedelta",
                                      "$ext",   "$union",   "$value"};

/// True if the object here has no member but its form.
bool is_lone_form(Scanner& scanner) {
  const std::size_t start = scanner.at();
  scanner.expect('{');
  scanner.string();
  bool lone = scanner.accept(':');
  if (lone) {
    scanner.skip_value();
    lone = scanner.accept('}');
  }
  scanner.rewind(start);
  return lone;
}

}  // namespace

polycodec_node Parser::any() {
  scanner_.count_node();
  if (scanner_.accept_word("null")) return Builder::null();
  if (scanner_.accept_word("true")) return Builder::boolean(true);
  if (scanner_.accept_word("false")) return Builder::boolean(false);
  const char c = scanner_.peek();
  if (c == '"') return text_node();
  if (c == '[') {
    std::vector<polycodec_node> items;
    Scanner::Members members(scanner_, '[', ']');
    while (members.next()) items.push_back(any());
    return builder_.list(items);
  }
  if (c == '{') {
    const std::string_view name = scanner_.form();
    if (!plain_ && (name == "$id" || name == "$ref")) return *marked(name, any_type());
    const bool known = std::ranges::find(forms, name) != std::end(forms);
    if (known && (!plain_ || is_lone_form(scanner_))) return any_form(name);
    return any_object();
  }
  if (!scanner_.at_number()) scanner_.unexpected("a value");
  const std::size_t start = scanner_.at();
  try {
    return text::number_node(builder_, scanner_.number());
  } catch (const Error& e) {
    if (e.detail() != "json.number") throw;
    scanner_.fail(e.code(), "text.range", e.message(), start);
  }
}

polycodec_node Parser::any_object() {
  std::vector<polycodec_node> nodes;
  Scanner::Members members(scanner_, '{', '}');
  while (members.next()) {
    nodes.push_back(builder_.string_copy(scanner_.key(plain_)));
    members.named(NodeView(&nodes.back()).as_string());
    nodes.push_back(any());
  }
  if (!has_record_keys(nodes))
    scanner_.fail(Status::malformed, "text.duplicate_key",
                  "duplicate key in the object that ends here");
  polycodec_node* out;
  const polycodec_node n = builder_.object(nodes.size() / 2, &out);
  std::ranges::copy(nodes, out);
  return n;
}

polycodec_node Parser::any_form(std::string_view name) {
  if (name == "$float") return number_node(POLYCODEC_DTYPE_FLOAT64);
  if (name == "$complex") return number_node(POLYCODEC_DTYPE_COMPLEX128);
  if (name == "$bytes") return value(type::bytes());
  if (name == "$string") return text_node();
  if (name == "$datetime") {
    const polycodec_time time = scalars_.any_datetime();
    return builder_.timestamp(time.count, time.nanoseconds, time.unit);
  }
  if (name == "$timedelta") {
    const polycodec_time time = scalars_.timedelta(POLYCODEC_UNIT_COUNT);
    return builder_.duration(time.count, time.unit);
  }
  if (name == "$ext") return extension(any_type(), {});
  if (name == "$union") return variant(any_type());
  if (name == "$map") return map_entries(any_type(), any_type());
  if (name == "$tuple") {
    scanner_.open_form(name);
    std::vector<polycodec_node> items;
    Scanner::Members members(scanner_, '[', ']');
    while (members.next()) items.push_back(any());
    scanner_.close_form();
    return builder_.tuple(items);
  }
  scanner_.open_form("$value");
  // The nesting of values in values is bounded like that of lists.
  scanner_.open_part("$value");
  const bool plain = plain_;
  plain_ = false;
  const polycodec_node n = typed();
  plain_ = plain;
  scanner_.close_part();
  scanner_.close_form();
  return n;
}

}  // namespace polycodec::text
