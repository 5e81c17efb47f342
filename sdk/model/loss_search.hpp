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
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

/// True if an attribute of this name only says how a file was written, so that it is not a loss
/// where the file is written anew: names with a format's prefix (`dynd.type`), and those that
/// several formats share.
bool is_layout_attribute(std::string_view name) noexcept;

/// The loss of an attribute at `path`: comments, `doc` and `metadata` are notes, unless a comment
/// names a texture as those of PLY files do; `timezone` is `retyped`.
Loss attribute_loss(std::string path, std::string_view name, const polycodec_node& value);

/// True if there is an attribute among these (an OBJECT or null) that says something about the
/// value.
bool has_lossy_attribute(const polycodec_node* metadata);

/// Looks through a whole value for what a format has nothing for. What many items of a list lack is
/// said once, for `[*]`. `Lacks` is called as `const char* lacks(const polycodec_node&)` for every
/// node (below the root, not for numbers, booleans, null, strings, bytes and references), and
/// `const char* lacks(const polycodec_array&)` for every array: what is lost there, for users, or
/// null. If it has `bool keeps(const polycodec_array&, const polycodec_node& name, const
/// polycodec_node& value)`, attributes for which this is true are not lost, where the array is a
/// value of its own and not a column. If it has `bool is_covered_by(const polycodec_node&
/// attributes)`, it is not asked about what such attributes are around. `static constexpr LossClass
/// loss` is the class of what it finds; data if there is none.
template <class Lacks>
class LossSearch {
 public:
  LossSearch(Losses& losses, const Call& call, const Lacks& lacks)
      : losses_(losses), call_(call), lacks_(lacks) {}

  void run(const polycodec_node& root) { node(root, 0); }

 private:
  /// A step of a path: the name of a member or a column, or nothing for any item.
  using Step = std::optional<std::string_view>;

  /// A value may have few parts, each of which is in many places.
  static constexpr std::uint64_t units_per_part = 8;

  /// Paths end here: what lies deeper is reported with the path of what it lies in. Otherwise the
  /// losses of a deep value would take the square of its depth.
  static constexpr std::size_t max_path = 1024;

  void node(const polycodec_node& n, std::uint32_t depth) {
    enter(depth);
    if (covered_ == 0) {
      if (const char* what = lacks_(n)) add(what, class_of_lacks());
    }
    switch (n.kind) {
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
        return items(n.as.nodes, polycodec_node_size(&n), 1, 0, depth);
      case POLYCODEC_KIND_MAP:
        items(n.as.nodes, polycodec_node_size(&n), 2, 0, depth);
        return items(n.as.nodes, polycodec_node_size(&n), 2, 1, depth);
      case POLYCODEC_KIND_OBJECT:
        for (std::uint64_t i = 0; i < polycodec_node_size(&n); ++i)
          if (may_hold(n.as.nodes[2 * i + 1]))
            below(NodeView(n.as.nodes + 2 * i).as_string(),
                  [&] { node(n.as.nodes[2 * i + 1], depth + 1); });
        return;
      case POLYCODEC_KIND_ARRAY:
        return array(*n.as.array, depth + 1, true);
      case POLYCODEC_KIND_EXTENSION:
        return node(*n.as.extension->payload, depth + 1);
      case POLYCODEC_KIND_UNION:
        return node(*n.as.tagged->node, depth + 1);
      case POLYCODEC_KIND_ANNOTATED:
        return annotated(*n.as.annotated, depth);
      default:
        return;
    }
  }

  void enter(std::uint32_t depth) const {
    if (depth > call_.limits().max_depth) [[unlikely]]
      throw depth_error(call_.limits().max_depth).path(path());
    call_.check_stack();
    call_.tick(units_per_part);
  }
  /// What throws ends the search: nobody takes the step back then.
  template <class Search>
  void below(Step step, const Search& search) {
    steps_.push_back(step);
    search();
    steps_.pop_back();
  }
  std::string path() const {
    std::string text(path_root);
    for (const Step& step : steps_) {
      if (text.size() >= max_path) break;
      if (step)
        append_key(text, *step);
      else
        text += "[*]";
    }
    return text;
  }

  void annotated(const polycodec_annotated& a, std::uint32_t depth) {
    const bool is_array = a.node->kind == POLYCODEC_KIND_ARRAY;
    attributes(a.metadata, is_array ? a.node->as.array : nullptr);
    bool covers = false;
    if constexpr (requires { lacks_.is_covered_by(*a.metadata); })
      covers = lacks_.is_covered_by(*a.metadata);
    covered_ += covers ? 1u : 0u;
    node(*a.node, depth + 1);
    covered_ -= covers ? 1u : 0u;
  }
  static bool may_hold(const polycodec_node& n) noexcept {
    return n.kind >= POLYCODEC_KIND_LIST && n.kind != POLYCODEC_KIND_REFERENCE;
  }
  void items(const polycodec_node* all, std::uint64_t count, std::uint64_t step,
             std::uint64_t first, std::uint32_t depth) {
    call_.tick(count);
    below({}, [&] {
      for (std::uint64_t i = 0; i < count; ++i)
        if (may_hold(all[i * step + first])) node(all[i * step + first], depth + 1);
    });
  }
  void array(const polycodec_array& a, std::uint32_t depth, bool is_whole = false) {
    enter(depth);
    if (covered_ == 0) {
      if (const char* what = lacks_(a)) add(what, class_of_lacks());
    }
    attributes(a.metadata, is_whole ? &a : nullptr);
    const auto children = children_of(a);
    const polycodec_bytes* const names = names_of(a);
    const bool has_items =
        a.layout >= POLYCODEC_LAYOUT_LIST_OFFSETS && a.layout <= POLYCODEC_LAYOUT_RECORD;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const auto search = [&] { array(*children[i], depth + 1); };
      if (names != nullptr)
        below(to_string_view(names[i]), search);
      else if (has_items)
        below({}, search);
      else
        search();
    }
    if (a.layout == POLYCODEC_LAYOUT_DOCUMENT) items(a.nodes, a.length, 1, 0, depth);
  }
  void attributes(const polycodec_node* all, const polycodec_array* whole = nullptr) {
    if (all == nullptr) return;
    for (std::uint64_t i = 0; i < polycodec_node_size(all); ++i) {
      const std::string_view name = NodeView(all->as.nodes + 2 * i).as_string();
      if (is_layout_attribute(name)) continue;
      if constexpr (requires { lacks_.keeps(*whole, *all, *all); })
        if (whole != nullptr &&
            lacks_.keeps(*whole, all->as.nodes[2 * i], all->as.nodes[2 * i + 1]))
          continue;
      Loss loss = attribute_loss({}, name, all->as.nodes[2 * i + 1]);
      add(std::move(loss.what), loss.loss_class);
    }
  }
  void add(std::string what, LossClass loss) {
    std::string at = path();
    call_.tick(units_per_part + (at.size() + what.size()) / 8);
    if (said_.insert(at + what).second) losses_.add(std::move(at), std::move(what), loss);
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
  std::vector<Step> steps_;  // from the root; text only where something is found
  unsigned covered_ = 0;     // annotations around that say that all inside is as it should be
  std::set<std::string> said_;
};

/// Adds every attribute in the value that says something about it, and what `lacks` finds. Takes a
/// walk over all of its nodes: where that costs much beside the encoding, a codec calls this when
/// it meets the first attribute. The walk is charged to the call. Throws Status::limit.
template <class Lacks>
void add_losses(NodeView value, Losses& losses, const Call& call, const Lacks& lacks) {
  LossSearch<Lacks>(losses, call, lacks).run(*value.raw());
}

/// The same for metadata alone; the root may have those that the format `keeps`.
void add_attribute_losses(NodeView value, Losses& losses, const Call& call,
                          std::initializer_list<std::string_view> keeps = {});

}  // namespace polycodec
