// SPDX-License-Identifier: MIT
#include <base/depth.hpp>
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

}  // namespace

polycodec_node Parser::any() {
  count_node();
  if (cursor_.accept_word("null")) return Builder::null();
  if (cursor_.accept_word("true")) return Builder::boolean(true);
  if (cursor_.accept_word("false")) return Builder::boolean(false);
  const char c = cursor_.peek();
  if (c == '"') return text_node();
  if (c == '[') {
    std::vector<polycodec_node> items;
    Members members(*this, '[', ']');
    while (members.next()) items.push_back(any());
    return builder_.list(items);
  }
  if (c == '{') {
    const std::string_view name = cursor_.form();
    if (!plain_ && (name == "$id" || name == "$ref")) return *marked(name, any_type());
    const bool known = std::ranges::find(forms, name) != std::end(forms);
    if (known && (!plain_ || is_lone_form())) return any_form(name);
    return any_object();
  }
  if (!cursor_.at_number()) cursor_.unexpected("a value");
  const std::size_t start = cursor_.at();
  try {
    return text::number_node(builder_, cursor_.number());
  } catch (const Error& e) {
    if (e.detail() != "json.number") throw;
    cursor_.fail(e.code(), "text.range", e.message(), start);
  }
}

bool Parser::is_lone_form() {
  const std::size_t start = cursor_.at();
  cursor_.expect('{');
  cursor_.string();
  bool lone = cursor_.accept(':');
  if (lone) {
    cursor_.skip_value();
    lone = cursor_.accept('}');
  }
  cursor_.rewind(start);
  return lone;
}

polycodec_node Parser::any_object() {
  std::vector<polycodec_node> nodes;
  Members members(*this, '{', '}');
  while (members.next()) {
    nodes.push_back(builder_.string_copy(key()));
    members.named(NodeView(&nodes.back()).as_string());
    nodes.push_back(any());
  }
  if (!has_record_keys(nodes))
    fail(Status::malformed, "text.duplicate_key", "duplicate key in the object that ends here");
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
  if (name == "$datetime") return any_datetime();
  if (name == "$timedelta") {
    const std::int64_t count = timedelta(POLYCODEC_UNIT_COUNT);
    return builder_.duration(count, any_unit_);
  }
  if (name == "$ext") return extension(any_type(), {});
  if (name == "$union") return variant(any_type());
  if (name == "$map") return map_entries(any_type(), any_type());
  if (name == "$tuple") {
    open_form(name);
    std::vector<polycodec_node> items;
    Members members(*this, '[', ']');
    while (members.next()) items.push_back(any());
    close_form();
    return builder_.tuple(items);
  }
  open_form("$value");
  // The nesting of values in values is bounded like that of lists.
  parts_.push_back({"$value", 0, true});
  if (parts_.size() > limits_.max_depth)
    fail(Status::limit, "text.limit",
         "the text nests deeper than the limit of " + std::to_string(limits_.max_depth));
  check_stack(parts_.size());
  const bool plain = plain_;
  plain_ = false;
  const polycodec_node n = typed();
  plain_ = plain;
  parts_.pop_back();
  close_form();
  return n;
}

}  // namespace polycodec::text
