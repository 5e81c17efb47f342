// SPDX-License-Identifier: MIT
#include "registry/codec/narrow.hpp"

#include <base/depth.hpp>
#include <base/wanted.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>

#include "core/value/arena.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/rows.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace polycodec {
namespace {

/// Names of members that are shown to who misspelled one.
constexpr std::size_t max_names = 64;

class Narrow {
 public:
  Narrow(NodeView value, const Projection& projection, Builder& out, Budget& budget)
      : projection_(projection),
        out_(out),
        limits_(budget.limits()),
        meter_(value, limits_, {std::shared_ptr<void>(), &budget}) {}

  polycodec_node run(NodeView value) {
    const Wanted wanted(projection_.paths);
    const bool cut = projection_.first_row != 0 || projection_.rows != UINT64_MAX;
    const polycodec_node result = node(*value.raw(), wanted, cut, 0);
    std::string path(path_root);
    require_found(wanted, path);
    return result;
  }

 private:
  struct Found {
    bool any = false;                 // an object or record has the member
    bool missed = false;              // one has not
    std::vector<std::string> others;  // what the first of these has instead
  };

  // -- nodes --

  polycodec_node node(const polycodec_node& n, const Wanted& wanted, bool cut,
                      std::uint32_t depth) {
    if (wanted.all() && !cut) return n;
    check_depth(depth, limits_.max_depth);
    meter_.tick(1);
    switch (n.kind) {
      case POLYCODEC_KIND_ANNOTATED: {
        const polycodec_node inner = node(*n.as.annotated->node, wanted, cut, depth + 1);
        return out_.annotated(inner, *n.as.annotated->metadata);
      }
      case POLYCODEC_KIND_EXTENSION:
        return out_.extension(to_string_view(n.as.extension->name),
                              node(*n.as.extension->payload, wanted, cut, depth + 1));
      case POLYCODEC_KIND_UNION:
        return out_.tagged(n.as.tagged->tag, node(*n.as.tagged->node, wanted, cut, depth + 1));
      case POLYCODEC_KIND_REFERENCE:
        return node(*n.as.node, wanted, cut, depth + 1);
      case POLYCODEC_KIND_OBJECT:
      case POLYCODEC_KIND_MAP:
        return members(n, wanted, cut, depth);
      case POLYCODEC_KIND_LIST:
        return items(n, wanted, cut, depth);
      case POLYCODEC_KIND_TUPLE:
        if (!cut) return items(n, wanted, false, depth);
        break;
      case POLYCODEC_KIND_ARRAY:
        return Builder::array(array(*n.as.array, wanted, cut, depth));
      case POLYCODEC_KIND_NULL:
        return n;
      default:
        break;
    }
    if (!wanted.all()) miss(wanted);
    if (cut) refuse_rows();
    return n;
  }

  polycodec_node members(const polycodec_node& n, const Wanted& wanted, bool cut,
                         std::uint32_t depth) {
    if (wanted.all()) refuse_rows();
    const std::uint64_t count = polycodec_node_size(&n);
    if (!cut && is_narrow(n, wanted, count)) return n;
    std::vector<polycodec_node> kept;
    std::vector<const Wanted::Member*> found;
    meter_.tick(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const polycodec_node& key = *polycodec_node_proper(&n.as.nodes[2 * i]);
      if (key.kind != POLYCODEC_KIND_STRING) continue;
      const Wanted::Member* const member = find(wanted, NodeView(&key).as_string());
      if (member == nullptr) continue;
      found.push_back(member);
      kept.push_back(n.as.nodes[2 * i]);
      kept.push_back(node(n.as.nodes[2 * i + 1], member->wanted, cut, depth + 1));
    }
    note(wanted, found, [&](std::vector<std::string>& names) {
      for (std::uint64_t i = 0; i < count && names.size() < max_names; ++i) {
        const polycodec_node& key = *polycodec_node_proper(&n.as.nodes[2 * i]);
        if (key.kind == POLYCODEC_KIND_STRING) names.emplace_back(NodeView(&key).as_string());
      }
    });
    polycodec_node result = polycodec_node_make(n.kind, n.dtype, kept.size() / 2);
    result.as.nodes = out_.store_all(std::span<const polycodec_node>(kept));
    return result;
  }

  /// True if a codec left out all but the members that are wanted, and wanted as a whole.
  bool is_narrow(const polycodec_node& n, const Wanted& wanted, std::uint64_t count) {
    const auto& members = wanted.members();
    if (count != members.size()) return false;
    meter_.tick(count);
    for (std::size_t i = 0; i < count; ++i) {
      const polycodec_node& key = n.as.nodes[2 * i];
      if (!members[i].wanted.all() || key.kind != POLYCODEC_KIND_STRING ||
          NodeView(&key).as_string() != members[i].name)
        return false;
    }
    if (&wanted != last_narrow_)
      for (const Wanted::Member& member : members) found_[&member].any = true;
    last_narrow_ = &wanted;
    return true;
  }

  polycodec_node items(const polycodec_node& n, const Wanted& wanted, bool cut,
                       std::uint32_t depth) {
    const std::uint64_t size = polycodec_node_size(&n);
    const auto [first, count] = cut ? rows_of(size) : std::pair(std::uint64_t{0}, size);
    polycodec_node result = polycodec_node_make(n.kind, n.dtype, count);
    result.as.nodes = n.as.nodes + first;
    if (!wanted.all()) {
      auto* nodes = out_.allocate<polycodec_node>(count);
      for (std::uint64_t i = 0; i < count; ++i)
        nodes[i] = node(n.as.nodes[first + i], wanted, false, depth + 1);
      result.as.nodes = nodes;
    }
    return result;
  }

  // -- arrays --

  const polycodec_array* array(const polycodec_array& a, const Wanted& wanted, bool cut,
                               std::uint32_t depth) {
    if (!cut) return columns(a, wanted, depth);
    if (a.layout == POLYCODEC_LAYOUT_NDARRAY && a.ndim == 0) refuse_rows();
    const auto [first, count] = rows_of(a.length);
    return columns(*rows(a, first, count, out_, limits_), wanted, depth);
  }

  const polycodec_array* columns(const polycodec_array& a, const Wanted& wanted,
                                 std::uint32_t depth) {
    if (wanted.all()) return &a;
    check_depth(depth, limits_.max_depth);
    meter_.tick(1 + std::uint64_t{a.n_children});
    if (a.layout == POLYCODEC_LAYOUT_RECORD && a.names != nullptr) return record(a, wanted, depth);
    const bool text = (a.flags & (POLYCODEC_ARRAY_STRING | POLYCODEC_ARRAY_BINARY)) != 0;
    if (a.layout == POLYCODEC_LAYOUT_NDARRAY || text) {
      if (a.length != 0) miss(wanted);
      return &a;
    }
    auto* result = out_.store(a);
    if (a.layout == POLYCODEC_LAYOUT_DOCUMENT) {
      auto* nodes = out_.allocate<polycodec_node>(a.length);
      for (std::uint64_t i = 0; i < a.length; ++i)
        nodes[i] = node(a.nodes[i], wanted, false, depth + 1);
      result->nodes = nodes;
      return result;
    }
    auto* children = out_.store_all(children_of(a));
    for (std::size_t i = 0; i < children_of(a).size(); ++i)
      children[i] = columns(*children[i], wanted, depth + 1);
    result->children = children;
    return result;
  }

  const polycodec_array* record(const polycodec_array& a, const Wanted& wanted,
                                std::uint32_t depth) {
    std::vector<const polycodec_array*> kept;
    std::vector<polycodec_bytes> names;
    std::vector<const Wanted::Member*> found;
    for (std::uint32_t i = 0; i < a.n_children; ++i) {
      const Wanted::Member* const member = find(wanted, to_string_view(a.names[i]));
      if (member == nullptr) continue;
      found.push_back(member);
      names.push_back(a.names[i]);
      kept.push_back(columns(*a.children[i], member->wanted, depth + 1));
    }
    note(wanted, found, [&](std::vector<std::string>& all) {
      for (std::uint32_t i = 0; i < a.n_children && all.size() < max_names; ++i)
        all.emplace_back(to_string_view(a.names[i]));
    });
    auto* result = out_.store(a);
    result->n_children = static_cast<std::uint32_t>(kept.size());
    result->children = out_.store_all(std::span<const polycodec_array* const>(kept));
    if (names.empty()) names.emplace_back();  // no tuple
    result->names = out_.store_all(std::span<const polycodec_bytes>(names));
    return result;
  }

  // -- what is there --

  static const Wanted::Member* find(const Wanted& wanted, std::string_view name) noexcept {
    for (const Wanted::Member& member : wanted.members())
      if (member.name == name) return &member;
    return nullptr;
  }

  template <class Names>
  void note(const Wanted& wanted, const std::vector<const Wanted::Member*>& found, Names&& names) {
    for (const Wanted::Member& member : wanted.members()) {
      Found& one = found_[&member];
      if (std::ranges::find(found, &member) != found.end()) {
        one.any = true;
      } else if (!one.missed) {
        one.missed = true;
        names(one.others);
      }
    }
  }
  void miss(const Wanted& wanted) {
    note(wanted, {}, [](std::vector<std::string>&) {});
  }

  void require_found(const Wanted& wanted, std::string& path) const {
    for (const Wanted::Member& member : wanted.members()) {
      const auto found = found_.find(&member);
      if (found != found_.end() && found->second.missed && !found->second.any)
        throw Error(Status::not_found, "there is no member " + quote(member.name) +
                                           hint(member.name, found->second.others))
            .path(path)
            .detail("projection.member");
      const PathStep step(path, member.name);
      require_found(member.wanted, path);
    }
  }
  static std::string hint(std::string_view name, const std::vector<std::string>& others) {
    const std::string near = did_you_mean(name, others);
    if (!near.empty() || others.empty()) return near;
    std::string list = ": the members are ";
    constexpr std::size_t shown = 8;
    for (std::size_t i = 0; i < std::min(shown, others.size()); ++i)
      list += (i == 0 ? "" : ", ") + quote(others[i], 32);
    return list + (others.size() > shown ? ", ..." : "");
  }

  std::pair<std::uint64_t, std::uint64_t> rows_of(std::uint64_t size) const noexcept {
    const std::uint64_t first = std::min(projection_.first_row, size);
    return {first, std::min(projection_.rows, size - first)};
  }
  [[noreturn]] static void refuse_rows() {
    throw Error(Status::type,
                "only lists and arrays have rows: name the columns whose rows are wanted")
        .detail("projection.rows");
  }

  const Projection& projection_;
  Builder& out_;
  const Limits& limits_;
  HostMeter meter_;
  std::unordered_map<const Wanted::Member*, Found> found_;
  const Wanted* last_narrow_ = nullptr;
};

}  // namespace

polycodec_node narrow(NodeView value, const Projection& wanted, Builder& out, Budget& budget) {
  return Narrow(value, wanted, out, budget).run(value);
}

void set_narrowed(Value& value, const polycodec_node* root, const Projection& wanted,
                  Budget& budget) {
  if (wanted.is_all() || wanted.is_hint || root == nullptr) return value.set_root(root);
  Builder out(value.arena().abi());
  value.set_root(out.root(narrow(NodeView(root), wanted, out, budget)), true);
}

}  // namespace polycodec
