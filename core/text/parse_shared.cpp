// SPDX-License-Identifier: MIT
#include "core/text/parse_shared.hpp"

#include "core/text/parse.hpp"

namespace polycodec::text {

polycodec_node SharedParser::labeled(const type::Type& t) {
  Builder& builder = parser_.builder();
  Scanner& scanner = parser_.scanner();
  ScalarParser& scalars = parser_.scalars();
  scanner.open_form("$id");
  Scanner::Members parts(scanner, '[', ']');
  if (!parts.next()) scanner.wrong_count(2, 0);
  const std::uint64_t id = scalars.count();
  if (!parts.next()) scanner.wrong_count(2, 1);
  const polycodec_node n = parser_.value(t);
  if (parts.next()) scanner.wrong_count(2, 3);
  scanner.close_form();
  // Metadata that is not metadata keeps the number until the node is where it stays.
  const polycodec_node* inner =
      n.kind == POLYCODEC_KIND_ANNOTATED ? n.as.annotated->node : builder.store(n);
  auto wrapper = polycodec_node_make(POLYCODEC_KIND_ANNOTATED, 0, 0);
  wrapper.as.annotated =
      builder.store(polycodec_annotated{inner, builder.store(builder.object({}))});
  if (!labels_.wrap(id, wrapper.as.annotated, n))
    scanner.fail(Status::malformed, "text.form", "duplicate $id " + std::to_string(id));
  return wrapper;
}

polycodec_node SharedParser::reference(const type::Type& t) {
  Builder& builder = parser_.builder();
  Scanner& scanner = parser_.scanner();
  ScalarParser& scalars = parser_.scalars();
  scanner.open_form("$ref");
  polycodec_node* stub = builder.store(Builder::null());
  std::uint64_t id = 0;
  if (scanner.peek() == '[') {
    Scanner::Members parts(scanner, '[', ']');
    if (!parts.next()) scanner.wrong_count(2, 0);
    id = scalars.count();
    if (!parts.next()) scanner.wrong_count(2, 1);
    const polycodec_node* target = builder.store(parser_.value(t));
    if (parts.next()) scanner.wrong_count(2, 3);
    if (!labels_.place(id, target))
      scanner.fail(Status::malformed, "text.form", "duplicate $id " + std::to_string(id));
  } else {
    id = scalars.count();
  }
  scanner.close_form();
  return Builder::reference(labels_.stub(id, stub));
}

polycodec_node SharedParser::array(const type::Type& t) {
  Scanner& scanner = parser_.scanner();
  ScalarParser& scalars = parser_.scalars();
  scanner.open_form("$same");
  const polycodec_array* a = nullptr;
  if (scanner.peek() == '[') {
    Scanner::Members parts(scanner, '[', ']');
    if (!parts.next()) scanner.wrong_count(2, 0);
    const std::uint64_t number = scalars.count();
    if (!parts.next()) scanner.wrong_count(2, 1);
    const polycodec_node n = parser_.value(t);
    if (n.kind != POLYCODEC_KIND_ARRAY)
      scanner.fail(Status::type, "text.type", "expected an array");
    a = n.as.array;
    if (parts.next()) scanner.wrong_count(2, 3);
    arrays_.insert_or_assign(number, a);
  } else {
    const auto at = arrays_.find(scalars.count());
    if (at == arrays_.end())
      scanner.fail(Status::malformed, "text.form", "no array before has this number");
    a = at->second;
  }
  scanner.close_form();
  return Builder::array(a);
}

void SharedParser::resolve(polycodec_node& root) {
  HostMeter meter(NodeView(&root), parser_.scanner().limits());
  if (!labels_.empty() && !labels_.resolve(root, meter))
    parser_.scanner().fail(Status::malformed, "text.form", "a $ref has no $id");
}

}  // namespace polycodec::text
