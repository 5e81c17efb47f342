// SPDX-License-Identifier: MIT
// What a value holds that a format has nothing for: attributes, kinds of nodes. See docs/loss.md.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/loss.hpp>
#include <polycodec/path.hpp>
#include <polycodec/view.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

namespace polycodec {

/// True if an attribute of this name only says how a file was written, so that it is no loss where the file is
/// written anew: names with a format's prefix (`dynd.type`), and those that several formats share.
inline bool is_layout_attribute(std::string_view name) noexcept {
  for (const std::string_view known :
       {"format", "line_ending", "types", "type", "count_type", "encoding", "seven_numbers"})
    if (name == known) return true;
  return name.find('.') != std::string_view::npos;
}

/// True if there is an attribute among these (an OBJECT or null) that says something about the value.
inline bool has_lossy_attribute(const polycodec_node* attributes) {
  if (attributes == nullptr) return false;
  for (std::uint64_t i = 0; i < polycodec_node_size(attributes); ++i)
    if (!is_layout_attribute(View(attributes->as.nodes + 2 * i).as_string())) return true;
  return false;
}

/// Looks through a whole value for what a format has nothing for. What many items of a list lack is said once, for
/// `[*]`. `Lacks` is called as `const char* lacks(const polycodec_node&)` for every node that is no scalar, a time or
/// a text, and `const char* lacks(const polycodec_array&)` for every array: what is lost there, for people, or null.
/// If it has `bool is_covered_by(const polycodec_node& attributes)`, it is not asked about what such attributes stand
/// around.
template <class Lacks>
class LossSearch {
 public:
  LossSearch(Losses& losses, std::uint32_t max_depth, const Lacks& lacks)
      : losses_(losses), max_depth_(max_depth), lacks_(lacks) {}

  void node(const polycodec_node* n, const std::string& path, std::uint32_t depth) {
    if (depth > max_depth_) throw Error(Status::limit, "nested deeper than the limit").path(path);
    if (covered_ == 0) {
      if (const char* what = lacks_(*n)) add(path, what);
    }
    switch (n->kind) {
      case POLYCODEC_LIST:
      case POLYCODEC_TUPLE:
        return nodes(n->as.nodes, polycodec_node_size(n), 1, 0, path, depth);
      case POLYCODEC_MAP:
        nodes(n->as.nodes, polycodec_node_size(n), 2, 0, path, depth);
        return nodes(n->as.nodes, polycodec_node_size(n), 2, 1, path, depth);
      case POLYCODEC_OBJECT:
        for (std::uint64_t i = 0; i < polycodec_node_size(n); ++i)
          if (may_hold(n->as.nodes[2 * i + 1])) {
            std::string member = path;
            append_key(member, View(n->as.nodes + 2 * i).as_string());
            node(n->as.nodes + 2 * i + 1, member, depth + 1);
          }
        return;
      case POLYCODEC_ARRAY:
        return array(*n->as.array, path, depth + 1);
      case POLYCODEC_EXTENSION:
        return node(n->as.extension->payload, path, depth + 1);
      case POLYCODEC_VARIANT:
        return node(n->as.variant->node, path, depth + 1);
      case POLYCODEC_ANNOTATED:
        return annotated(*n->as.annotated, path, depth);
      default:
        return;
    }
  }

 private:
  void annotated(const polycodec_annotated& a, const std::string& path, std::uint32_t depth) {
    attributes(a.attributes, path);
    bool covers = false;
    if constexpr (requires { lacks_.is_covered_by(*a.attributes); }) covers = lacks_.is_covered_by(*a.attributes);
    covered_ += covers ? 1u : 0u;
    node(a.node, path, depth + 1);
    covered_ -= covers ? 1u : 0u;
  }
  static bool may_hold(const polycodec_node& n) noexcept {
    return n.kind >= POLYCODEC_LIST && n.kind != POLYCODEC_REFERENCE;
  }
  void nodes(const polycodec_node* all, std::uint64_t count, std::uint64_t step, std::uint64_t first,
             const std::string& path, std::uint32_t depth) {
    const std::string item = path + "[*]";
    for (std::uint64_t i = 0; i < count; ++i)
      if (may_hold(all[i * step + first])) node(all + i * step + first, item, depth + 1);
  }
  void array(const polycodec_array& a, const std::string& path, std::uint32_t depth) {
    if (depth > max_depth_) throw Error(Status::limit, "nested deeper than the limit").path(path);
    if (covered_ == 0) {
      if (const char* what = lacks_(a)) add(path, what);
    }
    attributes(a.attributes, path);
    for (std::uint32_t i = 0; i < a.n_children; ++i) {
      std::string child = path;
      if (a.form == POLYCODEC_FORM_RECORD && a.names != nullptr)
        append_key(child, to_string_view(a.names[i]));
      else if (a.form == POLYCODEC_FORM_RECORD ||
               (a.form >= POLYCODEC_FORM_LIST_OFFSETS && a.form < POLYCODEC_FORM_RECORD))
        child += "[*]";
      array(*a.children[i], child, depth + 1);
    }
    if (a.form == POLYCODEC_FORM_DOCUMENT) nodes(a.nodes, a.length, 1, 0, path, depth);
  }
  void attributes(const polycodec_node* all, const std::string& path) {
    if (all == nullptr) return;
    for (std::uint64_t i = 0; i < polycodec_node_size(all); ++i) {
      const std::string_view name = View(all->as.nodes + 2 * i).as_string();
      if (is_layout_attribute(name)) continue;
      add(path, "the attribute '" + std::string(name.substr(0, 60)) + "'");
    }
  }
  void add(const std::string& path, std::string what) {
    if (said_.insert(path + what).second) losses_.add(path, std::move(what));
  }

  Losses& losses_;
  std::uint32_t max_depth_;
  const Lacks& lacks_;
  unsigned covered_ = 0;  // annotations around that say that all inside is as it should be
  std::set<std::string> said_;
};

/// Adds every attribute in the value that says something about it, and what `lacks` finds. Takes a walk over all of
/// its nodes: where that costs much beside the encoding, a codec calls this when it meets the first attribute.
template <class Lacks>
void add_losses(View value, Losses& losses, std::uint32_t max_depth, const Lacks& lacks) {
  LossSearch<Lacks>(losses, max_depth, lacks).node(value.raw(), "$", 0);
}
/// The same for attributes alone; the root may have those that the format `keeps`.
inline void add_attribute_losses(View value, Losses& losses, std::uint32_t max_depth,
                                 std::initializer_list<std::string_view> keeps = {}) {
  const polycodec_node* root = value.raw();
  for (; root->kind == POLYCODEC_ANNOTATED; root = root->as.annotated->node) {
    const polycodec_node& all = *root->as.annotated->attributes;
    for (std::uint64_t i = 0; i < polycodec_node_size(&all); ++i) {
      const std::string_view name = View(all.as.nodes + 2 * i).as_string();
      if (!is_layout_attribute(name) && std::find(keeps.begin(), keeps.end(), name) == keeps.end())
        losses.add("$", "the attribute '" + std::string(name.substr(0, 60)) + "'");
    }
  }
  add_losses(View(root), losses, max_depth, [](const auto&) -> const char* { return nullptr; });
}

}  // namespace polycodec
