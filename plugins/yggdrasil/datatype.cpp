// SPDX-License-Identifier: MIT
#include "datatype.hpp"

#include <polycodec/error.hpp>

namespace polycodec::yggdrasil {
namespace {

constexpr unsigned deepest = 64;

Datatype read(View schema, unsigned depth) {
  if (depth > deepest) throw Error(Status::option, "option 'datatype' is nested too deep");
  if (!schema.is_object()) throw Error(Status::option, "option 'datatype': a schema is no object");
  Datatype type;
  const auto word = schema.find("type");
  if (word && word->is_string()) {
    const TypeWord known = type_word(word->as_string());
    if (known != TypeWord::other && known != TypeWord::own) {
      Leaf leaf = Leaf::from(schema, true);
      leaf.resolve(false);
      type.leaf = std::move(leaf);
    }
  }
  for (std::uint64_t i = 0; i < schema.size(); ++i) {
    const std::string_view key = schema.key(i).as_string();
    const View value = schema.value(i);
    if (key == "properties" && value.is_object()) {
      for (std::uint64_t p = 0; p < value.size(); ++p) {
        type.names.emplace_back(value.key(p).as_string());
        type.properties.push_back(read(value.value(p), depth + 1));
      }
    } else if (key == "items" && value.is_object()) {
      type.items.push_back(read(value, depth + 1));
      type.one_item = true;
    } else if (key == "items" && value.is_list()) {
      for (std::uint64_t item = 0; item < value.size(); ++item) type.items.push_back(read(value[item], depth + 1));
    } else if (type.leaf && value.is_string() && !is_leaf_key(key)) {
      type.texts.emplace_back(std::string(key), std::string(value.as_string()));
    }
  }
  return type;
}

}  // namespace

Datatype Datatype::from(View schema) {
  try {
    return read(schema, 0);
  } catch (const Error& e) {
    if (e.code() == Status::option) throw;
    throw Error(Status::option, "option 'datatype': " + e.message()).detail(e.detail());
  }
}

}  // namespace polycodec::yggdrasil
