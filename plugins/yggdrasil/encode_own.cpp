// SPDX-License-Identifier: MIT
// Words of our own (leaf.hpp), and leaves that other codecs write.
#include <base/dtype_names.hpp>
#include <base/memory_sink.hpp>
#include <model/geometry.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>

#include "leaf_writer.hpp"
#include "number_text.hpp"

namespace polycodec::yggdrasil {

namespace {

// The schema of a value of our own, with its attributes.
std::string own_schema(Writing& state, OwnKind kind, std::uint32_t dtype, std::uint32_t unit,
                       const polycodec_array* array, const polycodec_node* attributes) {
  state.refuse_foreign("a value of type " + std::string(own_dtype_name(dtype)));
  std::string schema = "{\"type\":\"polycodec\",\"kind\":\"" + std::string(to_string(kind)) +
                       "\",\"dtype\":\"" + std::string(own_dtype_name(dtype)) + '"';
  if (dtype >= POLYCODEC_DTYPE_TIMESTAMP64)
    schema += ",\"unit\":\"" + std::string(time_unit_name(unit)) + '"';
  if (array != nullptr) {
    schema += ",\"shape\":[";
    for (std::uint32_t axis = 0; axis < array->ndim; ++axis)
      schema += (axis == 0 ? "" : ",") + std::to_string(array->shape[axis]);
    schema += ']';
  }
  if (attributes != nullptr && polycodec_node_size(attributes) != 0) {
    schema += ",\"attributes\":";
    schema += json_of(state, *attributes, state.frames.size() + 1);
  }
  schema += '}';
  return schema;
}

}  // namespace

void put_own_scalar(Writing& state, LeafWriter& leaves, std::uint32_t dtype, const std::byte* bytes,
                    std::uint64_t size, const polycodec_node* attributes) {
  leaves.leaf(own_schema(state, OwnKind::scalar, dtype, 0, nullptr, attributes), bytes, size);
}

void put_own_array(Writing& state, LeafWriter& leaves, const polycodec_array& leaf,
                   const polycodec_node* attributes) {
  leaves.leaf(own_schema(state, OwnKind::ndarray, leaf.dtype, leaf.unit, &leaf, attributes), leaf);
}

void put_own_time(Writing& state, LeafWriter& leaves, const polycodec_time& time, bool point,
                  const polycodec_node* attributes) {
  const std::string schema = own_schema(
      state, OwnKind::time, point ? POLYCODEC_DTYPE_TIMESTAMP64 : POLYCODEC_DTYPE_DURATION64,
      time.unit, nullptr, attributes);
  std::byte bytes[12];
  store(bytes, time.count, std::endian::little);
  store(bytes + 8, time.nanoseconds, std::endian::little);
  leaves.leaf(schema, bytes, point ? 12 : 8);
}

bool put_geometry(Writing& state, LeafWriter& leaves, const polycodec_node& node,
                  const polycodec_node* attributes) {
  const std::string_view codec = geometry_codec(NodeView(&node), attributes);
  if (codec.empty() || state.plain) return false;
  const bool ply = codec == "ply";
  // What readers of yggdrasil understand: text, the old names of types, and lines without carriage
  // returns, after which they would see nothing more, without an error.
  polycodec_node options_nodes[6];
  std::uint64_t count = 0;
  const auto add = [&](std::string_view name, std::string_view value) {
    options_nodes[2 * count] = Builder::string_view(name);
    options_nodes[2 * count + 1] = Builder::string_view(value);
    ++count;
  };
  add("line_ending", "lf");
  if (ply) {
    add("format", "ascii");
    add("types", "old");
  }
  auto options = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, count);
  options.as.nodes = options_nodes;

  MemorySink sink(state.call.limits().max_output_bytes);
  polycodec_output output{};
  output.struct_size = sizeof output;
  output.parts = POLYCODEC_INPUT_BYTES;
  output.sink = sink.abi();
  try {
    const polycodec_host* const host = state.call.raw()->host;
    invoke(host->encode_with, host, state.call.raw(), to_bytes(codec),
           static_cast<const polycodec_node*>(&options), &node,
           static_cast<const polycodec_output*>(&output));
  } catch (const Error& e) {
    if (e.code() == Status::limit || e.code() == Status::cancelled || e.code() == Status::memory)
      throw;
    // Not what that codec writes after all, or the codec is not there.
    return false;
  }
  // Of the attributes, only those of the leaf: all others are in the text.
  polycodec_node members[4];
  std::uint64_t kept = 0;
  for (const std::string_view name : {std::string_view("units"), std::string_view("title")}) {
    const auto found = attributes == nullptr ? std::nullopt : NodeView(attributes).find(name);
    if (!found) continue;
    members[2 * kept] = Builder::string_view(name);
    members[2 * kept + 1] = *found->raw();
    ++kept;
  }
  auto rest = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, kept);
  rest.as.nodes = members;
  leaves.name(ply ? TypeWord::ply : TypeWord::obj,
              ply ? ply_as_streams_print(sink.text()) : obj_with_points(sink.text()),
              kept == 0 ? nullptr : &rest);
  return true;
}

}  // namespace polycodec::yggdrasil
