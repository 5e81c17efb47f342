// SPDX-License-Identifier: MIT
// What a value holds that a format has nothing for: attributes, kinds of nodes. See docs/loss.md.
#pragma once

#include <base/depth.hpp>
#include <model/loss.hpp>
#include <polycodec/abi.h>
#include <polycodec/detail/layout_fields.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>

#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec {

/// True if an attribute of this name only says how a file was written, so that it is not a loss
/// where the file is written anew: names with a format's prefix (`dynd.type`), and those that
/// several formats share.
bool is_layout_attribute(std::string_view name) noexcept;

/// The loss of an attribute at `path`: comments are notes, unless one names a texture as those of
/// PLY files do.
Loss attribute_loss(std::string path, std::string_view name, const polycodec_node& value);

/// True if there is an attribute among these (an OBJECT or null) that says something about the
/// value.
bool has_lossy_attribute(const polycodec_node* metadata);

/// Looks through a whole value for what a format has nothing for. What many items of a list lack is
/// said once, for
/// `[*]`. `Lacks` is called as `const char* lacks(const polycodec_node&)` for every node that is no
/// scalar, a time or a text, and `const char* lacks(const polycodec_array&)` for every array: what
/// is lost there, for users, or null. If it has `bool is_covered_by(const polycodec_node&
/// attributes)`, it is not asked about what such attributes are around. `static constexpr
/// LossClass loss` is the class of what it finds; data if there is none.
template <class Lacks>
class LossSearch {
 public:
  LossSearch(Losses& losses, const Call& call, const Lacks& lacks)
      : losses_(losses), call_(call), lacks_(lacks) {}

  void node(const polycodec_node* n, const std::string& path, std::uint32_t depth) {
    enter(path, depth);
    if (covered_ == 0) {
      if (const char* what = lacks_(*n)) add(path, what, class_of_lacks());
    }
    switch (n->kind) {
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
        return nodes(n->as.nodes, polycodec_node_size(n), 1, 0, path, depth);
      case POLYCODEC_KIND_MAP:
        nodes(n->as.nodes, polycodec_node_size(n), 2, 0, path, depth);
        return nodes(n->as.nodes, polycodec_node_size(n), 2, 1, path, depth);
      case POLYCODEC_KIND_OBJECT:
        for (std::uint64_t i = 0; i < polycodec_node_size(n); ++i)
          if (may_hold(n->as.nodes[2 * i + 1])) {
            std::string member = path;
            if (!is_cut(path)) append_key(member, NodeView(n->as.nodes + 2 * i).as_string());
            node(n->as.nodes + 2 * i + 1, member, depth + 1);
          }
        return;
      case POLYCODEC_KIND_ARRAY:
        return array(*n->as.array, path, depth + 1);
      case POLYCODEC_KIND_EXTENSION:
        return node(n->as.extension->payload, path, depth + 1);
      case POLYCODEC_KIND_UNION:
        return node(n->as.tagged->node, path, depth + 1);
      case POLYCODEC_KIND_ANNOTATED:
        return annotated(*n->as.annotated, path, depth);
      default:
        return;
    }
  }

 private:
  /// A value may have few parts, each of which is in many places.
  static constexpr std::uint64_t units_per_part = 8;

  /// Paths end here: what lies deeper is reported with the path of what it lies in. Otherwise a
  /// deep value would take the square of its depth.
  static bool is_cut(const std::string& path) noexcept { return path.size() >= 1024; }

  void enter(const std::string& path, std::uint32_t depth) const {
    check_depth(depth, call_.limits().max_depth, path);
    call_.check_stack();
    call_.tick(units_per_part + path.size() / 8);  // the path is copied
  }
  void annotated(const polycodec_annotated& a, const std::string& path, std::uint32_t depth) {
    attributes(a.metadata, path);
    bool covers = false;
    if constexpr (requires { lacks_.is_covered_by(*a.metadata); })
      covers = lacks_.is_covered_by(*a.metadata);
    covered_ += covers ? 1u : 0u;
    node(a.node, path, depth + 1);
    covered_ -= covers ? 1u : 0u;
  }
  static bool may_hold(const polycodec_node& n) noexcept {
    return n.kind >= POLYCODEC_KIND_LIST && n.kind != POLYCODEC_KIND_REFERENCE;
  }
  void nodes(const polycodec_node* all, std::uint64_t count, std::uint64_t step,
             std::uint64_t first, const std::string& path, std::uint32_t depth) {
    const std::string item = is_cut(path) ? path : path + "[*]";
    call_.tick(count);
    for (std::uint64_t i = 0; i < count; ++i)
      if (may_hold(all[i * step + first])) node(all + i * step + first, item, depth + 1);
  }
  void array(const polycodec_array& a, const std::string& path, std::uint32_t depth) {
    enter(path, depth);
    if (covered_ == 0) {
      if (const char* what = lacks_(a)) add(path, what, class_of_lacks());
    }
    attributes(a.metadata, path);
    const auto children = children_of(a);
    const polycodec_bytes* const names = names_of(a);
    for (std::size_t i = 0; i < children.size(); ++i) {
      std::string child = path;
      const bool named = names != nullptr;
      if (named && !is_cut(path))
        append_key(child, to_string_view(names[i]));
      else if (!named && !is_cut(path) && a.layout >= POLYCODEC_LAYOUT_LIST_OFFSETS &&
               a.layout <= POLYCODEC_LAYOUT_RECORD)
        child += "[*]";
      array(*children[i], child, depth + 1);
    }
    if (a.layout == POLYCODEC_LAYOUT_DOCUMENT) nodes(a.nodes, a.length, 1, 0, path, depth);
  }
  void attributes(const polycodec_node* all, const std::string& path) {
    if (all == nullptr) return;
    for (std::uint64_t i = 0; i < polycodec_node_size(all); ++i) {
      const std::string_view name = NodeView(all->as.nodes + 2 * i).as_string();
      if (is_layout_attribute(name)) continue;
      Loss loss = attribute_loss(path, name, all->as.nodes[2 * i + 1]);
      add(path, std::move(loss.what), loss.loss_class);
    }
  }
  void add(const std::string& path, std::string what, LossClass loss) {
    call_.tick(units_per_part + (path.size() + what.size()) / 8);
    if (said_.insert(path + what).second) losses_.add(path, std::move(what), loss);
  }
  static constexpr LossClass class_of_lacks() noexcept {
    if constexpr (requires { Lacks::loss; })
      return Lacks::loss;
    else
      return LossClass::data;
  }

  Losses& losses_;
  const Call& call_;
  const Lacks& lacks_;
  unsigned covered_ = 0;  // annotations around that say that all inside is as it should be
  std::set<std::string> said_;
};

/// Adds every attribute in the value that says something about it, and what `lacks` finds. Takes a
/// walk over all of its nodes: where that costs much beside the encoding, a codec calls this when
/// it meets the first attribute. The walk is charged to the call. Throws Status::limit.
template <class Lacks>
void add_losses(NodeView value, Losses& losses, const Call& call, const Lacks& lacks) {
  LossSearch<Lacks>(losses, call, lacks).node(value.raw(), "$", 0);
}

/// The same for metadata alone; the root may have those that the format `keeps`.
void add_attribute_losses(NodeView value, Losses& losses, const Call& call,
                          std::initializer_list<std::string_view> keeps = {});

}  // namespace polycodec
