// SPDX-License-Identifier: MIT
// What reading has turned into something inert goes back to what it was in the file: the items of
// an ObjectArray, dtypes and functions.
#include "encode.hpp"
#include "frame.hpp"
#include "numpy_type.hpp"

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

const polycodec_node* Encoder::generator_of(const polycodec_array& a) {
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

void Encoder::object_column(const polycodec_array& a, const polycodec_node& generator,
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

  call({"awkward0", "ObjectArray"});
  column_as(content, rows, "ObjectArray.content", next_id());
  schema_.raw(", {\"function\": ");
  json(generator);
  schema_.raw("}, ");
  const auto part = [&](std::string_view name, std::string_view nothing) {
    const auto value = attributes.find(name);
    if (!value) return static_cast<void>(schema_.raw(nothing));
    const std::size_t targets = targets_.size();
    survey(*value->raw());
    if (targets_.size() != targets) refuse("the attributes of an array have a reference");
    const Step attribute(*this, Step::Part{"attributes"});
    const Step step(*this, name);
    node(*value->raw());
  };
  part(object::args, "{\"tuple\": []}");
  schema_.raw(", ");
  part(object::kwargs, "{\"dict\": {}}");
  end_call(id);
}

bool Encoder::inert(const polycodec_node& n, const polycodec_node* attributes) {
  const polycodec_extension& extension = *n.as.extension;
  const std::string_view name = to_string_view(extension.name);
  const NodeView payload(extension.payload);
  const bool dtype = name == dtype_name_word && is_plain(*extension.payload) && is_dtype(payload);
  if (!dtype && !(name == function_name_word && is_function_name(payload))) return false;
  schema_.raw(dtype ? "{\"dtype\": " : "{\"function\": ");
  json(*extension.payload);
  end_node(n, {}, attributes);
  return true;
}

}  // namespace polycodec::awkward
