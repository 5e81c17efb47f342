// SPDX-License-Identifier: MIT
// What reading has turned into something inert goes back to what it was in the file.
#include "encode.hpp"
#include "frame.hpp"
#include "numpy.hpp"

#include <algorithm>

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
