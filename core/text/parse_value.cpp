// SPDX-License-Identifier: MIT
#include <base/depth.hpp>
#include <base/utf8.hpp>
#include <model/type/build.hpp>
#include <model/type/parse.hpp>
#include <model/type/print.hpp>

#include "core/text/attributes.hpp"
#include "core/text/element.hpp"
#include "core/text/parse.hpp"

#include <algorithm>

namespace polycodec::text {

using type::Kind;
using type::Type;

polycodec_node Parser::value(const Type& t) {
  count_node();
  check_stack(parts_.size() + t.depth());
  if (cursor_.peek() == '{')
    if (const std::string_view name = cursor_.form(); !name.empty())
      if (const auto n = marked(name, t)) return *n;
  switch (t.kind()) {
    case Kind::any:
    case Kind::array:
      return any();
    case Kind::null:
    case Kind::void_type:
      if (!accept_null()) fail(Status::type, "text.type", "expected null");
      return Builder::null();
    case Kind::scalar:
      return number_node(t.dtype());
    case Kind::string:
      return text_node();
    case Kind::character: {
      const polycodec_node n = text_node();
      if (count_code_points(NodeView(&n).as_string()) != 1)
        fail(Status::type, "text.type", "expected a single character");
      return n;
    }
    case Kind::type_type: {
      const polycodec_node n = text_node();
      type::parse(NodeView(&n).as_string());
      return n;
    }
    case Kind::bytes: {
      return builder_.bytes_copy(bytes());
    }
    case Kind::fixed_bytes:
    case Kind::fixed_string:
      return element_node(t);
    case Kind::fixed_dim:
    case Kind::var_dim:
      return dims(t);
    case Kind::record:
      return record(t);
    case Kind::tuple:
      return tuple(t);
    case Kind::option:
      return accept_null() ? Builder::null() : value(t.element());
    case Kind::pointer:
    case Kind::indexed:
      return value(t.element());
    case Kind::datetime: {
      const polycodec_time time = datetime(t.unit());
      return builder_.timestamp(time.count, time.nanoseconds, time.unit);
    }
    case Kind::timedelta:
      return builder_.duration(timedelta(t.unit()), t.unit());
    case Kind::union_type:
      return variant(t);
    case Kind::map:
      return map(t);
    case Kind::extension:
      return extension(t.element(), t.name());
    case Kind::annotated:
      return annotated(t);
    default:
      fail(Status::type, "type.not_concrete", "no value has the type " + type::print(t));
  }
}

polycodec_node Parser::annotated(const Type& t) {
  const polycodec_node n = value(t.element());
  return builder_.annotated(n, attributes(t.annotations()));
}

polycodec_node Parser::attributes(std::span<const type::Annotation> annotations) {
  try {
    return attributes_of(builder_, annotations, limits_);
  } catch (const Error& e) {
    fail(e.code(), e.detail(), "in an annotation of the type: " + e.message());
  }
}

polycodec_node Parser::record(const Type& t) {
  std::vector<polycodec_node> nodes(t.items().size() * 2, Builder::null());
  std::vector<bool> seen(t.items().size());
  FieldFinder finder(t.names());
  if (cursor_.peek() != '{') {
    if (cursor_.at_end()) cursor_.unexpected("an object");
    fail(Status::type, "text.type",
         "expected an object with the members of " + type::print(t).substr(0, 200));
  }
  Members members(*this, '{', '}');
  while (members.next()) {
    const std::size_t i = field(finder, t);
    members.named(t.names()[i]);
    if (seen[i]) fail(Status::malformed, "text.duplicate_key", "duplicate member");
    seen[i] = true;
    nodes[2 * i] = builder_.string_copy(t.names()[i]);
    nodes[2 * i + 1] = value(t.items()[i]);
  }
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (!seen[i]) missing_field(t, i);
  polycodec_node* out;
  const polycodec_node n = builder_.object(seen.size(), &out);
  std::ranges::copy(nodes, out);
  return n;
}

std::size_t Parser::field(FieldFinder& finder, const Type& t) {
  const std::size_t start = cursor_.at();
  const std::string_view name = key();
  const std::size_t i = finder.find(name);
  if (i == t.names().size())
    cursor_.fail(Status::type, "text.type",
                 "the type has no member \"" + std::string(name.substr(0, 80)) + "\"", start);
  return i;
}

void Parser::missing_field(const Type& t, std::size_t i) {
  fail(Status::type, "text.type", "the member \"" + t.names()[i].substr(0, 80) + "\" is missing");
}

std::vector<polycodec_node> Parser::tuple_items(const Type& t) {
  std::vector<polycodec_node> items;
  Members members(*this, '[', ']');
  while (members.next()) {
    if (members.count() > t.items().size()) wrong_count(t.items().size(), members.count());
    items.push_back(value(t.items()[items.size()]));
  }
  if (items.size() != t.items().size()) wrong_count(t.items().size(), items.size());
  return items;
}

polycodec_node Parser::tuple(const Type& t) {
  if (cursor_.peek() == '[') return builder_.list(tuple_items(t));
  expect_form("$tuple", "a tuple or a list");
  const auto items = tuple_items(t);
  close_form();
  return builder_.tuple(items);
}

polycodec_node Parser::map_entries(const Type& key_type, const Type& item_type) {
  expect_form("$map", "a map");
  return pairs(POLYCODEC_KIND_MAP, key_type, item_type);
}

polycodec_node Parser::pairs(polycodec_kind kind, const Type& key_type, const Type& item_type) {
  std::vector<polycodec_node> nodes;
  Members entries(*this, '[', ']');
  while (entries.next()) {
    Members entry(*this, '[', ']');
    while (entry.next()) {
      if (entry.count() > 2) wrong_count(2, entry.count());
      nodes.push_back(value(entry.count() == 1 ? key_type : item_type));
    }
    if (entry.count() != 2) wrong_count(2, entry.count());
  }
  close_form();
  polycodec_node* out;
  const polycodec_node n = kind == POLYCODEC_KIND_MAP ? builder_.map(nodes.size() / 2, &out)
                                                      : builder_.object(nodes.size() / 2, &out);
  std::ranges::copy(nodes, out);
  return n;
}

polycodec_node Parser::map(const Type& t) {
  const Type& key_type = t.items()[0];
  const Type& item_type = t.items()[1];
  if (cursor_.peek() != '{' || cursor_.form() == "$map") return map_entries(key_type, item_type);
  // An object: a map whose keys are strings.
  const Type& text_key = key_type.is(Kind::option) ? key_type.element() : key_type;
  std::vector<polycodec_node> nodes;
  Members members(*this, '{', '}');
  while (members.next()) {
    if (!text_key.is(Kind::string) && !text_key.is(Kind::any))
      fail(Status::type, "text.type",
           "expected keys of type " + type::print(key_type).substr(0, 200) +
               R"(, in a {"$map": ...})");
    nodes.push_back(builder_.string_copy(key()));
    members.named(NodeView(&nodes.back()).as_string());
    nodes.push_back(value(item_type));
  }
  if (!has_record_keys(nodes))
    fail(Status::malformed, "text.duplicate_key", "duplicate key in the object that ends here");
  polycodec_node* out;
  const polycodec_node n = builder_.map(nodes.size() / 2, &out);
  std::ranges::copy(nodes, out);
  return n;
}

polycodec_node Parser::extension(const Type& payload, std::string_view name) {
  expect_form("$ext", "an extension");
  Members parts(*this, '[', ']');
  if (!parts.next()) wrong_count(2, 0);
  bool raw = false;
  const std::string found(text(raw));
  if (found.empty())
    fail(Status::malformed, "text.form",
         R"(the name of an extension is empty (""): it names the format; give one)");
  if (name.data() != nullptr && found != name)
    fail(Status::type, "text.type",
         "expected the extension \"" + std::string(name.substr(0, 80)) + "\"");
  if (!parts.next()) wrong_count(2, 1);
  const polycodec_node n = value(payload);
  if (parts.next()) wrong_count(2, 3);
  close_form();
  return builder_.extension(found, n);
}

std::int64_t Parser::union_tag(const Type& t) {
  unsigned char bytes[8];
  number(POLYCODEC_DTYPE_INT64, bytes);
  std::int64_t tag = 0;
  std::memcpy(&tag, bytes, sizeof tag);
  if (t.is(Kind::union_type) && (tag < 0 || static_cast<std::uint64_t>(tag) >= t.items().size()))
    fail(Status::range, "text.range", "the union has no alternative " + std::to_string(tag));
  return tag;
}

polycodec_node Parser::variant(const Type& t) {
  expect_form("$union", "a member of a union");
  Members parts(*this, '[', ']');
  if (!parts.next()) wrong_count(2, 0);
  const std::int64_t tag = union_tag(t);
  if (!parts.next()) wrong_count(2, 1);
  const polycodec_node n =
      value(t.is(Kind::union_type) ? t.items()[static_cast<std::size_t>(tag)] : t);
  if (parts.next()) wrong_count(2, 3);
  close_form();
  return builder_.tagged(tag, n);
}

}  // namespace polycodec::text
