// SPDX-License-Identifier: MIT
#include <base/depth.hpp>
#include <base/nodes.hpp>
#include <model/type/build.hpp>
#include <model/type/parse.hpp>
#include <model/type/print.hpp>
#include <polycodec/utf.hpp>

#include "core/text/attributes.hpp"
#include "core/text/element.hpp"
#include "core/text/parse.hpp"

#include <algorithm>

namespace polycodec::text {

using type::Kind;
using type::Type;

polycodec_node Parser::value(const Type& t) {
  scanner_.count_node();
  check_stack(scanner_.depth() + t.depth());
  if (scanner_.peek() == '{')
    if (const std::string_view name = scanner_.form(); !name.empty())
      if (const auto n = marked(name, t)) return *n;
  switch (t.kind()) {
    case Kind::any:
    case Kind::array:
      return any();
    case Kind::null:
    case Kind::void_type:
      if (!scanner_.accept_null()) scanner_.fail(Status::type, "text.type", "expected null");
      return Builder::null();
    case Kind::scalar:
      return number_node(t.dtype());
    case Kind::string:
      return text_node();
    case Kind::character: {
      const polycodec_node n = text_node();
      if (count_code_points(NodeView(&n).as_string()) != 1)
        scanner_.fail(Status::type, "text.type", "expected a single character");
      return n;
    }
    case Kind::type_type: {
      const polycodec_node n = text_node();
      type::parse(NodeView(&n).as_string());
      return n;
    }
    case Kind::bytes: {
      return builder_.bytes_copy(scalars_.bytes());
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
      return scanner_.accept_null() ? Builder::null() : value(t.element());
    case Kind::pointer:
    case Kind::indexed:
      return value(t.element());
    case Kind::datetime: {
      const polycodec_time time = scalars_.datetime(t.unit());
      return builder_.timestamp(time.count, time.nanoseconds, time.unit);
    }
    case Kind::timedelta:
      return builder_.duration(scalars_.timedelta(t.unit()).count, t.unit());
    case Kind::union_type:
      return variant(t);
    case Kind::map:
      return map(t);
    case Kind::extension:
      return extension(t.element(), t.name());
    case Kind::annotated:
      return annotated(t);
    default:
      scanner_.fail(Status::type, "type.not_concrete", "no value has the type " + type::print(t));
  }
}

polycodec_node Parser::annotated(const Type& t) {
  const polycodec_node n = value(t.element());
  return builder_.annotated(n, attributes(t.annotations()));
}

polycodec_node Parser::attributes(std::span<const type::Annotation> annotations) {
  try {
    return attributes_of(builder_, annotations, scanner_.limits());
  } catch (const Error& e) {
    scanner_.fail(e.code(), e.detail(), "in an annotation of the type: " + e.message());
  }
}

polycodec_node Parser::record(const Type& t) {
  std::vector<polycodec_node> nodes(t.items().size() * 2, Builder::null());
  std::vector<bool> seen(t.items().size());
  FieldFinder finder(t);
  if (scanner_.peek() != '{') {
    if (scanner_.at_end()) scanner_.unexpected("an object");
    scanner_.fail(Status::type, "text.type",
                  "expected an object with the members of " + type::print(t).substr(0, 200));
  }
  Scanner::Members members(scanner_, '{', '}');
  while (members.next()) {
    const std::size_t i = finder.next(scanner_);
    members.named(t.names()[i]);
    if (seen[i]) scanner_.fail(Status::malformed, "text.duplicate_key", "duplicate member");
    seen[i] = true;
    nodes[2 * i] = builder_.string_copy(t.names()[i]);
    nodes[2 * i + 1] = value(t.items()[i]);
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i]) continue;
    finder.absent(scanner_, i, t.items()[i], 2);
    nodes[2 * i] = builder_.string_copy(t.names()[i]);
  }
  polycodec_node* out;
  const polycodec_node n = builder_.object(seen.size(), &out);
  std::ranges::copy(nodes, out);
  return n;
}

std::vector<polycodec_node> Parser::tuple_items(const Type& t) {
  std::vector<polycodec_node> items;
  Scanner::Members members(scanner_, '[', ']');
  while (members.next()) {
    if (members.count() > t.items().size()) scanner_.wrong_count(t.items().size(), members.count());
    items.push_back(value(t.items()[items.size()]));
  }
  if (items.size() != t.items().size()) scanner_.wrong_count(t.items().size(), items.size());
  return items;
}

polycodec_node Parser::tuple(const Type& t) {
  if (scanner_.peek() == '[') return builder_.list(tuple_items(t));
  scanner_.expect_form("$tuple", "a tuple or a list");
  const auto items = tuple_items(t);
  scanner_.close_form();
  return builder_.tuple(items);
}

polycodec_node Parser::map_entries(const Type& key_type, const Type& item_type) {
  scanner_.expect_form("$map", "a map");
  return pairs(POLYCODEC_KIND_MAP, key_type, item_type);
}

polycodec_node Parser::pairs(polycodec_kind kind, const Type& key_type, const Type& item_type) {
  std::vector<polycodec_node> nodes;
  Scanner::Members entries(scanner_, '[', ']');
  while (entries.next()) {
    Scanner::Members entry(scanner_, '[', ']');
    while (entry.next()) {
      if (entry.count() > 2) scanner_.wrong_count(2, entry.count());
      nodes.push_back(value(entry.count() == 1 ? key_type : item_type));
    }
    if (entry.count() != 2) scanner_.wrong_count(2, entry.count());
  }
  scanner_.close_form();
  polycodec_node* out;
  const polycodec_node n = kind == POLYCODEC_KIND_MAP ? builder_.map(nodes.size() / 2, &out)
                                                      : builder_.object(nodes.size() / 2, &out);
  std::ranges::copy(nodes, out);
  return n;
}

polycodec_node Parser::map(const Type& t) {
  const Type& key_type = t.items()[0];
  const Type& item_type = t.items()[1];
  if (scanner_.peek() != '{' || scanner_.form() == "$map") return map_entries(key_type, item_type);
  // An object: a map whose keys are strings.
  const Type& text_key = key_type.is(Kind::option) ? key_type.element() : key_type;
  std::vector<polycodec_node> nodes;
  Scanner::Members members(scanner_, '{', '}');
  while (members.next()) {
    if (!text_key.is(Kind::string) && !text_key.is(Kind::any))
      scanner_.fail(Status::type, "text.type",
                    "expected keys of type " + type::print(key_type).substr(0, 200) +
                        R"(, in a {"$map": ...})");
    nodes.push_back(builder_.string_copy(scanner_.key()));
    members.named(NodeView(&nodes.back()).as_string());
    nodes.push_back(value(item_type));
  }
  if (!has_record_keys(nodes))
    scanner_.fail(Status::malformed, "text.duplicate_key",
                  "duplicate key in the object that ends here");
  polycodec_node* out;
  const polycodec_node n = builder_.map(nodes.size() / 2, &out);
  std::ranges::copy(nodes, out);
  return n;
}

polycodec_node Parser::extension(const Type& payload, std::string_view name) {
  scanner_.expect_form("$ext", "an extension");
  Scanner::Members parts(scanner_, '[', ']');
  if (!parts.next()) scanner_.wrong_count(2, 0);
  bool raw = false;
  const std::string found(scalars_.text(raw));
  if (found.empty())
    scanner_.fail(Status::malformed, "text.form",
                  R"(the name of an extension is empty (""): it names the format; give one)");
  if (name.data() != nullptr && found != name)
    scanner_.fail(Status::type, "text.type",
                  "expected the extension \"" + std::string(name.substr(0, 80)) + "\"");
  if (!parts.next()) scanner_.wrong_count(2, 1);
  const polycodec_node n = value(payload);
  if (parts.next()) scanner_.wrong_count(2, 3);
  scanner_.close_form();
  return builder_.extension(found, n);
}

polycodec_node Parser::variant(const Type& t) {
  scanner_.expect_form("$union", "a member of a union");
  Scanner::Members parts(scanner_, '[', ']');
  if (!parts.next()) scanner_.wrong_count(2, 0);
  const std::int64_t tag = scalars_.union_tag(t);
  if (!parts.next()) scanner_.wrong_count(2, 1);
  const polycodec_node n =
      value(t.is(Kind::union_type) ? t.items()[static_cast<std::size_t>(tag)] : t);
  if (parts.next()) scanner_.wrong_count(2, 3);
  scanner_.close_form();
  return builder_.tagged(tag, n);
}

polycodec_node Parser::number_node(std::uint32_t dtype) {
  alignas(16) unsigned char bytes[16] = {};
  scalars_.number(dtype, bytes);
  return polycodec::number_node(builder_, dtype, bytes);
}

polycodec_node Parser::text_node() {
  bool raw = false;
  const std::string_view found = scalars_.text(raw);
  polycodec_node n = builder_.string_copy(found);
  if (raw && !is_utf8(found)) n.dtype = POLYCODEC_STRING_LENIENT;
  return n;
}

polycodec_node Parser::element_node(const type::Type& t) {
  const ElementReader reader(t);
  std::vector<std::byte> bytes;
  reader.append(scalars_, bytes);
  return Builder::array(reader.array(builder_, bytes, {}));
}

}  // namespace polycodec::text
