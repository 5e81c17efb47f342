// SPDX-License-Identifier: MIT
// `id` and `$ref`: references inside one schema.
#include <base/hex.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>

#include "compile.hpp"
#include "core/text/text.hpp"
#include "metaschema.hpp"
#include "uri.hpp"

#include <algorithm>
#include <charconv>

namespace polycodec::schema {
namespace {

constexpr std::size_t max_uri = 2048;
constexpr std::uint64_t max_uris = std::uint64_t{4} << 20;  // together

// %20 and the like, as in every URI fragment.
std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_value(text[i + 1]);
    const int low = hex_value(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    decoded += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return decoded;
}

// ~1 is a slash, ~0 a tilde (RFC 6901).
std::optional<std::string> pointer_decoded(std::string_view part) {
  std::string decoded;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (part[i] != '~') {
      decoded += part[i];
      continue;
    }
    if (++i == part.size() || (part[i] != '0' && part[i] != '1')) return std::nullopt;
    decoded += part[i] == '0' ? '~' : '/';
  }
  return decoded;
}

void add_all(std::vector<const Node*>& to, const std::vector<const Node*>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// The schemas that are applied to the same value as `node`.
std::vector<const Node*> beside(const Node& node) {
  std::vector<const Node*> all;
  if (node.reference != nullptr) all.push_back(node.reference);
  if (node.logic) {
    add_all(all, node.logic->all_of);
    add_all(all, node.logic->any_of);
    add_all(all, node.logic->one_of);
    if (node.logic->none_of != nullptr) all.push_back(node.logic->none_of);
  }
  if (node.object)
    for (const auto& dependency : node.object->dependencies)
      if (dependency.node != nullptr) all.push_back(dependency.node);
  return all;
}

}  // namespace

std::optional<NodeView> Compiler::member(NodeView at, const std::string& name) {
  if (at.is_object()) {
    const auto [known, made] = members_.try_emplace(at.node());
    if (made)
      for (std::uint64_t i = 0; i < at.size(); ++i)
        known->second.emplace(at.key(i).as_string(), at.value(i));
    const auto found = known->second.find(name);
    return found == known->second.end() ? std::nullopt : std::optional(found->second);
  }
  if (!at.is_list()) return std::nullopt;
  std::uint64_t index = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), index);
  if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size() || index >= at.size())
    return std::nullopt;
  return at[index];
}

void Compiler::name(std::string uri, NodeView document) {
  // A short id may make a long address: of many in one directory with a long name.
  uri_bytes_ += uri.size();
  if (uri.size() > max_uri || uri_bytes_ > max_uris)
    throw Error(Status::limit, "the addresses of the schemas are too long")
        .detail("schema.reference")
        .path(path_);
  const auto [known, is_new] = named_.emplace(std::move(uri), document.node());
  if (!is_new && known->second != document.node()) known->second = nullptr;
}

// Draft 4: an `id` is the address of its schema, and of what the schemas inside start from; one
// with a fragment is a name for its schema alone.
void Compiler::identify(NodeView document) {
  const auto id = document.find("id");
  if (!id || !id->is_string()) return;
  const std::string uri = resolve_uri(resource_->uri, id->as_string());
  const SplitUri parts = split_uri(uri);
  if (!parts.fragment.empty()) name(uri, document);
  if (parts.document == resource_->uri) return;
  name(std::string(parts.document), document);
  resource_ = &resources_.emplace_back(Resource{std::string(parts.document), document});
  resource_of_.emplace(document.node(), resource_);
}

void Compiler::add_metaschema() {
  program_.metaschema = parse_json(metaschema_text);
  const NodeView document = program_.metaschema.view();
  const Resource* own = &resources_.emplace_back(Resource{std::string(metaschema_uri), document});
  resource_of_.emplace(document.node(), own);
  name(own->uri, document);
}

NodeView Compiler::follow(const Reference& reference) {
  const auto lost = [&](const char* why) {
    return Error(Status::malformed, "the reference " + quote(reference.target) + " " + why)
        .detail("schema.reference")
        .path(reference.path);
  };
  resource_ = reference.resource;
  const bool local = reference.target.starts_with('#');
  const char* const outside =
      "leads out of the schema: only references to its own parts are followed; copy the schema to "
      "\"definitions\"";
  if (!local && reference.target.size() > max_uri) throw lost(outside);
  const std::string uri = local ? resource_->uri + std::string(reference.target)
                                : resolve_uri(resource_->uri, reference.target);
  const SplitUri parts = split_uri(uri);
  const auto pointer = percent_decoded(parts.fragment);
  if (!pointer) throw lost("is not a JSON pointer");
  const bool is_name = !pointer->empty() && pointer->front() != '/';
  NodeView at = resource_->root;
  if (parts.document == metaschema_uri && !named_.contains(std::string(metaschema_uri)))
    add_metaschema();
  if (is_name || (!local && parts.document != resource_->uri)) {
    const auto found = named_.find(is_name ? uri : std::string(parts.document));
    if (found == named_.end()) throw lost(local ? "is the id of no schema here" : outside);
    if (found->second == nullptr) throw lost("leads to several schemas with the same id");
    at = NodeView(found->second);
  }
  const auto enter = [&] {
    if (const auto inside = resource_of_.find(at.node()); inside != resource_of_.end())
      resource_ = inside->second;
  };
  enter();
  std::string_view rest = is_name ? std::string_view() : std::string_view(*pointer);
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const auto name = pointer_decoded(rest.substr(0, end));
    if (!name) throw lost("is not a JSON pointer");
    const auto next = member(at, *name);
    if (!next) throw lost("leads nowhere");
    at = *next;
    enter();
    rest.remove_prefix(end);
  }
  if (!at.is_object()) throw lost("leads to something that is not a schema");
  return at;
}

void Compiler::resolve_references() {
  // References lead to schemas that may have references: the list grows while it is gone through.
  for (std::size_t i = 0; i < references_.size(); ++i) {
    const Reference reference = references_[i];
    const NodeView target = follow(reference);
    path_ = reference.path;
    reference.node->reference = schema(target, 1);
  }
}

// Chains are replaced by their ends, so that no chain costs time or stack when the schema is
// applied.
void Compiler::link_references() {
  for (const Reference& reference : references_) {
    const Node* end = reference.node;
    for (std::size_t steps = 0; end->reference != nullptr; ++steps, end = end->reference)
      if (steps > references_.size())
        throw Error(Status::malformed,
                    "the reference " + quote(reference.target) + " leads back to itself")
            .detail("schema.reference")
            .path(reference.path);
    // Shortens the chain for those that come later.
    for (Node* at = reference.node; at->reference != end && at->reference != nullptr;) {
      Node* next = const_cast<Node*>(at->reference);
      at->reference = end;
      at = next;
    }
  }
}

void Compiler::refuse_cycles() {
  enum class Mark : std::uint8_t { open, done };
  std::unordered_map<const Node*, Mark> marks;
  struct Visit {
    const Node* node;
    std::vector<const Node*> next;
  };
  // With its own stack, because a chain of schemas may be as long as the text.
  for (const Node& start : program_.nodes) {
    if (marks.contains(&start)) continue;
    std::vector<Visit> stack;
    stack.push_back({&start, beside(start)});
    marks[&start] = Mark::open;
    while (!stack.empty()) {
      if (stack.back().next.empty()) {
        marks[stack.back().node] = Mark::done;
        stack.pop_back();
        continue;
      }
      const Node* next = stack.back().next.back();
      stack.back().next.pop_back();
      const auto mark = marks.find(next);
      if (mark == marks.end()) {
        marks[next] = Mark::open;
        stack.push_back({next, beside(*next)});
      } else if (mark->second == Mark::open) {
        std::string path(path_root);
        for (const Reference& reference : references_)
          if (std::any_of(stack.begin(), stack.end(),
                          [&](const Visit& v) { return v.node == reference.node; }))
            path = reference.path;
        throw Error(Status::malformed,
                    "a reference leads back to itself without going into the value")
            .detail("schema.reference")
            .path(path);
      }
    }
  }
}

}  // namespace polycodec::schema
