// SPDX-License-Identifier: MIT
// Forms that say what a value is where its type and items do not: `$list`, `$array`, `$object`,
// and `$value` where another type is said around it.
#include <model/type/build.hpp>

#include "core/text/element.hpp"
#include "core/text/parse.hpp"

namespace polycodec::text {

using type::Kind;
using type::Type;

namespace {

/// A form says what kind a value is, and these types are around it.
bool is_around(Kind kind) noexcept {
  return kind == Kind::any || kind == Kind::array || kind == Kind::option ||
         kind == Kind::annotated || kind == Kind::pointer || kind == Kind::indexed;
}

}  // namespace

std::optional<polycodec_node> Parser::marked(std::string_view name, const Type& t) {
  if (name == "$id") return shared_.labeled(t);
  if (name == "$ref") return shared_.reference(t);
  if (is_around(t.kind())) return std::nullopt;
  if (name == "$value") return any_form("$value");
  if (name == "$same") return shared_.array(t);
  if (name == "$object" && t.is(Kind::map)) {
    scanner_.open_form(name);
    const polycodec_node n = pairs(POLYCODEC_KIND_OBJECT, t.items()[0], t.items()[1]);
    for (const polycodec_node& key : NodeView(&n).entries())
      if (((&key - n.as.nodes) & 1) == 0 && key.kind != POLYCODEC_KIND_STRING)
        scanner_.fail(Status::type, "text.type", "the keys of an object are strings");
    return n;
  }
  const bool list = name == "$list" && t.is_dim();
  if (!list && name != "$array" && name != "$layout") return std::nullopt;
  scanner_.open_form(name);
  const bool outside = documents_;
  documents_ = list;
  const polycodec_node n = list ? value(t) : name == "$array" ? marked_array(t) : layouts_.read();
  documents_ = outside;
  scanner_.close_form();
  return n;
}

polycodec_node Parser::marked_array(const Type& t) {
  if (t.is_dim()) {
    const polycodec_node n = dims(t);
    return n.kind == POLYCODEC_KIND_LIST ? document_array(builder_, n) : n;
  }
  if (!ElementReader::takes(t))
    scanner_.fail(Status::type, "text.type", "no array has single items of this type");
  const ElementReader reader(t);
  std::vector<std::byte> bytes;
  try {
    reader.append(scalars_, bytes);
  } catch (const NotColumnar&) {
    scanner_.fail_token(Status::range, "text.range",
                        "the timestamp is out of the range of an array");
  }
  return Builder::array(reader.array(builder_, bytes, {}));
}

}  // namespace polycodec::text
