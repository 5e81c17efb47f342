// SPDX-License-Identifier: MIT
#include "core/text/parse_layout.hpp"

#include <model/type/build.hpp>
#include <polycodec/items.h>

#include "core/text/layout_words.hpp"
#include "core/text/parse.hpp"
#include "core/value/value.hpp"

#include <algorithm>

namespace polycodec::text {

polycodec_column LayoutParser::structure(std::uint64_t& count) {
  Scanner& scanner = parser_.scanner();
  const polycodec_node n = parser_.typed();
  const polycodec_array* a = n.kind == POLYCODEC_KIND_ARRAY ? n.as.array : nullptr;
  if (a == nullptr || a->layout != POLYCODEC_LAYOUT_NDARRAY || a->ndim != 1 ||
      (!is_integer(a->dtype) && a->dtype != POLYCODEC_DTYPE_BOOLEAN) || a->item_size > 8)
    scanner.fail(Status::type, "text.type", "expected a typed list of integers");
  count = a->length;
  return {a->data, a->strides[0], a->dtype, 0};
}

const polycodec_array* LayoutParser::with_metadata(const polycodec_array& a,
                                                   const polycodec_node* metadata) {
  Builder& builder = parser_.builder();
  const auto [at, is_new] = annotated_.try_emplace(&a, nullptr);
  if (!is_new && equal(View(at->second->metadata), View(metadata))) return at->second;
  polycodec_array* made = builder.allocate<polycodec_array>(1);
  *made = a;
  made->metadata = metadata;
  return at->second = made;
}

const polycodec_array* LayoutParser::child() {
  Scanner& scanner = parser_.scanner();
  if (scanner.peek() == '{' && scanner.form() == "$same")
    return parser_.shared().array(type::any_type()).as.array;
  const polycodec_node n = parser_.typed();
  if (n.kind == POLYCODEC_KIND_ARRAY) return n.as.array;
  if (n.kind != POLYCODEC_KIND_ANNOTATED || n.as.annotated->node->kind != POLYCODEC_KIND_ARRAY)
    scanner.fail(Status::type, "text.type", "expected a typed array");
  return with_metadata(*n.as.annotated->node->as.array, n.as.annotated->metadata);
}

void LayoutParser::member(std::string_view name, polycodec_array& a, std::uint64_t (&counts)[2]) {
  Builder& builder = parser_.builder();
  Scanner& scanner = parser_.scanner();
  ScalarParser& scalars = parser_.scalars();
  const auto strings = [&](auto use) {
    Scanner::Members list(scanner, '[', ']');
    bool raw = false;
    while (list.next()) use(scalars.text(raw));
  };
  const ColumnNames columns = written_columns(a.layout);
  if (name == "length") {
    a.length = scalars.count();
  } else if (name == "flags") {
    strings([&](std::string_view word) {
      const auto* const at = std::ranges::find(flag_names, word);
      if (at == std::end(flag_names)) scanner.fail_token(Status::type, "text.type", "no such flag");
      a.flags = static_cast<std::uint8_t>(a.flags | 1u << (at - flag_names));
    });
  } else if (name == "size") {
    a.list_size = scalars.count();
  } else if (name == columns.first && !name.empty()) {
    a.index = structure(counts[0]);
  } else if (name == columns.second && !name.empty()) {
    a.tags = structure(counts[1]);
  } else if (name == "names") {
    std::vector<polycodec_bytes> names;
    strings([&](std::string_view word) { names.push_back(to_bytes(builder.copy_text(word))); });
    counts[0] = names.size();
    names.emplace_back();  // also a record without columns has names
    a.names = builder.store_all(std::span<const polycodec_bytes>(names));
  } else if (name == "children") {
    std::vector<const polycodec_array*> children;
    Scanner::Members list(scanner, '[', ']');
    while (list.next()) children.push_back(child());
    a.children = builder.store_all(std::span<const polycodec_array* const>(children));
    a.n_children = static_cast<std::uint32_t>(children.size());
  } else if (name == "nodes") {
    std::vector<polycodec_node> nodes;
    Scanner::Members list(scanner, '[', ']');
    while (list.next()) nodes.push_back(parser_.any());
    a.nodes = builder.store_all(std::span<const polycodec_node>(nodes));
    counts[0] = nodes.size();
  } else if (name == "dtype") {
    a.dtype = static_cast<std::uint8_t>(std::min<std::uint64_t>(scalars.count(), UINT8_MAX));
  } else if (name == "item_size") {
    a.item_size = static_cast<std::uint32_t>(std::min<std::uint64_t>(scalars.count(), UINT32_MAX));
  } else if (name == "shape") {
    std::vector<std::int64_t> shape;
    Scanner::Members list(scanner, '[', ']');
    while (list.next()) shape.push_back(static_cast<std::int64_t>(scalars.count()));
    a.shape = builder.store_all(std::span<const std::int64_t>(shape));
    a.ndim = static_cast<std::uint32_t>(shape.size());
  } else {
    scanner.fail(Status::malformed, "text.form", "no layout of this name has this member");
  }
}

polycodec_node LayoutParser::read() {
  Builder& builder = parser_.builder();
  Scanner& scanner = parser_.scanner();
  ScalarParser& scalars = parser_.scalars();
  polycodec_array* a = builder.new_array(POLYCODEC_LAYOUT_NDARRAY, 0);
  std::uint64_t counts[2] = {};
  ++depth_;
  Scanner::Members members(scanner, '{', '}');
  while (members.next()) {
    const std::string name(scanner.string());
    scanner.expect(':');
    if (members.count() != 1) {
      member(name, *a, counts);
      continue;
    }
    bool raw = false;
    const std::string_view word = name == "layout" ? scalars.text(raw) : std::string_view();
    const auto* const at = std::ranges::find(layout_names, word);
    if (at == std::end(layout_names))
      scanner.fail_token(Status::malformed, "text.form", "expected the name of a layout");
    a->layout = static_cast<std::uint8_t>(at - layout_names);
  }
  check(*a, counts);
  const polycodec_node n = Builder::array(a);
  if (--depth_ != 0) return n;  // the layout around here is checked with all that it has
  try {
    validate(NodeView(&n), scanner.limits(), Validation::full);
  } catch (const Error& e) {
    scanner.fail(e.code() == Status::invalid ? Status::malformed : e.code(), "text.form",
                 "in a layout: " + e.message());
  }
  return n;
}

void LayoutParser::check(polycodec_array& a, const std::uint64_t (&counts)[2]) {
  Builder& builder = parser_.builder();
  Scanner& scanner = parser_.scanner();
  const auto wrong = [&](bool is_wrong, const char* what) {
    if (is_wrong) scanner.fail(Status::type, "text.shape", std::string("in a layout: ") + what);
  };
  if (a.length > std::min<std::uint64_t>(scanner.limits().max_elements, INT64_MAX))
    scanner.fail(Status::limit, "text.limit",
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
    auto* starts = builder.allocate<std::int64_t>(a.n_children + std::size_t{1});
    starts[0] = 0;
    for (std::uint32_t i = 0; i < a.n_children; ++i)
      starts[i + 1] = starts[i] + static_cast<std::int64_t>(a.children[i]->length);
    a.offsets =
        Builder::column(std::span<const std::int64_t>(starts, a.n_children + std::size_t{1}));
  }
  if (a.layout != POLYCODEC_LAYOUT_NDARRAY) return;
  // Only elements without bytes are written so: others have a notation.
  wrong(a.item_size != 0 || !is_fixed(a.dtype), "elements with bytes are written as a list");
  a.strides = builder.allocate<std::int64_t>(a.ndim);
  std::fill_n(const_cast<std::int64_t*>(a.strides), a.ndim, 0);
  static constexpr std::byte none{};
  a.data = a.buffer = &none;
  a.byte_order = host_byte_order;
}

}  // namespace polycodec::text
