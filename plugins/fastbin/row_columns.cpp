// SPDX-License-Identifier: MIT
#include <base/depth.hpp>
#include <polycodec/utf.hpp>

#include "decode.hpp"
#include "words.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec::fastbin {

const polycodec_array* RowColumns::items(const Type& item) {
  const std::uint64_t count_of_items = word_at(base(), word_size);
  RowColumn all = make(item);
  const auto walk = [&](auto&& visit) {
    std::uint64_t at = 2 * word_size;
    for (std::uint64_t i = 0; i < count_of_items; ++i) {
      pace_.step(word_size);
      const std::uint64_t size = verified_size(schema_, item, base(), at);
      visit(at);
      at += size;
    }
  };
  if (holds_lists(item))
    walk([&](std::uint64_t at) { count(all, at); });
  else
    set_capacity(all, count_of_items);
  allocate(all);
  walk([&](std::uint64_t at) { add(all, at); });
  return finish(all);
}

RowColumn RowColumns::make(const Type& type) const {
  check_stack(UINT64_MAX);
  RowColumn c;
  c.type = &type;
  if (type.kind == Kind::structure)
    for (const Field& f : schema_.struct_of(type).fields) c.children.push_back(make(f.type));
  if (type.kind == Kind::variant || (type.kind == Kind::vector && !is_view(type)))
    for (const Type& part : type.of) c.children.push_back(make(part));
  return c;
}

bool RowColumns::holds_lists(const Type& type) const {
  if (type.kind == Kind::variant) return true;
  if (type.kind == Kind::vector) return !is_view(type);
  if (type.kind != Kind::structure) return false;
  const auto& fields = schema_.struct_of(type).fields;
  return std::any_of(fields.begin(), fields.end(),
                     [&](const Field& f) { return holds_lists(f.type); });
}

void RowColumns::set_capacity(RowColumn& c, std::uint64_t rows) const {
  c.capacity = rows;
  for (RowColumn& child : c.children) set_capacity(child, rows);
}

// Counts what add() will add: each column gets as many rows as it will have at most.
void RowColumns::count(RowColumn& c, std::uint64_t at) const {
  check_stack(UINT64_MAX);
  const Type& type = *c.type;
  if (type.kind == Kind::structure) {
    ++c.capacity;
    const Struct& s = schema_.struct_of(type);
    const std::uint64_t end = at + verified_size(schema_, type, base(), at);
    at += s.fixed ? 0 : word_size;
    for (std::size_t i = 0; i < s.fields.size() && at < end; ++i) {
      count(c.children[i], at);
      at += verified_size(schema_, s.fields[i].type, base(), at);
    }
    // Members that are absent have a row, too.
    for (RowColumn& child : c.children) child.capacity = std::max(child.capacity, c.capacity);
    return;
  }
  if (type.kind == Kind::variant) {
    ++c.capacity;
    const CellWord cell(word_at(base(), at + word_size));
    return count_payload(c.children[static_cast<std::size_t>(cell.index)], at + 2 * word_size,
                         cell.size - word_size);
  }
  if (type.kind == Kind::vector && !type.item().is_scalar()) {
    ++c.capacity;
    const std::uint64_t n = word_at(base(), at + word_size);
    at += 2 * word_size;
    for (std::uint64_t i = 0; i < n; ++i) {
      count(c.children[0], at);
      at += verified_size(schema_, type.item(), base(), at);
    }
    return;
  }
  if (type.kind == Kind::vector)
    return count_payload(c, at + word_size, BlockWord(word_at(base(), at)).content());
  ++c.capacity;
}

void RowColumns::count_payload(RowColumn& c, std::uint64_t at, std::uint64_t size) const {
  if (c.type->kind == Kind::structure && size != 0) return count(c, at);
  ++c.capacity;
  if (c.type->kind == Kind::vector && !c.children.empty())
    c.children[0].capacity += size / native_size(c.type->item().primitive);
}

void RowColumns::allocate(RowColumn& c) {
  switch (c.type->kind) {
    case Kind::primitive:
    case Kind::enumeration:
      c.scalars = out_.allocate<std::byte>(c.capacity * native_size(c.type->primitive));
      break;
    case Kind::text:
      c.starts = out_.allocate<std::uint64_t>(c.capacity);
      c.stops = out_.allocate<std::uint64_t>(c.capacity);
      break;
    case Kind::vector:
      c.starts = out_.allocate<std::uint64_t>(c.capacity + 1);
      if (is_view(*c.type)) c.stops = out_.allocate<std::uint64_t>(c.capacity);
      c.starts[0] = 0;
      break;
    case Kind::variant:
      c.starts = out_.allocate<std::uint64_t>(c.capacity);
      c.tags = out_.allocate<std::uint8_t>(c.capacity);
      break;
    default:
      break;
  }
  for (RowColumn& child : c.children) allocate(child);
}

void RowColumns::add_row(RowColumn& c) {
  if (c.index != nullptr) c.index[c.rows] = static_cast<std::int64_t>(c.values);
  ++c.rows;
  ++c.values;
}

void RowColumns::add_missing(RowColumn& c) {
  if (c.index == nullptr) {
    c.index = out_.allocate<std::int64_t>(c.capacity);
    for (std::uint64_t i = 0; i < c.rows; ++i) c.index[i] = static_cast<std::int64_t>(i);
  }
  c.index[c.rows++] = -1;
}

void RowColumns::add(RowColumn& c, std::uint64_t at) {
  switch (c.type->kind) {
    case Kind::primitive:
    case Kind::enumeration:
      return add_scalar(c, at);
    case Kind::text:
      return add_text(c, at + word_size, BlockWord(word_at(base(), at)).content());
    case Kind::structure:
      return add_struct(c, at);
    case Kind::vector:
      if (c.type->item().is_scalar())
        return add_packed(c, at + word_size, BlockWord(word_at(base(), at)).content());
      return add_list(c, at);
    default:
      return add_variant(c, at);
  }
}

void RowColumns::add_scalar(RowColumn& c, std::uint64_t at) {
  const std::uint32_t width = native_size(c.type->primitive);
  std::memcpy(c.scalars + c.values * width, base() + at, width);
  add_row(c);
}

void RowColumns::add_scalars(RowColumn& c, std::uint64_t at, std::uint64_t n) {
  const std::uint32_t width = native_size(c.type->primitive);
  if (n != 0)
    std::memcpy(c.scalars + c.values * width, base() + at, static_cast<std::size_t>(n * width));
  c.rows += n;
  c.values += n;
  pace_.step(n * width);
}

void RowColumns::add_text(RowColumn& c, std::uint64_t at, std::uint64_t size) {
  c.starts[c.values] = at;
  c.stops[c.values] = at + size;
  c.not_utf8 =
      c.not_utf8 || validate_utf8(base() + at, static_cast<std::size_t>(size)) != utf8_npos;
  pace_.step(size);
  add_row(c);
}

void RowColumns::add_packed(RowColumn& c, std::uint64_t at, std::uint64_t size) {
  const std::uint32_t width = native_size(c.type->item().primitive);
  if (is_view(*c.type)) {
    c.starts[c.values] = at / width;
    c.stops[c.values] = (at + size) / width;
  } else {
    add_scalars(c.children[0], at, size / width);
    c.starts[c.values + 1] = c.children[0].rows;
  }
  add_row(c);
}

void RowColumns::add_struct(RowColumn& c, std::uint64_t at) {
  const Struct& s = schema_.struct_of(*c.type);
  const std::uint64_t end = at + verified_size(schema_, *c.type, base(), at);
  at += s.fixed ? 0 : word_size;
  for (std::size_t i = 0; i < s.fields.size(); ++i) {
    if (at == end) {
      add_missing(c.children[i]);
      continue;
    }
    add(c.children[i], at);
    at += verified_size(schema_, s.fields[i].type, base(), at);
  }
  add_row(c);
}

void RowColumns::add_list(RowColumn& c, std::uint64_t at) {
  const std::uint64_t n = word_at(base(), at + word_size);
  at += 2 * word_size;
  for (std::uint64_t i = 0; i < n; ++i) {
    pace_.step(word_size);
    add(c.children[0], at);
    at += verified_size(schema_, c.type->item(), base(), at);
  }
  c.starts[c.values + 1] = c.children[0].rows;
  add_row(c);
}

void RowColumns::add_variant(RowColumn& c, std::uint64_t at) {
  const CellWord cell(word_at(base(), at + word_size));
  RowColumn& held = c.children[static_cast<std::size_t>(cell.index)];
  c.tags[c.values] = static_cast<std::uint8_t>(cell.index);
  c.starts[c.values] = held.rows;
  add_payload(held, at + 2 * word_size, cell.size - word_size);
  add_row(c);
}

void RowColumns::add_payload(RowColumn& c, std::uint64_t at, std::uint64_t size) {
  if (c.type->kind == Kind::text) return add_text(c, at, size);
  if (c.type->kind == Kind::vector) return add_packed(c, at, size);
  if (size == 0) return add_missing(c);
  add(c, at);
}

const polycodec_array* RowColumns::finish(const RowColumn& c) {
  const polycodec_array* values = finish_values(c);
  if (c.index == nullptr) return values;
  polycodec_array* rows = out_.with_children(POLYCODEC_LAYOUT_INDEXED, c.rows, {&values, 1});
  rows->index =
      Builder::column(std::span<const std::int64_t>(c.index, static_cast<std::size_t>(c.rows)));
  return rows;
}

const polycodec_array* RowColumns::finish_values(const RowColumn& c) {
  const auto count_of = static_cast<std::size_t>(c.values);
  switch (c.type->kind) {
    case Kind::primitive:
    case Kind::enumeration: {
      const std::uint32_t width = native_size(c.type->primitive);
      return leaf_column(plan_, *c.type, to_string_view(c.scalars, count_of * width), c.scalars,
                         width, c.values, out_, pace_);
    }
    case Kind::text:
      return finish_texts(c);
    case Kind::vector:
      if (is_view(*c.type)) return finish_views(c, dtype_of_primitive(c.type->item().primitive), 0);
      return out_.list_offsets(std::span<const std::uint64_t>(c.starts, count_of + 1),
                               finish(c.children[0]));
    default:
      break;
  }
  std::vector<const polycodec_array*> columns;
  columns.reserve(c.children.size());
  for (const RowColumn& child : c.children) columns.push_back(finish(child));
  if (c.type->kind == Kind::structure)
    return struct_record(plan_, schema_.struct_of(*c.type), c.values, columns, out_);
  polycodec_array* variants = out_.with_children(POLYCODEC_LAYOUT_UNION, c.values, columns);
  variants->index = Builder::column(std::span<const std::uint64_t>(c.starts, count_of));
  variants->tags = Builder::column(std::span<const std::uint8_t>(c.tags, count_of));
  return variants;
}

const polycodec_array* RowColumns::finish_views(const RowColumn& c, std::uint32_t dtype,
                                                std::uint8_t flags) {
  const std::uint32_t width = dtype_size(dtype);
  const polycodec_array* content = out_.strided(region_, base(), region_.size() / width, width,
                                                dtype, width, POLYCODEC_LITTLE_ENDIAN);
  polycodec_array* list = out_.with_children(POLYCODEC_LAYOUT_LIST_VIEW, c.values, {&content, 1});
  const auto count_of = static_cast<std::size_t>(c.values);
  list->starts = Builder::column(std::span<const std::uint64_t>(c.starts, count_of));
  list->stops = Builder::column(std::span<const std::uint64_t>(c.stops, count_of));
  list->flags = flags;
  return list;
}

const polycodec_array* RowColumns::finish_texts(const RowColumn& c) {
  if (!c.not_utf8) return finish_views(c, POLYCODEC_DTYPE_UINT8, POLYCODEC_ARRAY_STRING);
  polycodec_array* documents = out_.new_array(POLYCODEC_LAYOUT_DOCUMENT, c.values);
  auto* nodes = out_.allocate<polycodec_node>(c.values);
  documents->nodes = nodes;
  for (std::uint64_t i = 0; i < c.values; ++i)
    nodes[i] = text_node(base() + c.starts[i], c.stops[i] - c.starts[i]);
  return documents;
}

}  // namespace polycodec::fastbin
