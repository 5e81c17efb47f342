// SPDX-License-Identifier: MIT
#include <model/type/print.hpp>

#include "core/text/column.hpp"
#include "core/text/parse.hpp"
#include "core/text/reads_back.hpp"

namespace polycodec::text {

using type::Kind;
using type::Type;

polycodec_node Parser::dims(const Type& t) {
  if (cursor_.peek() != '[') {
    if (cursor_.at_end()) cursor_.unexpected("a list");
    fail(Status::type, "text.type", "expected a list, of type " + type::print(t).substr(0, 200));
  }
  const std::size_t start = cursor_.at(), depth = parts_.size();
  if (documents_ || is_document_column(t.element(), loose_)) return document_list(t);
  const bool loose = loose_;
  try {
    return columns(t);
  } catch (const NotColumnar&) {
    cursor_.rewind(start);
    parts_.resize(depth);
    loose_ = true;
  }
  const polycodec_node n = is_document_column(t.element(), loose_) ? document_list(t) : columns(t);
  loose_ = loose;
  return n;
}

polycodec_node Parser::columns(const Type& t) {
  const auto column = make_column(*this, t.element());
  std::uint64_t count = 0;
  Members members(*this, '[', ']');
  while (members.next()) {
    count = members.count();
    if (t.is(Kind::fixed_dim) && count > t.size()) wrong_count(t.size(), count);
    column->append(*this);
  }
  if (t.is(Kind::fixed_dim) && count != t.size()) wrong_count(t.size(), count);
  const polycodec_array* items = column->finish(builder_);
  // The attributes of an array that stands alone are its own; inside another one they are those of
  // its items.
  if (t.element().is(Kind::annotated))
    items = builder_.with_children(POLYCODEC_LAYOUT_CHUNKED, count, {{items}});
  return Builder::array(items);
}

polycodec_node Parser::document_list(const Type& t) {
  std::vector<polycodec_node> items;
  Members members(*this, '[', ']');
  while (members.next()) {
    if (t.is(Kind::fixed_dim) && members.count() > t.size()) wrong_count(t.size(), members.count());
    items.push_back(value(t.element()));
  }
  if (t.is(Kind::fixed_dim) && items.size() != t.size()) wrong_count(t.size(), items.size());
  const polycodec_node n = builder_.list(items);
  return !documents_ && reads_as_document_array(n, t, limits_) ? document_array(n) : n;
}

polycodec_node Parser::document_array(const polycodec_node& list) {
  polycodec_array* a = builder_.new_array(POLYCODEC_LAYOUT_DOCUMENT, polycodec_node_size(&list));
  a->nodes = list.as.nodes;
  return Builder::array(a);
}

}  // namespace polycodec::text
