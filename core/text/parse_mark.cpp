// SPDX-License-Identifier: MIT
// Forms that say what a value is where its type and items do not: `$list`, `$array`, `$object`,
// `$layout`, and `$value` where another type is said around it.
#include <model/type/build.hpp>
#include <polycodec/items.h>

#include "core/text/element.hpp"
#include "core/text/layout_words.hpp"
#include "core/text/parse.hpp"
#include "core/value/value.hpp"

#include <algorithm>

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
  if (name == "$id") return labeled(t);
  if (name == "$ref") return reference(t);
  if (is_around(t.kind())) return std::nullopt;
  if (name == "$value") return any_form("$value");
  if (name == "$same") return same_array(t);
  if (name == "$object" && t.is(Kind::map)) {
    open_form(name);
    const polycodec_node n = pairs(POLYCODEC_KIND_OBJECT, t.items()[0], t.items()[1]);
    for (const polycodec_node& key : NodeView(&n).entries())
      if (((&key - n.as.nodes) & 1) == 0 && key.kind != POLYCODEC_KIND_STRING)
        fail(Status::type, "text.type", "the keys of an object are strings");
    return n;
  }
  const bool list = name == "$list" && t.is_dim();
  if (!list && name != "$array" && name != "$layout") return std::nullopt;
  open_form(name);
  const bool outside = documents_;
  documents_ = list;
  const polycodec_node n = list ? value(t) : name == "$array" ? marked_array(t) : layout();
  documents_ = outside;
  close_form();
  return n;
}

polycodec_node Parser::labeled(const Type& t) {
  open_form("$id");
  Members parts(*this, '[', ']');
  if (!parts.next()) wrong_count(2, 0);
  const std::uint64_t id = count();
  if (!parts.next()) wrong_count(2, 1);
  const polycodec_node n = value(t);
  if (parts.next()) wrong_count(2, 3);
  close_form();
  // Metadata that is not metadata keeps the number until the node is where it stays.
  const polycodec_node* inner =
      n.kind == POLYCODEC_KIND_ANNOTATED ? n.as.annotated->node : builder_.store(n);
  auto wrapper = polycodec_node_make(POLYCODEC_KIND_ANNOTATED, 0, 0);
  wrapper.as.annotated =
      builder_.store(polycodec_annotated{inner, builder_.store(builder_.object({}))});
  if (!labels_.wrap(id, wrapper.as.annotated, n))
    fail(Status::malformed, "text.form", "duplicate $id " + std::to_string(id));
  return wrapper;
}

polycodec_node Parser::reference(const Type& t) {
  open_form("$ref");
  polycodec_node* stub = builder_.store(Builder::null());
  std::uint64_t id = 0;
  if (cursor_.peek() == '[') {
    Members parts(*this, '[', ']');
    if (!parts.next()) wrong_count(2, 0);
    id = count();
    if (!parts.next()) wrong_count(2, 1);
    const polycodec_node* target = builder_.store(value(t));
    if (parts.next()) wrong_count(2, 3);
    if (!labels_.place(id, target))
      fail(Status::malformed, "text.form", "duplicate $id " + std::to_string(id));
  } else {
    id = count();
  }
  close_form();
  return Builder::reference(labels_.stub(id, stub));
}

polycodec_node Parser::marked_array(const Type& t) {
  if (t.is_dim()) {
    const polycodec_node n = dims(t);
    return n.kind == POLYCODEC_KIND_LIST ? document_array(n) : n;
  }
  if (!ElementReader::takes(t))
    fail(Status::type, "text.type", "no array has single items of this type");
  const ElementReader reader(t);
  std::vector<std::byte> bytes;
  try {
    reader.append(*this, bytes);
  } catch (const NotColumnar&) {
    fail_token(Status::range, "text.range", "the timestamp is out of the range of an array");
  }
  return Builder::array(reader.array(builder_, bytes, {}));
}

polycodec_node Parser::same_array(const Type& t) {
  open_form("$same");
  const polycodec_array* a = nullptr;
  if (cursor_.peek() == '[') {
    Members parts(*this, '[', ']');
    if (!parts.next()) wrong_count(2, 0);
    const std::uint64_t number = count();
    if (!parts.next()) wrong_count(2, 1);
    const polycodec_node n = value(t);
    if (n.kind != POLYCODEC_KIND_ARRAY) fail(Status::type, "text.type", "expected an array");
    a = n.as.array;
    if (parts.next()) wrong_count(2, 3);
    shared_.insert_or_assign(number, a);
  } else {
    const auto at = shared_.find(count());
    if (at == shared_.end())
      fail(Status::malformed, "text.form", "no array before has this number");
    a = at->second;
  }
  close_form();
  return Builder::array(a);
}

polycodec_column Parser::structure(std::uint64_t& count) {
  const polycodec_node n = typed();
  const polycodec_array* a = n.kind == POLYCODEC_KIND_ARRAY ? n.as.array : nullptr;
  if (a == nullptr || a->layout != POLYCODEC_LAYOUT_NDARRAY || a->ndim != 1 ||
      (!is_integer(a->dtype) && a->dtype != POLYCODEC_DTYPE_BOOLEAN) || a->item_size > 8)
    fail(Status::type, "text.type", "expected a typed list of integers");
  count = a->length;
  return {a->data, a->strides[0], a->dtype, 0};
}

std::uint64_t Parser::count() {
  unsigned char bytes[8];
  number(POLYCODEC_DTYPE_UINT64, bytes);
  std::uint64_t n = 0;
  std::memcpy(&n, bytes, sizeof n);
  return n;
}

const polycodec_array* Parser::with_metadata(const polycodec_array& a,
                                             const polycodec_node* metadata) {
  const auto [at, is_new] = annotated_.try_emplace(&a, nullptr);
  if (!is_new && equal(View(at->second->metadata), View(metadata))) return at->second;
  polycodec_array* made = builder_.allocate<polycodec_array>(1);
  *made = a;
  made->metadata = metadata;
  return at->second = made;
}

const polycodec_array* Parser::child() {
  if (cursor_.peek() == '{' && cursor_.form() == "$same")
    return same_array(type::any_type()).as.array;
  const polycodec_node n = typed();
  if (n.kind == POLYCODEC_KIND_ARRAY) return n.as.array;
  if (n.kind != POLYCODEC_KIND_ANNOTATED || n.as.annotated->node->kind != POLYCODEC_KIND_ARRAY)
    fail(Status::type, "text.type", "expected a typed array");
  return with_metadata(*n.as.annotated->node->as.array, n.as.annotated->metadata);
}

void Parser::layout_member(std::string_view name, polycodec_array& a, std::uint64_t (&counts)[2]) {
  const auto strings = [&](auto use) {
    Members list(*this, '[', ']');
    bool raw = false;
    while (list.next()) use(text(raw));
  };
  const ColumnNames columns = written_columns(a.layout);
  if (name == "length") {
    a.length = count();
  } else if (name == "flags") {
    strings([&](std::string_view word) {
      const auto* const at = std::ranges::find(flag_names, word);
      if (at == std::end(flag_names)) fail_token(Status::type, "text.type", "no such flag");
      a.flags = static_cast<std::uint8_t>(a.flags | 1u << (at - flag_names));
    });
  } else if (name == "size") {
    a.list_size = count();
  } else if (name == columns.first && !name.empty()) {
    a.index = structure(counts[0]);
  } else if (name == columns.second && !name.empty()) {
    a.tags = structure(counts[1]);
  } else if (name == "names") {
    std::vector<polycodec_bytes> names;
    strings([&](std::string_view word) { names.push_back(to_bytes(builder_.copy_text(word))); });
    counts[0] = names.size();
    names.emplace_back();  // also a record without columns has names
    a.names = builder_.store_all(std::span<const polycodec_bytes>(names));
  } else if (name == "children") {
    std::vector<const polycodec_array*> children;
    Members list(*this, '[', ']');
    while (list.next()) children.push_back(child());
    a.children = builder_.store_all(std::span<const polycodec_array* const>(children));
    a.n_children = static_cast<std::uint32_t>(children.size());
  } else if (name == "nodes") {
    std::vector<polycodec_node> nodes;
    Members list(*this, '[', ']');
    while (list.next()) nodes.push_back(any());
    a.nodes = builder_.store_all(std::span<const polycodec_node>(nodes));
    counts[0] = nodes.size();
  } else if (name == "dtype") {
    a.dtype = static_cast<std::uint8_t>(std::min<std::uint64_t>(count(), UINT8_MAX));
  } else if (name == "item_size") {
    a.item_size = static_cast<std::uint32_t>(std::min<std::uint64_t>(count(), UINT32_MAX));
  } else if (name == "shape") {
    std::vector<std::int64_t> shape;
    Members list(*this, '[', ']');
    while (list.next()) shape.push_back(static_cast<std::int64_t>(count()));
    a.shape = builder_.store_all(std::span<const std::int64_t>(shape));
    a.ndim = static_cast<std::uint32_t>(shape.size());
  } else {
    fail(Status::malformed, "text.form", "no layout of this name has this member");
  }
}

polycodec_node Parser::layout() {
  polycodec_array* a = builder_.new_array(POLYCODEC_LAYOUT_NDARRAY, 0);
  std::uint64_t counts[2] = {};
  ++layouts_;
  Members members(*this, '{', '}');
  while (members.next()) {
    const std::string name(cursor_.string());
    cursor_.expect(':');
    if (members.count() != 1) {
      layout_member(name, *a, counts);
      continue;
    }
    bool raw = false;
    const std::string_view word = name == "layout" ? text(raw) : std::string_view();
    const auto* const at = std::ranges::find(layout_names, word);
    if (at == std::end(layout_names))
      fail_token(Status::malformed, "text.form", "expected the name of a layout");
    a->layout = static_cast<std::uint8_t>(at - layout_names);
  }
  check_layout(*a, counts);
  const polycodec_node n = Builder::array(a);
  if (--layouts_ != 0) return n;  // the layout around here is checked with all that it has
  try {
    validate(NodeView(&n), limits_, Validation::full);
  } catch (const Error& e) {
    fail(e.code() == Status::invalid ? Status::malformed : e.code(), "text.form",
         "in a layout: " + e.message());
  }
  return n;
}

void Parser::check_layout(polycodec_array& a, const std::uint64_t (&counts)[2]) {
  const auto wrong = [&](bool is_wrong, const char* what) {
    if (is_wrong) fail(Status::type, "text.shape", std::string("in a layout: ") + what);
  };
  if (a.length > std::min<std::uint64_t>(limits_.max_elements, INT64_MAX))
    fail(Status::limit, "text.limit",
         "in a layout: more items than the limit allows (max_elements)");
  const ColumnNames columns = written_columns(a.layout);
  if (!columns.first.empty() && (a.index.data != nullptr || a.layout != POLYCODEC_LAYOUT_UNION))
    wrong(counts[0] < polycodec_column_length(a.layout, a.length, a.n_children, 0),
          "a column is shorter than the length says");
  if (!columns.second.empty())
    wrong(counts[1] < a.length, "a column is shorter than the length says");
  if (a.layout == POLYCODEC_LAYOUT_DOCUMENT)
    wrong(counts[0] != a.length, "a wrong number of nodes");
  if (a.names != nullptr) wrong(counts[0] != a.n_children, "a wrong number of names");
  if (a.layout == POLYCODEC_LAYOUT_CHUNKED) {
    auto* starts = builder_.allocate<std::int64_t>(a.n_children + std::size_t{1});
    starts[0] = 0;
    for (std::uint32_t i = 0; i < a.n_children; ++i)
      starts[i + 1] = starts[i] + static_cast<std::int64_t>(a.children[i]->length);
    a.offsets =
        Builder::column(std::span<const std::int64_t>(starts, a.n_children + std::size_t{1}));
  }
  if (a.layout != POLYCODEC_LAYOUT_NDARRAY) return;
  // Only elements without bytes are written so: others have a notation.
  wrong(a.item_size != 0 || !is_fixed(a.dtype), "elements with bytes are written as a list");
  a.strides = builder_.allocate<std::int64_t>(a.ndim);
  std::fill_n(const_cast<std::int64_t*>(a.strides), a.ndim, 0);
  static constexpr std::byte none{};
  a.data = a.buffer = &none;
  a.byte_order = host_byte_order;
}

}  // namespace polycodec::text
