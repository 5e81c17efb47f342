// SPDX-License-Identifier: MIT
// What reading has turned into something inert goes back to what it was in the file.
#include "encode.hpp"
#include "frame.hpp"
#include "numpy.hpp"

#include <algorithm>
#include <deque>

namespace polycodec::awkward {
namespace {

bool is_function_name(NodeView v) {
  if (!v.is_list() || v.size() < 2) return false;
  const auto parts = v.items();
  return std::all_of(parts.begin(), parts.end(), [](const polycodec_node& part) {
    return part.kind == POLYCODEC_KIND_STRING && is_json_scalar(part);
  });
}

bool is_dtype(NodeView v) {
  try {
    static_cast<void>(parse_numpy_type(v));
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

const polycodec_node* generator_of(const polycodec_array& a) {
  if (a.metadata == nullptr) return nullptr;
  const NodeView attributes(a.metadata);
  const auto name = attributes.find(object::generator);
  if (!name || !is_function_name(*name)) return nullptr;
  const auto args = attributes.find(object::args);
  if (args && args->kind() != POLYCODEC_KIND_TUPLE) return nullptr;
  const auto kwargs = attributes.find(object::kwargs);
  if (kwargs && !kwargs->is_object()) return nullptr;
  return name->raw();
}

void put_objects(Encoder& e, const polycodec_array& a, const polycodec_node& generator,
                 const Rows& rows, std::uint64_t id) {
  const NodeView attributes(a.metadata);
  // Everything else that is said of the array is said of its content.
  std::vector<polycodec_node> kept;
  for (std::uint64_t i = 0; i < attributes.size(); ++i) {
    const std::string_view name = attributes.key(i).as_string();
    const polycodec_node* entry = a.metadata->as.nodes + 2 * i;
    const NodeView value(entry + 1);
    if (name == object::content && value.is_object() && value.find(object::generator))
      kept.insert(kept.end(), value.entries().begin(), value.entries().end());
    else if (name == object::content || !object::is_attribute(name))
      kept.insert(kept.end(), entry, entry + 2);
  }
  polycodec_node rest = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, kept.size() / 2);
  rest.as.nodes = kept.data();
  polycodec_array content = a;
  content.metadata = kept.empty() ? nullptr : &rest;

  e.begin_call({"awkward0", "ObjectArray"});
  put_column_as(e, content, rows, "ObjectArray.content", e.next_id());
  e.schema.begin("{\"function\": ");
  put_json(e, generator);
  e.schema.raw("}");
  const auto part = [&](std::string_view name, std::string_view nothing) {
    const auto value = attributes.find(name);
    if (!value) return static_cast<void>(e.schema.begin(nothing));
    e.survey.look_through_attributes(*value->raw());
    const PathStep attribute(e.path, Part::attributes);
    const PathStep step(e.path, name);
    put_node(e, *value->raw());
  };
  part(object::args, "{\"tuple\": []}");
  part(object::kwargs, "{\"dict\": {}}");
  end_call(e, id);
}

namespace {

/// The record in lists of records, none of which but the outermost has attributes; NULL for others.
const polycodec_array* record_in(const polycodec_array& a) {
  const polycodec_array* inner = &a;
  while (ArrayView(*inner).is_list() && !ArrayView(*inner).is_string() &&
         !ArrayView(*inner).is_binary()) {
    inner = inner->children[0];
    if (inner->metadata != nullptr) return nullptr;
  }
  return inner->layout == POLYCODEC_LAYOUT_RECORD && inner->names != nullptr ? inner : nullptr;
}

/// Writes column `i` of a record, in the lists that the record is in.
void put_class_column(Encoder& e, const polycodec_array& a, std::uint32_t i, const Rows& rows,
                      std::string_view context) {
  if (a.layout == POLYCODEC_LAYOUT_RECORD) return put_column(e, *a.children[i], rows, context);
  // The headers of the lists, the outermost first, around the column in place of the record.
  std::deque<polycodec_array> headers;
  std::deque<const polycodec_array*> contents;
  const polycodec_array* inner = &a;
  for (; inner->layout != POLYCODEC_LAYOUT_RECORD; inner = inner->children[0]) {
    headers.push_back(*inner);
    headers.back().metadata = nullptr;
    if (headers.size() > 1) contents.push_back(&headers.back());
  }
  contents.push_back(inner->children[i]);
  for (std::size_t k = 0; k < headers.size(); ++k) headers[k].children = &contents[k];
  put_column_as(e, headers.front(), rows, context, e.next_id());
  for (const polycodec_array& header : headers) e.written.erase(&header);
}

}  // namespace

const polycodec_node* class_of(const polycodec_array& a) {
  if (a.metadata == nullptr) return nullptr;
  const auto name = NodeView(a.metadata).find(object::class_of);
  if (!name || !is_function_name(*name)) return nullptr;
  std::vector<std::string_view> path;
  for (const polycodec_node& part : name->items()) path.push_back(NodeView(&part).as_string());
  const auto columns = columns_of_class(path);
  const polycodec_array* record = record_in(a);
  if (columns.empty() || record == nullptr) return nullptr;
  const bool same = std::equal(
      columns.begin(), columns.end(), record->names, record->names + record->n_children,
      [](const char* column, const polycodec_bytes& its) { return column == to_string_view(its); });
  return same ? name->raw() : nullptr;
}

void put_class(Encoder& e, const polycodec_array& a, const polycodec_node& name, const Rows& rows,
               std::uint64_t id) {
  e.schema.begin("{\"call\": ");
  put_json(e, name);
  e.schema.raw(", \"args\": [");
  const polycodec_array& record = *record_in(a);
  const std::string class_name(NodeView(&name)[1].as_string());
  for (std::uint32_t i = 0; i < record.n_children; ++i) {
    const std::string_view column = to_string_view(record.names[i]);
    const PathStep step(e.path, column);
    put_class_column(e, a, i, rows, class_name + "." + std::string(column));
  }
  end_call(e, id, {}, a.metadata, {object::class_of});
}

bool put_inert(Encoder& e, const polycodec_node& n, const polycodec_node* attributes) {
  const polycodec_extension& extension = *n.as.extension;
  const std::string_view name = to_string_view(extension.name);
  const NodeView payload(extension.payload);
  const bool dtype =
      name == dtype_name_word && e.survey.is_plain(*extension.payload) && is_dtype(payload);
  if (!dtype && !(name == function_name_word && is_function_name(payload))) return false;
  e.schema.begin(dtype ? "{\"dtype\": " : "{\"function\": ");
  put_json(e, *extension.payload);
  end_node(e, n, {}, attributes);
  return true;
}

}  // namespace polycodec::awkward
