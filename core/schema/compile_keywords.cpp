// SPDX-License-Identifier: MIT
#include <base/seeded_hash.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>

#include "compile.hpp"
#include "number.hpp"
#include "pattern.hpp"

#include <algorithm>

namespace polycodec::schema {
namespace {

// Bounds on regular expressions: RE2 needs no more than time linear in the text, whatever the
// expression, but memory that grows with it.
constexpr std::int64_t max_pattern_memory = std::int64_t{1} << 20;
constexpr std::uint64_t max_pattern_size = std::uint64_t{1}
                                           << 18;  // instructions of all expressions together

}  // namespace

/// Compiles a keyword by one of the functions of a compiler.
template <auto compile>
void Compiler::by(Compiler& c, Node& node, const Keyword& k) {
  (c.*compile)(node, k);
}

/// Only checks the value of a keyword.
template <auto read>
void Compiler::check(Compiler& c, Node&, const Keyword& k) {
  static_cast<void>((c.*read)(k));
}

/// Sets a member of the rules of a node to what `read` makes of a keyword.
template <auto rules_of_node, auto member, auto read>
void Compiler::set(Compiler& c, Node& node, const Keyword& k) {
  auto value = (c.*read)(k);
  auto& to = rules(node.*rules_of_node).*member;
  to = static_cast<std::remove_reference_t<decltype(to)>>(std::move(value));
}

/// The same for a schema or a boolean.
template <auto rules_of_node, auto schema, auto allowed>
void Compiler::set_additional(Compiler& c, Node& node, const Keyword& k) {
  if (k.value.is_object())
    set<rules_of_node, schema, &Compiler::sub_schema>(c, node, k);
  else
    set<rules_of_node, allowed, &Compiler::boolean>(c, node, k);
}

// Keywords that nobody knows are annotations, as JSON Schema wants.
void Compiler::keyword(Node& node_of_keyword, const Keyword& keyword) {
  using Compile = void (*)(Compiler & c, Node & node, const Keyword& k);
  static const SeededMap<std::string_view, Compile> known = {
      {"type", by<&Compiler::types>},
      {"default", [](auto&, auto& node, auto& k) { node.default_value = k.value; }},
      {"title", check<&Compiler::text>},
      {"description", check<&Compiler::text>},
      {"format", check<&Compiler::text>},
      {"$schema", check<&Compiler::text>},
      {"id", check<&Compiler::text>},
      {"$ref", [](auto& c, auto&, auto& k) { c.fail(k, "a string"); }},
      {"deprecated",
       [](auto& c, auto& node, auto& k) {
         node.deprecated = k.value.is_string() || c.boolean(k);
         if (k.value.is_string()) node.deprecation = k.value.as_string();
       }},
      {"aliases", check<&Compiler::texts>},
      {"allowSingular", [](auto& c, auto& node, auto& k) { node.singular = c.wrapping(k); }},
      {"allowWrapped", [](auto& c, auto& node, auto& k) { node.wrapped = c.wrapping(k); }},
      {"pullProperties", check<&Compiler::object>},
      {"pushProperties", check<&Compiler::object>},
      {"definitions", by<&Compiler::definitions>},

      {"subtype",
       [](auto& c, auto& node, auto& k) {
         const auto subtype = subtype_named(c.text(k));
         if (!subtype) c.fail("schema.keyword", "unknown subtype " + quote(c.text(k)));
         rules(node.typed).subtype = *subtype;
       }},
      {"precision", set<&Node::typed, &TypedRules::precision, &Compiler::count>},
      {"units", set<&Node::typed, &TypedRules::units, &Compiler::text>},
      {"encoding",
       [](auto& c, auto& node, auto& k) {
         const auto encoding = encoding_named(c.text(k));
         if (!encoding) c.fail("schema.keyword", "unknown encoding " + quote(c.text(k)));
         rules(node.typed).encoding = *encoding;
       }},
      {"shape",
       [](auto& c, auto& node, auto& k) {
         if (!k.value.is_list()) c.fail(k, "a list of counts");
         auto& shape = rules(node.typed).shape.emplace();
         for (const polycodec_node& extent : k.value.items())
           shape.push_back(c.count({k.name, NodeView(&extent), 0}));
       }},
      {"ndim", set<&Node::typed, &TypedRules::ndim, &Compiler::count>},
      {"length", set<&Node::typed, &TypedRules::length, &Compiler::count>},

      {"minimum", set<&Node::numbers, &NumberRules::minimum, &Compiler::number>},
      {"maximum", set<&Node::numbers, &NumberRules::maximum, &Compiler::number>},
      {"exclusiveMinimum",
       set<&Node::numbers, &NumberRules::exclusive_minimum, &Compiler::boolean>},
      {"exclusiveMaximum",
       set<&Node::numbers, &NumberRules::exclusive_maximum, &Compiler::boolean>},
      {"multipleOf",
       [](auto& c, auto& node, auto& k) {
         const View step = c.number(k);
         const bool positive = compare(*number_of(step), Number::of(std::int64_t{0})) ==
                               std::partial_ordering::greater;
         if (!positive) c.fail("schema.keyword", "\"multipleOf\" must be more than 0");
         rules(node.numbers).multiple_of = step;
       }},

      {"minLength", set<&Node::texts, &TextRules::min_length, &Compiler::count>},
      {"maxLength", set<&Node::texts, &TextRules::max_length, &Compiler::count>},
      {"pattern",
       [](auto& c, auto& node, auto& k) {
         rules(node.texts).pattern = c.pattern(c.text(k));
         node.texts->pattern_text = c.text(k);
       }},

      {"items",
       [](auto& c, auto& node, auto& k) {
         rules(node.list).has_tuple = k.value.is_list();
         if (k.value.is_list())
           node.list->tuple = c.schemas(k);
         else
           node.list->each = c.sub_schema(k);
       }},
      {"additionalItems",
       set_additional<&Node::list, &ListRules::additional_each, &ListRules::additional>},
      {"minItems", set<&Node::list, &ListRules::min_items, &Compiler::count>},
      {"maxItems", set<&Node::list, &ListRules::max_items, &Compiler::count>},
      {"uniqueItems", set<&Node::list, &ListRules::unique, &Compiler::boolean>},

      {"properties", by<&Compiler::properties>},
      {"patternProperties", by<&Compiler::properties>},
      {"required", set<&Node::object, &ObjectRules::required, &Compiler::texts>},
      {"additionalProperties",
       set_additional<&Node::object, &ObjectRules::additional_each, &ObjectRules::additional>},
      {"minProperties", set<&Node::object, &ObjectRules::min_properties, &Compiler::count>},
      {"maxProperties", set<&Node::object, &ObjectRules::max_properties, &Compiler::count>},
      {"dependencies", by<&Compiler::dependencies>},

      {"allOf", set<&Node::logic, &LogicRules::all_of, &Compiler::some_schemas>},
      {"anyOf", set<&Node::logic, &LogicRules::any_of, &Compiler::some_schemas>},
      {"oneOf", set<&Node::logic, &LogicRules::one_of, &Compiler::some_schemas>},
      {"not", set<&Node::logic, &LogicRules::none_of, &Compiler::sub_schema>},
      {"enum",
       [](auto& c, auto& node, auto& k) {
         if (!k.value.is_list()) c.fail(k, "a list");
         rules(node.logic).choices = k.value;
       }},

      {"class", set<&Node::call, &CallRules::class_name, &Compiler::text>},
      {"args", by<&Compiler::arguments>},
      {"kwargs", by<&Compiler::arguments>},
  };
  if (const auto found = known.find(keyword.name); found != known.end())
    found->second(*this, node_of_keyword, keyword);
}

void Compiler::properties(Node& node, const Keyword& k) {
  const NodeView members = object(k);
  ObjectRules& to = rules(node.object);
  for (std::uint64_t i = 0; i < members.size(); ++i) {
    const std::string_view name = members.key(i).as_string();
    const PathStep step(path_, name);
    const Node* made = schema(k.value.value(i), k.depth + 1);
    if (k.name == "properties") {
      if (!to.by_name.emplace(name, to.properties.size()).second)
        fail("schema.keyword", "duplicate property");
      to.properties.push_back({name, made, false});
    } else {
      to.patterns.push_back({pattern(name), name, made});
    }
  }
}

void Compiler::dependencies(Node& node, const Keyword& k) {
  const NodeView members = object(k);
  ObjectRules& to = rules(node.object);
  for (std::uint64_t i = 0; i < members.size(); ++i) {
    const std::string_view name = members.key(i).as_string();
    const Keyword member{name, k.value.value(i), k.depth + 1};
    const PathStep step(path_, name);
    require_items(member);
    if (member.value.is_list())
      to.dependencies.push_back({name, texts(member), nullptr});
    else
      to.dependencies.push_back({name, {}, sub_schema(member)});
  }
}

// A list or an object of schemas stands for the schema of a list or an object: a node is made for
// it, with this keyword's value as its source.
void Compiler::arguments(Node& node, const Keyword& k) {
  const bool args = k.name == "args";
  if (args && k.value.is_object()) {
    rules(node.call).args = sub_schema(k);
    return;
  }
  Node& made = program_.nodes.emplace_back();
  made.source = k.value;
  if (args) {
    made.words = bit(Word::array);
    rules(made.list).tuple = schemas(k);
    made.list->has_tuple = true;
    rules(node.call).args = &made;
  } else {
    made.words = bit(Word::object);
    properties(made, {"properties", k.value, k.depth});
    rules(node.call).kwargs = &made;
  }
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

// When references lead to where they lead: a default may be behind one.
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

const Pattern* Compiler::pattern(std::string_view text) {
  if (const auto known = patterns_.find(text); known != patterns_.end()) return known->second;
  Pattern made = engines().compile(to_re2(text), max_pattern_memory);
  if (made.compiled == nullptr)
    fail("schema.pattern", "the regular expression " + quote(text) +
                               " is not one that RE2 accepts (" + made.refusal +
                               "); there is neither look-ahead nor back-reference");
  pattern_size_ += made.instructions;
  if (pattern_size_ > max_pattern_size)
    throw Error(Status::limit, "the regular expressions of the schema are too large together")
        .detail("schema.pattern")
        .path(path_);
  const Pattern* kept = &program_.patterns.emplace_back(std::move(made));
  patterns_.emplace(text, kept);
  return kept;
}

}  // namespace polycodec::schema
