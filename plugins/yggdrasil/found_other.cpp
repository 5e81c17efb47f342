// SPDX-License-Identifier: MIT
// Leaves that are neither numbers nor strings.
#include <polycodec/utf.hpp>

#include "found_leaf.hpp"

#include <algorithm>

namespace polycodec::yggdrasil {
namespace {

polycodec_node geometry_text(Builder& out, std::string_view text, std::string_view codec) {
  const polycodec_node payload =
      is_utf8(text) ? Builder::string_view(text) : Builder::bytes_view(text);
  return out.extension("yggdrasil." + std::string(codec), payload);
}

}  // namespace

polycodec_node name_of(Decoding& state, const FoundLeaf& found, std::string_view extension) {
  const std::string_view text = chars_of(state, found);
  const std::size_t bad = validate_utf8(text);
  if (bad != utf8_npos)
    state.fail(Status::malformed, "yggdrasil.bad_text",
               "byte " + std::to_string(bad) + " of a name is not UTF-8", found.data_at);
  state.take_nodes(1, found.start);
  state.take_levels(found.depth + 1, found.start);
  return with_attributes(state, found, state.out.extension(extension, Builder::string_view(text)),
                         false);
}

polycodec_node geometry_of(Decoding& state, const FoundLeaf& found, std::string_view codec) {
  const std::string_view text = chars_of(state, found, 64);
  state.take_nodes(4, found.start);
  state.take_levels(found.depth + 1, found.start);
  if (state.settings.geometry_as_text)
    return with_attributes(state, found, geometry_text(state.out, text, codec), false);
  NodeView value;
  try {
    value = NodeView(state.call.decode_with(codec, nullptr, text));
  } catch (const Error& e) {
    if (e.code() == Status::not_found || e.code() == Status::denied) {
      state.call.log(POLYCODEC_LOG_INFO,
                     "a " + std::string(codec) + " leaf is kept as text: " + e.message());
      return with_attributes(state, found, geometry_text(state.out, text, codec), false);
    }
    std::string message = "the " + std::string(codec) + " text: " + e.message();
    if (e.offset() != Error::no_offset)
      message += " (byte " + std::to_string(e.offset()) + " of it)";
    const std::uint64_t offset =
        e.offset() == Error::no_offset ? found.data_at : found.data_origin().offset(e.offset());
    const std::string inner = e.path().starts_with('$') ? e.path().substr(1) : e.path();
    throw Error(e.code(), message, offset).detail(e.detail()).path(state.path() + inner);
  }
  // The attributes of the other codec, of the schema, and the word that says what it is.
  const std::optional<NodeView> own = value.metadata();
  const NodeView more =
      found.schema->metadata == nullptr ? NodeView() : NodeView(found.schema->metadata);
  polycodec_node* members = nullptr;
  const std::uint64_t others = (own ? own->size() : 0) + more.size();
  const polycodec_node attributes = state.out.object(others + 1, &members);
  if (own) members = std::copy_n(own->entries().data(), 2 * own->size(), members);
  if (more.is_object()) members = std::copy_n(more.entries().data(), 2 * more.size(), members);
  members[0] = Builder::string_view("type");
  members[1] = Builder::string_view(codec == "ply" ? "ply" : "obj");
  return state.out.annotated(*value.node(), attributes);
}

polycodec_node unknown_of(Decoding& state, const FoundLeaf& found) {
  const std::span<std::byte> bytes = data_of(state, found, 1);
  state.take_nodes(5, found.start);
  state.take_levels(found.depth + 2, found.start);
  return state.out.extension("yggdrasil.other",
                             state.out.object({{"schema", Builder::string_view(found.schema->text)},
                                               {"data", Builder::bytes_view(bytes_of(bytes))}}));
}

}  // namespace polycodec::yggdrasil
