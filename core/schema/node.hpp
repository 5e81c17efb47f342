// SPDX-License-Identifier: MIT
// A schema as it is applied: one Node for each (sub-)schema, with the keywords that it has.
#pragma once

#include <base/seeded_hash.hpp>
#include <model/type/type.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/view.hpp>

#include "core/value/value.hpp"
#include "engines.hpp"
#include "words.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::schema {

struct Node;

/// scalar, ndarray and their relatives
struct TypedRules {
  Subtype subtype = Subtype::none;
  Encoding encoding = Encoding::none;
  std::optional<std::uint64_t> precision;  ///< bytes
  std::optional<std::string> units;        ///< as written
  std::optional<std::vector<std::uint64_t>> shape;
  std::optional<std::uint64_t> ndim, length;
};

struct NumberRules {
  std::optional<View> minimum, maximum, multiple_of;
  bool exclusive_minimum = false, exclusive_maximum = false;
};

struct TextRules {
  std::uint64_t min_length = 0, max_length = UINT64_MAX;
  const Pattern* pattern = nullptr;
  std::string_view pattern_text;
};

struct ListRules {
  std::uint64_t min_items = 0, max_items = UINT64_MAX;
  bool unique = false;
  const Node* each = nullptr;      ///< `items` with one schema
  std::vector<const Node*> tuple;  ///< `items` with a list
  bool has_tuple = false;
  bool additional = true;                 ///< items behind the tuple are allowed
  const Node* additional_each = nullptr;  ///< and look so
};

struct Property {
  std::string_view name;
  const Node* node;
  bool required = false;
};

struct ObjectRules {
  std::uint64_t min_properties = 0, max_properties = UINT64_MAX;
  std::vector<Property> properties;                   ///< in the order of the schema
  SeededMap<std::string_view, std::size_t> by_name;   ///< index in properties
  SeededMap<std::string_view, std::size_t> by_alias;  ///< index in properties
  std::vector<std::size_t> with_default;              ///< indices in properties
  std::vector<std::string_view> required;
  struct PatternRule {
    const Pattern* pattern;
    std::string_view text;
    const Node* node;
  };
  std::vector<PatternRule> patterns;
  bool additional = true;
  const Node* additional_each = nullptr;
  struct Dependency {
    std::string_view name;
    std::vector<std::string_view> needs;
    const Node* node;  ///< or null
  };
  std::vector<Dependency> dependencies;
};

struct LogicRules {
  std::vector<const Node*> all_of, any_of, one_of;
  const Node* none_of = nullptr;
  std::optional<NodeView> choices;  ///< the list of `enum`
};

/// class, function, instance
struct CallRules {
  std::optional<std::string> class_name;
  const Node* args = nullptr;    ///< for the whole list
  const Node* kwargs = nullptr;  ///< for the whole object
};

/// `allowSingular`, `allowWrapped`
struct Wrapping {
  bool allowed = false;
  std::string_view name;  ///< of the member that wraps; empty: the only one
};

struct Node {
  NodeView source;                          ///< the schema itself
  Words words = 0;                          ///< of `type`; 0: any
  std::vector<std::string_view> own_words;  ///< type words that the language does not have
  std::vector<type::Type> registered;       ///< types that such words name
  const Node* reference = nullptr;          ///< `$ref`: this node is that one
  std::unique_ptr<TypedRules> typed;
  std::unique_ptr<NumberRules> numbers;
  std::unique_ptr<TextRules> texts;
  std::unique_ptr<ListRules> list;
  std::unique_ptr<ObjectRules> object;
  std::unique_ptr<LogicRules> logic;
  std::unique_ptr<CallRules> call;
  std::optional<NodeView> default_value;
  Wrapping singular, wrapped;
  bool deprecated = false;
  std::string_view deprecation;

  bool has_type() const noexcept { return words != 0 || !own_words.empty(); }
  bool allows(Word word) const noexcept { return has(words, word); }
};

/// A compiled schema.
struct Program {
  Value document;    ///< owns all strings; precisions in bytes
  Value metaschema;  ///< null unless a reference leads to it
  std::deque<Node> nodes;
  std::deque<Pattern> patterns;
  const Node* root = nullptr;
};

/// The node behind references. Chains of references were followed when the schema was compiled.
inline const Node& resolved(const Node& node) noexcept {
  return node.reference == nullptr ? node : *node.reference;
}

}  // namespace polycodec::schema
