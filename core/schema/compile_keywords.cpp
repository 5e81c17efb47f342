// SPDX-License-Identifier: MIT
#include <base/path.hpp>
#include <base/quote.hpp>
#include <polycodec/error.hpp>

#include "compile.hpp"

#include <re2/re2.h>

#include <algorithm>

namespace polycodec::schema {
namespace {

// Bounds on regular expressions: RE2 needs no more than time linear in the text, whatever the
// expression, but memory that grows with it.
constexpr std::int64_t max_pattern_memory = std::int64_t{1} << 20;
constexpr std::uint64_t max_pattern_size = std::uint64_t{1}
                                           << 18;  // instructions of all expressions together

}  // namespace

bool Compiler::typed_keyword(Node& node, const Keyword& k) {
  const auto typed = [&]() -> TypedRules& { return rules(node.typed); };
  if (k.name == "subtype") {
    const auto subtype = subtype_named(text(k));
    if (!subtype) fail("schema.keyword", "unknown subtype " + quote(text(k)));
    typed().subtype = *subtype;
  } else if (k.name == "precision") {
    typed().precision = count(k);
  } else if (k.name == "units") {
    typed().units = std::string(text(k));
  } else if (k.name == "encoding") {
    const auto encoding = encoding_named(text(k));
    if (!encoding) fail("schema.keyword", "unknown encoding " + quote(text(k)));
    typed().encoding = *encoding;
  } else if (k.name == "shape") {
    if (!k.value.is_list()) fail(k, "a list of counts");
    typed().shape.emplace();
    for (const polycodec_node& extent : k.value.items())
      typed().shape->push_back(count({k.name, NodeView(&extent), 0}));
  } else if (k.name == "ndim") {
    typed().ndim = count(k);
  } else if (k.name == "length") {
    typed().length = count(k);
  } else {
    return false;
  }
  return true;
}

bool Compiler::number_keyword(Node& node, const Keyword& k) {
  const auto numbers = [&]() -> NumberRules& { return rules(node.numbers); };
  if (k.name == "minimum") {
    numbers().minimum = number(k);
  } else if (k.name == "maximum") {
    numbers().maximum = number(k);
  } else if (k.name == "exclusiveMinimum") {
    numbers().exclusive_minimum = boolean(k);
  } else if (k.name == "exclusiveMaximum") {
    numbers().exclusive_maximum = boolean(k);
  } else if (k.name == "multipleOf") {
    numbers().multiple_of = number(k);
    const View& step = *numbers().multiple_of;
    const bool positive = step.kind() == POLYCODEC_KIND_FLOAT ? step.as_double() > 0
                          : step.kind() == POLYCODEC_KIND_SIGNED
                              ? step.as_int64() > 0
                              : step.kind() == POLYCODEC_KIND_UNSIGNED;
    if (!positive) fail("schema.keyword", "\"multipleOf\" must be more than 0");
  } else {
    return false;
  }
  return true;
}

bool Compiler::text_keyword(Node& node, const Keyword& k) {
  if (k.name == "minLength") {
    rules(node.texts).min_length = count(k);
  } else if (k.name == "maxLength") {
    rules(node.texts).max_length = count(k);
  } else if (k.name == "pattern") {
    rules(node.texts).pattern = pattern(text(k));
    node.texts->pattern_text = text(k);
  } else {
    return false;
  }
  return true;
}

bool Compiler::list_keyword(Node& node, const Keyword& k) {
  const auto list = [&]() -> ListRules& { return rules(node.list); };
  if (k.name == "items") {
    if (k.value.is_list()) {
      list().tuple = schemas(k, true);
      list().has_tuple = true;
    } else {
      list().each = sub_schema(k);
    }
  } else if (k.name == "additionalItems") {
    if (k.value.is_object())
      list().additional_each = sub_schema(k);
    else
      list().additional = boolean(k);
  } else if (k.name == "minItems") {
    list().min_items = count(k);
  } else if (k.name == "maxItems") {
    list().max_items = count(k);
  } else if (k.name == "uniqueItems") {
    list().unique = boolean(k);
  } else {
    return false;
  }
  return true;
}

bool Compiler::object_keyword(Node& node, const Keyword& k) {
  const auto object = [&]() -> ObjectRules& { return rules(node.object); };
  if (k.name == "properties" || k.name == "patternProperties") {
    properties(node, k);
  } else if (k.name == "required") {
    object().required = texts(k, true);
  } else if (k.name == "additionalProperties") {
    if (k.value.is_object())
      object().additional_each = sub_schema(k);
    else
      object().additional = boolean(k);
  } else if (k.name == "minProperties") {
    object().min_properties = count(k);
  } else if (k.name == "maxProperties") {
    object().max_properties = count(k);
  } else if (k.name == "dependencies") {
    dependencies(node, k);
  } else {
    return false;
  }
  return true;
}

void Compiler::properties(Node& node, const Keyword& k) {
  ObjectRules& object = rules(node.object);
  if (!k.value.is_object()) fail(k, "an object");
  for (std::uint64_t i = 0; i < k.value.size(); ++i) {
    const std::string_view name = k.value.key(i).as_string();
    const std::size_t before = path_.size();
    append_key(path_, name);
    const Node* made = schema(k.value.value(i), k.depth + 1);
    if (k.name == "properties") {
      if (!object.by_name.emplace(name, object.properties.size()).second)
        fail("schema.keyword", "duplicate property");
      object.properties.push_back({name, made, false});
    } else {
      object.patterns.push_back({pattern(name), name, made});
    }
    path_.resize(before);
  }
}

void Compiler::dependencies(Node& node, const Keyword& k) {
  ObjectRules& object = rules(node.object);
  if (!k.value.is_object()) fail(k, "an object");
  for (std::uint64_t i = 0; i < k.value.size(); ++i) {
    const std::string_view name = k.value.key(i).as_string();
    const Keyword member{name, k.value.value(i), k.depth + 1};
    const std::size_t before = path_.size();
    append_key(path_, name);
    if (member.value.is_list())
      object.dependencies.push_back({name, texts(member, false), nullptr});
    else
      object.dependencies.push_back({name, {}, sub_schema(member)});
    path_.resize(before);
  }
}

bool Compiler::logic_keyword(Node& node, const Keyword& k) {
  if (k.name == "allOf") {
    auto made = schemas(k, false);
    rules(node.logic).all_of = std::move(made);
  } else if (k.name == "anyOf") {
    auto made = schemas(k, false);
    rules(node.logic).any_of = std::move(made);
  } else if (k.name == "oneOf") {
    auto made = schemas(k, false);
    rules(node.logic).one_of = std::move(made);
  } else if (k.name == "not") {
    rules(node.logic).none_of = sub_schema(k);
  } else if (k.name == "enum") {
    if (!k.value.is_list()) fail(k, "a list");
    rules(node.logic).choices = k.value;
  } else {
    return false;
  }
  return true;
}

bool Compiler::call_keyword(Node& node, const Keyword& k) {
  if (k.name == "class") {
    rules(node.call).class_name = std::string(text(k));
  } else if (k.name == "args" || k.name == "kwargs") {
    // A list or an object of schemas stands for the schema of a list or an object: a node is made
    // for it, with this keyword's value as its source.
    const bool args = k.name == "args";
    if (args && k.value.is_object()) {
      rules(node.call).args = sub_schema(k);
      return true;
    }
    Node& made = program_.nodes.emplace_back();
    made.source = k.value;
    if (args) {
      made.words = bit(Word::array);
      rules(made.list).tuple = schemas(k, true);
      made.list->has_tuple = true;
      rules(node.call).args = &made;
    } else {
      made.words = bit(Word::object);
      properties(made, {"properties", k.value, k.depth});
      rules(node.call).kwargs = &made;
    }
  } else {
    return false;
  }
  return true;
}

void Compiler::finish(Node& node) {
  if (node.object) aliases(node);
  if (node.typed && node.typed->shape && node.typed->ndim &&
      *node.typed->ndim != node.typed->shape->size())
    fail("schema.keyword", "\"ndim\" is " + std::to_string(*node.typed->ndim) +
                               ", and \"shape\" has " + std::to_string(node.typed->shape->size()) +
                               " extents");
  if (node.typed && node.typed->subtype != Subtype::none && !is_text(node.typed->subtype) &&
      node.typed->precision) {
    const std::uint64_t bytes = *node.typed->precision;
    const auto among = [&](std::initializer_list<std::uint64_t> sizes) {
      return std::find(sizes.begin(), sizes.end(), bytes) != sizes.end();
    };
    const Subtype subtype = node.typed->subtype;
    const bool fits = subtype == Subtype::complex  ? among({4, 8, 16, 32})
                      : subtype == Subtype::float_ ? among({2, 4, 8, 16})
                                                   : among({1, 2, 4, 8});
    if (!fits)
      fail("schema.keyword", "there is no " + std::string(name_of(subtype)) + " of " +
                                 std::to_string(bytes) + " bytes" +
                                 (bytes > 8 ? "; precision counts bytes, not bits" : ""));
  }
}

// When references lead to where they lead: a default may stand behind one.
void Compiler::finish_properties(ObjectRules& object) {
  for (const std::string_view name : object.required)
    if (const auto at = object.by_name.find(name); at != object.by_name.end())
      object.properties[at->second].required = true;
  for (std::size_t i = 0; i < object.properties.size(); ++i)
    if (resolved(*object.properties[i].node).default_value) object.with_default.push_back(i);
}

void Compiler::aliases(Node& node) {
  ObjectRules& object = *node.object;
  for (std::size_t i = 0; i < object.properties.size(); ++i) {
    const auto names = object.properties[i].node->source.find("aliases");
    if (!names || object.properties[i].node->source.find("$ref")) continue;
    for (const polycodec_node& name : names->items()) {
      const std::string_view alias = NodeView(&name).as_string();
      if (object.by_name.contains(alias))
        fail("schema.keyword",
             quote(alias) + " is a property and an alias of " + quote(object.properties[i].name));
      if (!object.by_alias.emplace(alias, i).second)
        fail("schema.keyword", quote(alias) + " is a duplicate alias");
    }
  }
}

const re2::RE2* Compiler::pattern(std::string_view text) {
  if (const auto known = patterns_.find(text); known != patterns_.end()) return known->second;
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(max_pattern_memory);
  auto made = std::make_unique<RE2>(re2::StringPiece(text.data(), text.size()), options);
  if (!made->ok())
    fail("schema.pattern", "the regular expression " + quote(text) +
                               " is not one that RE2 accepts (" + made->error() +
                               "); there is neither look-ahead nor back-reference");
  pattern_size_ += static_cast<std::uint64_t>(std::max(made->ProgramSize(), 1));
  if (pattern_size_ > max_pattern_size)
    throw Error(Status::limit, "the regular expressions of the schema are too large together")
        .detail("schema.pattern")
        .path(path_);
  const RE2* kept = made.get();
  program_.patterns.push_back(std::move(made));
  patterns_.emplace(text, kept);
  return kept;
}

}  // namespace polycodec::schema
