// SPDX-License-Identifier: MIT
// The schema of an instance may have schemas of its arguments (`args`, `kwargs`): the string of an
// argument that is not plain JSON then holds its bytes as they are, which need not be UTF-8.
#include <polycodec/path.hpp>
#include <polycodec/utf.hpp>

#include "leaf_reader.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace polycodec::yggdrasil {
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

// Strings that no schema made bytes are UTF-8, as everywhere. The depth was checked when they were
// read.
void check_plain_texts(const Decoding& state, const polycodec_node& node, std::uint64_t at) {
  if (node.kind == POLYCODEC_KIND_STRING && node.dtype == POLYCODEC_STRING_LENIENT &&
      !is_utf8(NodeView(&node).as_string()))
    state.fail(Status::malformed, "json.utf8",
               "a text in an instance that is not UTF-8, and that no schema calls bytes", at);
  if (node.kind == POLYCODEC_KIND_LIST)
    for (const polycodec_node& item : NodeView(&node).items()) check_plain_texts(state, item, at);
  if (node.kind == POLYCODEC_KIND_OBJECT)
    for (const polycodec_node& part : NodeView(&node).entries()) check_plain_texts(state, part, at);
}

/// Gives the arguments of an instance what their schemas say.
class Arguments {
 public:
  Arguments(Decoding& state, LeafReader& leaves, const FoundLeaf& instance)
      : state_(state), leaves_(leaves), instance_(instance) {}

  /// The argument `key` of the instance.
  polycodec_node read(std::string_view key, NodeView schema, const polycodec_node& value);
  /// Where the value at hand is; when an error is thrown, where the bad one is.
  const std::string& place() const noexcept { return place_; }

 private:
  polycodec_node value(NodeView schema, const polycodec_node& value, std::uint32_t depth);
  polycodec_node text(NodeView schema, const polycodec_node& text, std::uint32_t depth);

  Decoding& state_;
  LeafReader& leaves_;
  const FoundLeaf& instance_;
  std::string place_;
};

polycodec_node Arguments::read(std::string_view key, NodeView schema, const polycodec_node& value) {
  place_.clear();
  append_key(place_, key);
  const std::uint32_t depth = instance_.depth + 2;
  if (key == "args" || !schema.is_object() || has_type(schema, "object"))
    return key == "args" || schema.is_object() ? this->value(schema, value, depth) : value;
  // The schemas by name: an object of schemas is where `properties` would be.
  const polycodec_node all = state_.out.object({{"properties", *schema.raw()}});
  return this->value(NodeView(state_.out.store(all)), value, depth);
}

polycodec_node Arguments::value(NodeView schema, const polycodec_node& value, std::uint32_t depth) {
  if (!schema.is_object() && !schema.is_list()) return value;
  const std::size_t here = place_.size();
  polycodec_node made = value;
  switch (value.kind) {
    case POLYCODEC_KIND_STRING:
      return schema.is_object() ? text(schema, value, depth) : value;
    case POLYCODEC_KIND_LIST: {
      const std::span<const polycodec_node> items = NodeView(&value).items();
      polycodec_node* kept = nullptr;
      for (std::uint64_t i = 0; i < items.size(); ++i) {
        const auto wanted = of_item(schema, i);
        if (!wanted) continue;
        append_index(place_, i);
        const polycodec_node item = this->value(*wanted, items[i], depth + 1);
        if (kept == nullptr) {
          kept = state_.out.allocate<polycodec_node>(items.size());
          std::copy(items.begin(), items.end(), kept);
          made.as.nodes = kept;
        }
        kept[i] = item;
        place_.resize(here);
      }
      if (kept != nullptr && is_table(kept, items.size()))
        return table_of(state_.out, kept, items.size());
      return made;
    }
    case POLYCODEC_KIND_OBJECT: {
      const NodeView object(&value);
      polycodec_node* kept = nullptr;
      for (std::uint64_t i = 0; i < object.size(); ++i) {
        const std::string_view key = object.key(i).as_string();
        const auto wanted = of_member(schema, key, i);
        if (!wanted) continue;
        append_key(place_, key);
        const polycodec_node member = this->value(*wanted, object.entries()[2 * i + 1], depth + 1);
        if (kept == nullptr) {
          kept = state_.out.allocate<polycodec_node>(2 * object.size());
          std::copy_n(object.entries().data(), 2 * object.size(), kept);
          made.as.nodes = kept;
        }
        kept[2 * i + 1] = member;
        place_.resize(here);
      }
      return made;
    }
    default:
      return value;
  }
}

// A text that stays one if its schema has a type of plain JSON, or one that nobody knows.
polycodec_node Arguments::text(NodeView object, const polycodec_node& text, std::uint32_t depth) {
  const auto type = object.find("type");
  if (!type || !type->is_string()) return text;
  const TypeWord word = type_word(type->as_string());
  if (word == TypeWord::other || word == TypeWord::own) return text;
  const std::uint64_t at = instance_.data_at;
  LeafSchema schema;
  schema.object = object;
  schema.leaf = Leaf::from(object, state_.settings.dialect != Dialect::current);
  schema.leaf.resolve(false);
  schema.find_attributes(state_.out);
  const std::string_view bytes = NodeView(&text).as_string();
  take_shape_from_data(state_, schema.leaf, bytes.size(), at);
  state_.take_nodes(schema.nodes, at);
  state_.take_levels(depth + schema.levels, at);
  try {
    return leaves_.read({&schema, bytes, at, at, depth, false, true});
  } catch (const Error& e) {
    state_.fail_at(e, at);
  }
}

}  // namespace

polycodec_node with_arguments(Decoding& state, LeafReader& leaves, const FoundLeaf& found,
                              const polycodec_node& instance) {
  const NodeView given(&instance);
  polycodec_node* members = nullptr;
  const polycodec_node made = state.out.object(given.size(), &members);
  std::copy_n(given.entries().data(), 2 * given.size(), members);
  Arguments arguments(state, leaves, found);
  for (std::uint64_t i = 0; i < given.size(); ++i) {
    const std::string_view key = given.key(i).as_string();
    const auto schema = found.schema->object.find(key);
    if ((key != "args" && key != "kwargs") || !schema) continue;
    try {
      members[2 * i + 1] = arguments.read(key, *schema, members[2 * i + 1]);
    } catch (const Error& e) {
      throw Error(e).path(state.path() + "<instance>" + arguments.place());
    }
  }
  if (!state.settings.lenient_utf8) check_plain_texts(state, made, found.data_at);
  return made;
}

}  // namespace polycodec::yggdrasil
