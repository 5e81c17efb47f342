// SPDX-License-Identifier: MIT
#include "compile.hpp"

#include <base/depth.hpp>
#include <model/type/parse.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>

#include "rewrite.hpp"

#include <algorithm>

namespace polycodec::schema {

void Compiler::fail(std::string_view word, std::string message) const {
  throw Error(Status::malformed, std::move(message)).detail(word).path(path_);
}

void Compiler::fail(const Keyword& keyword, const std::string& wanted) const {
  fail("schema.keyword", quote(keyword.name) + " must be " + wanted + ", and is " +
                             std::string(kind_name(keyword.value.node()->kind)));
}

void Compiler::compile() {
  resource_ = &resources_.emplace_back(Resource{{}, program_.document.view()});
  program_.root = schema(program_.document.view(), 0);
  resolve_references();
  link_references();
  refuse_cycles();
  for (Node& node : program_.nodes)
    if (node.object) finish_properties(*node.object);
}

Node* Compiler::schema(NodeView document, std::uint32_t depth) {
  if (!document.is_object())
    fail("schema.keyword",
         "a schema must be an object, and is " + std::string(kind_name(document.node()->kind)));
  check_depth(depth, limits_.max_depth, path_);
  if (const auto known = compiled_.find(document.node()); known != compiled_.end())
    return known->second;
  // A schema of two bytes becomes a node of many: what the text is bound by does not bind them.
  meter_.take(2 * sizeof(Node));
  if (program_.nodes.size() >= limits_.max_nodes)
    throw Error(Status::limit, "the schema has more parts than the limits allow").path(path_);
  Node& node = program_.nodes.emplace_back();
  compiled_.emplace(document.node(), &node);
  node.source = document;
  if (const auto target = document.find("$ref"); target && target->is_string()) {
    // Draft 4: what is beside a reference does not count.
    references_.push_back({&node, target->as_string(), path_, resource_});
    return &node;
  }
  const Resource* outer = resource_;
  identify(document);
  for (std::uint64_t i = 0; i < document.size(); ++i) {
    const std::string_view name = document.key(i).as_string();
    const PathStep step(path_, name);
    keyword(node, {name, document.value(i), depth + 1});
  }
  finish(node);
  resource_ = outer;
  return &node;
}

void Compiler::definitions(Node&, const Keyword& k) {
  const NodeView members = object(k);
  for (std::uint64_t i = 0; i < members.size(); ++i) {
    const PathStep step(path_, members.key(i).as_string());
    schema(members.value(i), k.depth + 1);
  }
}

void Compiler::types(Node& node, const Keyword& k) {
  const auto add = [&](NodeView word) {
    if (!word.is_string()) fail(k, "a string or a list of strings");
    if (word.as_string().empty()) fail("schema.keyword", "a type has no name");
    if (const auto known = word_named(word.as_string()))
      node.words |= bit(*known);
    else
      node.own_words.push_back(word.as_string());
    if (const auto notation = names_ ? names_(word.as_string()) : std::nullopt)
      node.registered.push_back(type::parse(*notation));
  };
  if (!k.value.is_list()) return add(k.value);
  if (k.value.size() == 0) fail("schema.keyword", "\"type\" names no type");
  for (const polycodec_node& word : k.value.items()) add(NodeView(&word));
}

Wrapping Compiler::wrapping(const Keyword& k) const {
  if (k.value.is_string()) return {true, k.value.as_string()};
  return {boolean(k), {}};
}

const Node* Compiler::sub_schema(const Keyword& k) {
  return schema(k.value, k.depth + 1);
}

std::vector<const Node*> Compiler::schemas(const Keyword& k) {
  if (!k.value.is_list()) fail(k, "a list of schemas");
  std::vector<const Node*> made;
  for (std::uint64_t i = 0; i < k.value.size(); ++i) {
    const PathStep step(path_, i);
    made.push_back(schema(k.value[i], k.depth + 1));
  }
  return made;
}

std::vector<const Node*> Compiler::some_schemas(const Keyword& k) {
  require_items(k);
  return schemas(k);
}

void Compiler::require_items(const Keyword& k) const {
  if (k.value.is_list() && k.value.size() == 0)
    fail("schema.keyword", quote(k.name) + " must not be empty");
}

std::uint64_t Compiler::count(const Keyword& k) const {
  // 4.0 is an integer for JSON Schema.
  if (k.value.kind() == POLYCODEC_KIND_FLOAT && k.value.as_double() >= 0 &&
      k.value.as_double() < 0x1p53 &&
      k.value.as_double() == static_cast<double>(static_cast<std::uint64_t>(k.value.as_double())))
    return static_cast<std::uint64_t>(k.value.as_double());
  if (!k.value.is_integer() || (k.value.kind() == POLYCODEC_KIND_SIGNED && k.value.as_int64() < 0))
    fail(k, "a count (an integer, not negative)");
  return k.value.as_uint64();
}

NodeView Compiler::object(const Keyword& k) const {
  if (!k.value.is_object()) fail(k, "an object");
  return k.value;
}

bool Compiler::boolean(const Keyword& k) const {
  if (k.value.kind() != POLYCODEC_KIND_BOOLEAN) fail(k, "true or false");
  return k.value.as_bool();
}

std::string_view Compiler::text(const Keyword& k) const {
  if (!k.value.is_string()) fail(k, "a string");
  return k.value.as_string();
}

std::vector<std::string_view> Compiler::texts(const Keyword& k) const {
  if (!k.value.is_list()) fail(k, "a list of strings");
  std::vector<std::string_view> made;
  for (const polycodec_node& item : k.value.items()) {
    if (!NodeView(&item).is_string()) fail(k, "a list of strings");
    made.push_back(NodeView(&item).as_string());
  }
  return made;
}

View Compiler::number(const Keyword& k) const {
  if (!k.value.is_number() &&
      !(k.value.kind() == POLYCODEC_KIND_WIDE && is_integer(k.value.dtype())))
    fail(k, "a number");
  return View(k.value);
}

}  // namespace polycodec::schema
