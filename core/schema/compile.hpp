// SPDX-License-Identifier: MIT
// Schema documents to programs.
#pragma once

#include <base/seeded_hash.hpp>

#include "core/call/limits.hpp"
#include "core/schema/schema.hpp"
#include "core/value/host_meter.hpp"
#include "node.hpp"

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

namespace polycodec::schema {

/// Compiles the document that a program owns. For one program; not reusable.
class Compiler {
 public:
  /// The memory of the program is charged to `meter`.
  Compiler(Program& program, const Limits& limits, const TypeNames& names, HostMeter& meter)
      : program_(program), limits_(limits), names_(names), meter_(meter) {}
  void compile();

 private:
  /// One keyword that is being read.
  struct Keyword {
    std::string_view name;
    NodeView value;
    std::uint32_t depth;
  };
  /// A schema with an address of its own, which its references start from: the whole one, and
  /// each with an `id`.
  struct Resource {
    std::string uri;
    NodeView root;
  };
  struct Reference {
    Node* node;
    std::string_view target;
    std::string path;
    const Resource* resource;  ///< that it is in
  };

  Node* schema(NodeView document, std::uint32_t depth);
  void keyword(Node& node, const Keyword& keyword);
  void types(Node& node, const Keyword& keyword);
  void definitions(Node& node, const Keyword& keyword);
  void arguments(Node& node, const Keyword& keyword);
  void properties(Node& node, const Keyword& keyword);
  void dependencies(Node& node, const Keyword& keyword);
  void finish(Node& node);
  void aliases(Node& node);
  static void finish_properties(ObjectRules& object);

  // Values of keywords, or an error that says what was wanted.
  const Node* sub_schema(const Keyword& keyword);
  std::vector<const Node*> schemas(const Keyword& keyword);
  std::vector<const Node*> some_schemas(const Keyword& keyword);
  void require_items(const Keyword& keyword) const;
  std::uint64_t count(const Keyword& keyword) const;
  NodeView object(const Keyword& keyword) const;
  bool boolean(const Keyword& keyword) const;
  std::string_view text(const Keyword& keyword) const;
  std::vector<std::string_view> texts(const Keyword& keyword) const;
  View number(const Keyword& keyword) const;
  Wrapping wrapping(const Keyword& keyword) const;
  const Pattern* pattern(std::string_view text);
  [[noreturn]] void fail(const Keyword& keyword, const std::string& wanted) const;
  [[noreturn]] void fail(std::string_view word, std::string message) const;

  void identify(NodeView document);
  void name(std::string uri, NodeView document);
  void resolve_references();
  NodeView follow(const Reference& reference);
  void add_metaschema();
  std::optional<NodeView> member(NodeView at, const std::string& name);
  void link_references();
  void refuse_cycles();

  template <auto compile>
  static void by(Compiler& compiler, Node& node, const Keyword& keyword);
  template <auto read>
  static void check(Compiler& compiler, Node& node, const Keyword& keyword);
  template <auto rules_of_node, auto member, auto read>
  static void set(Compiler& compiler, Node& node, const Keyword& keyword);
  template <auto rules_of_node, auto schema, auto allowed>
  static void set_additional(Compiler& compiler, Node& node, const Keyword& keyword);
  template <class Rules>
  static Rules& rules(std::unique_ptr<Rules>& at) {
    if (!at) at = std::make_unique<Rules>();
    return *at;
  }

  Program& program_;
  const Limits& limits_;
  const TypeNames& names_;
  HostMeter& meter_;
  std::string path_{"$"};
  std::unordered_map<const polycodec_node*, Node*> compiled_;
  SeededMap<std::string_view, const Pattern*> patterns_;
  std::vector<Reference> references_;
  std::deque<Resource> resources_;
  const Resource* resource_ = nullptr;  ///< that is being compiled
  std::unordered_map<const polycodec_node*, const Resource*> resource_of_;
  /// Schemas by address, with the fragment of those that have one; null where two have the same.
  SeededMap<std::string, const polycodec_node*> named_;
  std::uint64_t uri_bytes_ = 0;
  // Members of objects by name: many references into one large object must not make the look-up
  // quadratic.
  std::unordered_map<const polycodec_node*, SeededMap<std::string_view, NodeView>> members_;
  std::uint64_t pattern_size_ = 0;
};

}  // namespace polycodec::schema
