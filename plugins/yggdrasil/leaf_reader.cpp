// SPDX-License-Identifier: MIT
#include "leaf_reader.hpp"

#include <base/base64.hpp>

#include "decode.hpp"

#include <cstring>

namespace polycodec::yggdrasil {

const char* LeafReader::quick(const JsonText& text, const char* const p, std::uint32_t depth,
                              polycodec_node* node) {
  const char* const end = text.end;
  const char* const base64 = p + marker.size();
  const LeafSchema* const same = schemas_.same(base64, end);
  const auto* const stop = same != nullptr
                               ? base64 + same->base64.size()
                               : static_cast<const char*>(std::memchr(
                                     base64, '-', static_cast<std::size_t>(end - base64)));
  if (stop == nullptr || !is_word(stop, end, marker)) return nullptr;
  const char* const data = stop + marker.size();
  FoundLeaf found{nullptr,        {},    text.offset(data),
                  text.offset(p), depth, text.origin.exact && !text.origin.base64};
  const std::size_t frames = state_.frames.size();
  const std::size_t nodes = state_.stack.size();
  try {
    found.schema = same != nullptr
                       ? &schemas_.take(*same, text.offset(base64), depth)
                       : &schemas_.read({base64, static_cast<std::size_t>(stop - base64)},
                                        text.offset(base64), found.exact, depth);
  } catch (const Error& e) {
    if (e.code() == Status::limit) throw;
    state_.frames.resize(frames);
    state_.stack.set_size(nodes);
    return nullptr;  // it may be a text that only begins like a leaf
  }
  if (!found.schema->leaf.sized) return nullptr;
  const auto left = static_cast<std::uint64_t>(end - data);
  // No overflow: the bytes were checked to be less than 2^63.
  const std::uint64_t size = base64_encoded_size(found.schema->leaf.bytes);
  if (left <= marker.size() || size > left - marker.size() - 1) return nullptr;
  const char* const behind = data + size;
  if (!is_word(behind, end, marker) || behind[marker.size()] != '"') return nullptr;
  found.data = {data, static_cast<std::size_t>(size)};
  try {
    *node = read(found);
  } catch (const Error& e) {
    state_.fail_at(e, found.start);
  }
  return behind + marker.size() + 1;
}

polycodec_node LeafReader::whole(std::string_view text, std::uint64_t at, bool exact,
                                 std::uint32_t depth) {
  const auto offset = [&](std::size_t place) { return exact ? at + place : at; };
  const std::size_t schema_at = marker.size();
  const std::size_t behind = text.size() - marker.size();
  const std::size_t middle = text.find(marker, schema_at);
  if (middle == std::string_view::npos || middle + marker.size() > behind)
    state_.fail(
        Status::malformed, "yggdrasil.markers",
        "a typed value has three markers -YGG-: before its schema, before its data and after its "
        "data",
        at);
  const std::size_t data_at = middle + marker.size();
  try {
    const LeafSchema& found =
        schemas_.read(text.substr(schema_at, middle - schema_at), offset(schema_at), exact, depth);
    return read(
        {&found, text.substr(data_at, behind - data_at), offset(data_at), at, depth, exact});
  } catch (const Error& e) {
    state_.fail_at(e, at);
  }
}

polycodec_node LeafReader::read(const FoundLeaf& found) {
  switch (found.schema->leaf.type) {
    case TypeWord::ndarray:
    case TypeWord::array1d:
      return array_of(state_, found);
    case TypeWord::class_name:
      return name_of(state_, found, "yggdrasil.class");
    case TypeWord::function_name:
      return name_of(state_, found, "yggdrasil.function");
    case TypeWord::instance:
      return json(found, "yggdrasil.instance");
    case TypeWord::schema:
      return json(found, "yggdrasil.schema");
    case TypeWord::ply:
      return geometry_of(state_, found, "ply");
    case TypeWord::obj:
      return geometry_of(state_, found, "obj");
    case TypeWord::own:
      return own_of(state_, found);
    case TypeWord::other:
      return unknown_of(state_, found);
    default:
      return found.schema->leaf.is_string() ? text_of(state_, found) : scalar_of(state_, found);
  }
}

// Instances and schemas: JSON inside of the leaf.
polycodec_node LeafReader::json(const FoundLeaf& found, std::string_view extension) {
  const bool instance = found.schema->leaf.type == TypeWord::instance;
  const std::string_view text = chars_of(state_, found);
  if (instance && !text.starts_with('{')) {
    const bool pickle = !text.empty() && static_cast<unsigned char>(text[0]) == 0x80;
    state_.fail(
        pickle ? Status::unsupported : Status::malformed,
        pickle ? "yggdrasil.pickle" : "yggdrasil.bad_instance",
        pickle ? "a pickled instance: pickles run code and are never read"
               : "an instance is a JSON object with class, args and kwargs (or a pickle, which is "
                 "never read)",
        found.data_at);
  }
  state_.take_nodes(1, found.start);
  state_.take_levels(found.depth + 1, found.start);
  // Arguments that their schemas describe are raw bytes in strings, not always UTF-8.
  const bool described =
      NodeView(found.schema->object).find("args") || NodeView(found.schema->object).find("kwargs");
  const Mode mode{instance, state_.settings.lenient_utf8 || (instance && described)};
  polycodec_node payload = json_.within(instance ? "<instance>" : "<schema>", text,
                                        found.data_origin(), mode, found.depth + 1);
  if (payload.kind != POLYCODEC_KIND_OBJECT)
    state_.fail(Status::malformed, instance ? "yggdrasil.bad_instance" : "yggdrasil.bad_schema",
                std::string(instance ? "an instance" : "a schema") + " is not a JSON object",
                found.data_at);
  if (instance && described) payload = with_arguments(state_, *this, found, payload);
  return with_attributes(state_, found, state_.out.extension(extension, payload), false);
}

polycodec_node LeafReader::described_object(const Datatype& type, const polycodec_node& object,
                                            std::uint64_t at, std::uint32_t depth) {
  if (type.leaf->type != TypeWord::instance && type.leaf->type != TypeWord::schema) return object;
  state_.take_nodes(1, at);
  state_.take_levels(depth + 1, at);
  return state_.out.extension("yggdrasil." + std::string(to_string(type.leaf->type)), object);
}

polycodec_node LeafReader::described(const Datatype& type, const polycodec_node& text,
                                     std::uint64_t at, std::uint32_t depth) {
  const std::string_view chars = NodeView(&text).as_string();
  LeafSchema schema;
  schema.leaf = *type.leaf;
  Leaf& leaf = schema.leaf;
  FoundLeaf found{&schema, chars, at, at, depth, false};
  if (leaf.dtype == 0) {
    switch (leaf.type) {
      case TypeWord::class_name:
      case TypeWord::function_name:
        state_.take_nodes(1, at);
        state_.take_levels(depth + 1, at);
        return state_.out.extension(
            leaf.type == TypeWord::class_name ? "yggdrasil.class" : "yggdrasil.function", text);
      case TypeWord::ply:
      case TypeWord::obj:
        // The text of the file, as it is.
        found.raw = true;
        return geometry_of(state_, found, to_string(leaf.type));
      default:
        return text;
    }
  }
  if (chars.find('\n') != std::string_view::npos) {
    auto* const joined = state_.out.allocate<char>(chars.size());
    char* to = joined;
    for (const char c : chars)
      if (c != '\n') *to++ = c;
    found.data = {joined, static_cast<std::size_t>(to - joined)};
  }
  const std::size_t size = base64_decoded_size(found.data);
  if (leaf.is_string() && leaf.is_scalar()) {
    leaf.bytes = size;
    leaf.sized = true;
  }
  take_shape_from_data(state_, leaf, size, at);
  if (!type.texts.empty()) {
    std::vector<Member> members;
    for (const auto& [key, value] : type.texts)
      members.push_back({key, state_.out.string_copy(value)});
    schema.metadata = state_.out.root(state_.out.object(members));
    state_.take_nodes(2 + 2 * members.size(), at);
    state_.take_levels(depth + 1, at);
  }
  try {
    return read(found);
  } catch (const Error& e) {
    state_.fail_at(e, at);
  }
}

}  // namespace polycodec::yggdrasil
