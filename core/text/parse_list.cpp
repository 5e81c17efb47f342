// SPDX-License-Identifier: MIT
#include <model/type/print.hpp>

#include "core/text/column.hpp"
#include "core/text/element.hpp"
#include "core/text/parse.hpp"
#include "core/text/reads_back.hpp"

namespace polycodec::text {

using type::Kind;
using type::Type;

polycodec_node Parser::dims(const Type& t) {
  if (scanner_.peek() != '[') {
    if (scanner_.at_end()) scanner_.unexpected("a list");
    scanner_.fail(Status::type, "text.type",
                  "expected a list, of type " + type::print(t).substr(0, 200));
  }
  const Scanner::Place start = scanner_.place();
  if (documents_ || is_document_column(t.element(), loose_)) return document_list(t);
  const bool loose = loose_;
  try {
    return columns(t);
  } catch (const NotColumnar&) {
    scanner_.return_to(start);
    loose_ = true;
  }
  const polycodec_node n = is_document_column(t.element(), loose_) ? document_list(t) : columns(t);
  loose_ = loose;
  return n;
}

polycodec_node Parser::columns(const Type& t) {
  const auto column = make_column(*this, t.element());
  std::uint64_t count = 0;
  Scanner::Members members(scanner_, '[', ']');
  while (members.next()) {
    count = members.count();
    if (t.is(Kind::fixed_dim) && count > t.size()) scanner_.wrong_count(t.size(), count);
    column->append(*this);
  }
  if (t.is(Kind::fixed_dim) && count != t.size()) scanner_.wrong_count(t.size(), count);
  const polycodec_array* items = column->finish(builder_);
  // The attributes of an array that stands alone are its own; inside another one they are those of
  // its items.
  if (t.element().is(Kind::annotated))
    items = builder_.with_children(POLYCODEC_LAYOUT_CHUNKED, count, {{items}});
  return Builder::array(items);
}

polycodec_node Parser::document_list(const Type& t) {
  std::vector<polycodec_node> items;
  Scanner::Members members(scanner_, '[', ']');
  while (members.next()) {
    if (t.is(Kind::fixed_dim) && members.count() > t.size())
      scanner_.wrong_count(t.size(), members.count());
    items.push_back(value(t.element()));
  }
  if (t.is(Kind::fixed_dim) && items.size() != t.size())
    scanner_.wrong_count(t.size(), items.size());
  const polycodec_node n = builder_.list(items);
  return !documents_ && reads_as_document_array(n, t, scanner_.limits())
             ? document_array(builder_, n)
             : n;
}

polycodec_node document_array(Builder& builder, const polycodec_node& list) {
  polycodec_array* a = builder.new_array(POLYCODEC_LAYOUT_DOCUMENT, polycodec_node_size(&list));
  a->nodes = list.as.nodes;
  return Builder::array(a);
}

}  // namespace polycodec::text
