// SPDX-License-Identifier: MIT
// The start of decoding, and arguments of instances. The schema of an instance may have schemas of
// its arguments (`args`, `kwargs`): the string of an argument that is not plain JSON then holds its
// bytes as they are, which need not be UTF-8.
#include "decode.hpp"

#include <base/utf8.hpp>
#include <polycodec/path.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace polycodec::yggdrasil {

Decoder::Decoder(const Settings& settings, const Call& call, Builder& out)
    : settings_(settings),
      call_(call),
      out_(out),
      // What a datatype says of a body is for all of it.
      wanted_(settings.datatype ? nullptr : call.projection()),
      nodes_left_(call.limits().max_nodes),
      max_depth_(call.limits().max_depth) {}

const polycodec_node* Decoder::all(std::string_view input) {
  if (input.size() > call_.limits().max_input_bytes)
    throw Error(Status::limit, "the input has " + std::to_string(input.size()) +
                                   " bytes, the limit is " +
                                   std::to_string(call_.limits().max_input_bytes))
        .detail("yggdrasil.limit");
  take_nodes(1, 0);
  const Datatype* type = nullptr;
  if (settings_.dialect != Dialect::current && settings_.datatype) type = &*settings_.datatype;
  const bool typed = settings_.dialect != Dialect::legacy;
  return out_.root(parse(input, {}, {typed, settings_.lenient_utf8}, type, 0));
}

void Decoder::take_nodes(std::uint64_t count, std::uint64_t offset) {
  if (count > nodes_left_) [[unlikely]]
    fail(Status::limit, "yggdrasil.limit",
         "the value has more than " + std::to_string(call_.limits().max_nodes) + " nodes", offset);
  nodes_left_ -= count;
}

void Decoder::take_levels(std::uint64_t depth, std::uint64_t offset) {
  if (depth > max_depth_) [[unlikely]]
    fail(Status::limit, "yggdrasil.limit",
         "nested deeper than the limit of " + std::to_string(max_depth_), offset);
  call_.check_stack();
  if (depth > deepest_) deepest_ = static_cast<std::uint32_t>(depth);
}

std::string Decoder::path() const {
  std::string path = "$";
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const Frame& frame = frames_[i];
    const std::size_t end = i + 1 < frames_.size() ? frames_[i + 1].first : stack_.size();
    const std::size_t count = end - frame.first;
    if (frame.label != nullptr) {
      path += frame.label;
    } else if (!frame.object) {
      path += '[' + std::to_string(count) + ']';
    } else if (count % 2 != 0) {
      append_key(path, NodeView(stack_.begin() + end - 1).as_string());
    }
  }
  return path;
}

void Decoder::fail(Status status, const char* detail, std::string message,
                   std::uint64_t offset) const {
  throw Error(status, std::move(message), offset).detail(detail).path(path());
}

void Decoder::fail_at(const Error& error, std::uint64_t offset) const {
  Error known = error;
  if (known.offset() == Error::no_offset) known.offset(offset);
  if (known.path().empty()) known.path(path());
  throw known;
}

namespace {

bool has_type(NodeView schema, std::string_view word) {
  const auto type = schema.find("type");
  return type && type->is_string() && type->as_string() == word;
}

// What a schema says of item `i` of a list, or of the member `name` of an object.
std::optional<NodeView> of_item(NodeView schema, std::uint64_t i) {
  if (schema.is_list())
    return i < schema.size() ? std::optional<NodeView>(schema[i]) : std::nullopt;
  const auto items = schema.find("items");
  if (!items) return std::nullopt;
  return items->is_list() ? of_item(*items, i) : items;
}
// A name may occur twice: then the schemas are in the order of the members.
std::optional<NodeView> of_member(NodeView schema, std::string_view name, std::uint64_t i) {
  const auto properties = schema.find("properties");
  if (!properties || !properties->is_object()) return std::nullopt;
  if (i < properties->size() && properties->key(i).as_string() == name) return properties->value(i);
  return properties->find(name);
}

}  // namespace

// The object of an instance, with its arguments as what their schemas say.
polycodec_node Decoder::arguments(const Found& found, const polycodec_node& instance) {
  const NodeView given(&instance);
  polycodec_node* members = nullptr;
  const polycodec_node made = out_.object(given.size(), &members);
  std::copy_n(given.entries().data(), 2 * given.size(), members);
  for (std::uint64_t i = 0; i < given.size(); ++i) {
    const std::string_view key = given.key(i).as_string();
    const auto schema = found.schema->object.find(key);
    if ((key != "args" && key != "kwargs") || !schema) continue;
    polycodec_node& value = members[2 * i + 1];
    std::string place;
    append_key(place, key);
    try {
      if (key == "args") {
        value = argument(*schema, value, found, found.depth + 2, place);
      } else if (schema->is_object() && has_type(*schema, "object")) {
        value = argument(*schema, value, found, found.depth + 2, place);
      } else if (schema->is_object()) {
        // The schemas by name: an object of schemas stands where `properties` would.
        const polycodec_node all = out_.object({{"properties", *schema->raw()}});
        value = argument(NodeView(out_.store(all)), value, found, found.depth + 2, place);
      }
    } catch (const Error& e) {
      throw Error(e).path(path() + "<instance>" + place);
    }
  }
  if (!settings_.lenient_utf8) check_plain_texts(made, found.data_at);
  return made;
}

// Strings that no schema made bytes are UTF-8, as everywhere. The depth was checked when they were
// read.
void Decoder::check_plain_texts(const polycodec_node& node, std::uint64_t at) const {
  if (node.kind == POLYCODEC_KIND_STRING && node.dtype == POLYCODEC_STRING_LENIENT &&
      !is_utf8(NodeView(&node).as_string()))
    fail(Status::malformed, "json.utf8",
         "a text in an instance that is not UTF-8, and that no schema calls bytes", at);
  if (node.kind == POLYCODEC_KIND_LIST)
    for (const polycodec_node& item : NodeView(&node).items()) check_plain_texts(item, at);
  if (node.kind == POLYCODEC_KIND_OBJECT)
    for (const polycodec_node& part : NodeView(&node).entries()) check_plain_texts(part, at);
}

// `place`: where the value is; when an error is thrown, where the bad one is.
polycodec_node Decoder::argument(NodeView schema, const polycodec_node& value, const Found& found,
                                 std::uint32_t depth, std::string& place) {
  if (!schema.is_object() && !schema.is_list()) return value;
  const std::size_t here = place.size();
  polycodec_node made = value;
  switch (value.kind) {
    case POLYCODEC_KIND_STRING:
      return schema.is_object() ? typed_argument(schema, value, found, depth) : value;
    case POLYCODEC_KIND_LIST: {
      const std::span<const polycodec_node> items = NodeView(&value).items();
      polycodec_node* kept = nullptr;
      for (std::uint64_t i = 0; i < items.size(); ++i) {
        const auto wanted = of_item(schema, i);
        if (!wanted) continue;
        append_index(place, i);
        const polycodec_node item = argument(*wanted, items[i], found, depth + 1, place);
        if (kept == nullptr) {
          kept = out_.allocate<polycodec_node>(items.size());
          std::copy(items.begin(), items.end(), kept);
          made.as.nodes = kept;
        }
        kept[i] = item;
        place.resize(here);
      }
      if (kept != nullptr && is_table(kept, items.size())) return table(kept, items.size());
      return made;
    }
    case POLYCODEC_KIND_OBJECT: {
      const NodeView object(&value);
      polycodec_node* kept = nullptr;
      for (std::uint64_t i = 0; i < object.size(); ++i) {
        const std::string_view key = object.key(i).as_string();
        const auto wanted = of_member(schema, key, i);
        if (!wanted) continue;
        append_key(place, key);
        const polycodec_node member =
            argument(*wanted, object.entries()[2 * i + 1], found, depth + 1, place);
        if (kept == nullptr) {
          kept = out_.allocate<polycodec_node>(2 * object.size());
          std::copy_n(object.entries().data(), 2 * object.size(), kept);
          made.as.nodes = kept;
        }
        kept[2 * i + 1] = member;
        place.resize(here);
      }
      return made;
    }
    default:
      return value;
  }
}

// A text that stays one if its schema has a type of plain JSON, or one that nobody knows.
polycodec_node Decoder::typed_argument(NodeView object, const polycodec_node& text,
                                       const Found& found, std::uint32_t depth) {
  const auto type = object.find("type");
  if (!type || !type->is_string()) return text;
  const TypeWord word = type_word(type->as_string());
  if (word == TypeWord::other || word == TypeWord::own) return text;
  Schema schema;
  schema.object = object;
  schema.leaf = Leaf::from(object, settings_.dialect != Dialect::current);
  schema.leaf.resolve(false);
  find_attributes(schema);
  const std::string_view bytes = NodeView(&text).as_string();
  take_shape_from_data(schema.leaf, bytes.size(), found.data_at);
  take_nodes(schema.nodes, found.data_at);
  take_levels(depth + schema.levels, found.data_at);
  try {
    return leaf({&schema, bytes, found.data_at, found.data_at, depth, false, true});
  } catch (const Error& e) {
    fail_at(e, found.data_at);
  }
}

}  // namespace polycodec::yggdrasil
