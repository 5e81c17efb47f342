// SPDX-License-Identifier: MIT
// Leaves that are neither numbers nor strings. Names stay names: nothing is resolved, imported or
// run.
#include <base/base64.hpp>
#include <base/utf8.hpp>

#include "decode.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec::yggdrasil {

polycodec_node Decoder::name(const Found& found, std::string_view extension) {
  const std::span<std::byte> bytes = data(found, 1);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::size_t bad = validate_utf8(text);
  if (bad != utf8_npos)
    fail(Status::malformed, "yggdrasil.bad_text",
         "byte " + std::to_string(bad) + " of a name is not UTF-8", found.data_at);
  take_nodes(1, found.start);
  take_levels(found.depth + 1, found.start);
  return with_attributes(found, out_.extension(extension, Builder::string_view(text)), false);
}

// Instances and schemas: JSON inside of the leaf.
polycodec_node Decoder::json(const Found& found, std::string_view extension) {
  const bool instance = found.schema->leaf.type == TypeWord::instance;
  const std::span<std::byte> bytes = data(found, 1);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (instance && !text.starts_with('{')) {
    const bool pickle = !text.empty() && static_cast<unsigned char>(text[0]) == 0x80;
    fail(pickle ? Status::unsupported : Status::malformed,
         pickle ? "yggdrasil.pickle" : "yggdrasil.bad_instance",
         pickle ? "a pickled instance: pickles run code and are never read"
                : "an instance is a JSON object with class, args and kwargs (or a pickle, which is "
                  "never read)",
         found.data_at);
  }
  take_nodes(1, found.start);
  take_levels(found.depth + 1, found.start);
  frames_.push_back({stack_.size(), false, nullptr, instance ? "<instance>" : "<schema>"});
  // Arguments that their schemas describe are raw bytes in strings, not always UTF-8.
  const bool described =
      NodeView(found.schema->object).find("args") || NodeView(found.schema->object).find("kwargs");
  const Mode mode{instance, settings_.lenient_utf8 || (instance && described)};
  polycodec_node payload =
      parse(text, {found.data_at, !found.raw, found.exact}, mode, nullptr, found.depth + 1);
  frames_.pop_back();
  if (payload.kind != POLYCODEC_KIND_OBJECT)
    fail(Status::malformed, instance ? "yggdrasil.bad_instance" : "yggdrasil.bad_schema",
         std::string(instance ? "an instance" : "a schema") + " is not a JSON object",
         found.data_at);
  if (instance && described) payload = arguments(found, payload);
  return with_attributes(found, out_.extension(extension, payload), false);
}

polycodec_node Decoder::geometry_text(std::string_view text, std::string_view codec) {
  const polycodec_node payload =
      is_utf8(text) ? Builder::string_view(text) : Builder::bytes_view(text);
  return out_.extension("yggdrasil." + std::string(codec), payload);
}

polycodec_node Decoder::geometry(const Found& found, std::string_view codec) {
  const std::span<std::byte> bytes = data(found, 64);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  take_nodes(4, found.start);
  take_levels(found.depth + 1, found.start);
  if (settings_.geometry_as_text) return with_attributes(found, geometry_text(text, codec), false);
  NodeView value;
  try {
    value = NodeView(call_.decode_with(codec, nullptr, text));
  } catch (const Error& e) {
    if (e.code() == Status::not_found || e.code() == Status::denied) {
      call_.log(POLYCODEC_LOG_INFO,
                "a " + std::string(codec) + " leaf is kept as text: " + e.message());
      return with_attributes(found, geometry_text(text, codec), false);
    }
    std::string message = "the " + std::string(codec) + " text: " + e.message();
    if (e.offset() != Error::no_offset)
      message += " (byte " + std::to_string(e.offset()) + " of it)";
    const std::uint64_t offset =
        e.offset() == Error::no_offset
            ? found.data_at
            : Origin{found.data_at, !found.raw, found.exact}.offset(e.offset());
    const std::string inner = e.path().starts_with('$') ? e.path().substr(1) : e.path();
    throw Error(e.code(), message, offset).detail(e.detail()).path(path() + inner);
  }
  // The attributes of the other codec, of the schema, and the word that says what it is.
  const std::optional<NodeView> own = value.metadata();
  const NodeView more =
      found.schema->metadata == nullptr ? NodeView() : NodeView(found.schema->metadata);
  polycodec_node* members = nullptr;
  const std::uint64_t others = (own ? own->size() : 0) + more.size();
  const polycodec_node attributes = out_.object(others + 1, &members);
  if (own) members = std::copy_n(own->entries().data(), 2 * own->size(), members);
  if (more.is_object()) members = std::copy_n(more.entries().data(), 2 * more.size(), members);
  members[0] = Builder::string_view("type");
  members[1] = Builder::string_view(codec == "ply" ? "ply" : "obj");
  return out_.annotated(*value.node(), attributes);
}

polycodec_node Decoder::unknown(const Found& found) {
  const std::span<std::byte> bytes = data(found, 1);
  take_nodes(5, found.start);
  take_levels(found.depth + 2, found.start);
  return out_.extension("yggdrasil.other",
                        out_.object({{"schema", Builder::string_view(found.schema->text)},
                                     {"data", Builder::bytes_view(bytes_of(bytes))}}));
}

// An array without shape has as many elements as there are data.
void Decoder::take_shape_from_data(Leaf& leaf, std::uint64_t size, std::uint64_t at) const {
  if (!leaf.is_array() || leaf.has_shape) return;
  if (leaf.item_size == 0 || size % leaf.item_size != 0)
    fail(Status::malformed, "yggdrasil.size_mismatch",
         std::to_string(size) + " bytes are not a multiple of the element size of " +
             std::to_string(leaf.item_size),
         at);
  leaf.count = size / leaf.item_size;
  leaf.shape = {static_cast<std::int64_t>(leaf.count)};
  leaf.bytes = size;
  leaf.sized = true;
}

// An object of a body that does not describe itself: an instance or a schema, if the header says
// so.
polycodec_node Decoder::described_object(const Datatype& type, const polycodec_node& object,
                                         std::uint64_t at, std::uint32_t depth) {
  if (type.leaf->type != TypeWord::instance && type.leaf->type != TypeWord::schema) return object;
  take_nodes(1, at);
  take_levels(depth + 1, at);
  return out_.extension("yggdrasil." + std::string(to_string(type.leaf->type)), object);
}

// A string of a body that does not describe itself: base64 without markers, perhaps in lines.
polycodec_node Decoder::described(const Datatype& type, const polycodec_node& text,
                                  std::uint64_t at, std::uint32_t depth) {
  auto chars = NodeView(&text).as_string();
  auto schema = std::make_unique<Schema>();
  schema->leaf = *type.leaf;
  Leaf& leaf = schema->leaf;
  Found found{schema.get(), chars, at, at, depth, false};
  if (leaf.dtype == 0) {
    switch (leaf.type) {
      case TypeWord::class_name:
      case TypeWord::function_name:
        take_nodes(1, at);
        take_levels(depth + 1, at);
        return out_.extension(
            leaf.type == TypeWord::class_name ? "yggdrasil.class" : "yggdrasil.function", text);
      case TypeWord::ply:
      case TypeWord::obj:
        // The text of the file, as it is.
        found.raw = true;
        return geometry(found, to_string(leaf.type));
      default:
        return text;
    }
  }
  Found lines = found;
  if (chars.find('\n') != std::string_view::npos) {
    auto* const joined = out_.allocate<char>(chars.size());
    char* to = joined;
    for (const char c : chars)
      if (c != '\n') *to++ = c;
    lines.data = {joined, static_cast<std::size_t>(to - joined)};
  }
  const std::size_t padding = lines.data.ends_with("==") ? 2 : lines.data.ends_with('=') ? 1 : 0;
  const std::size_t size =
      base64_decoded_bound(lines.data.size()) - std::min(padding, lines.data.size() / 4 * 3);
  if (leaf.is_string() && leaf.is_scalar()) {
    leaf.bytes = size;
    leaf.sized = true;
  }
  take_shape_from_data(leaf, size, at);
  if (!type.texts.empty()) {
    std::vector<Member> members;
    for (const auto& [key, value] : type.texts) members.push_back({key, out_.string_copy(value)});
    schema->metadata = out_.root(out_.object(members));
    take_nodes(2 + 2 * members.size(), at);
    take_levels(depth + 1, at);
  }
  try {
    return this->leaf(lines);
  } catch (const Error& e) {
    fail_at(e, at);
  }
}

}  // namespace polycodec::yggdrasil
