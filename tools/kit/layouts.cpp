// SPDX-License-Identifier: MIT
#include "layouts.hpp"

#include <polycodec/builder.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace polycodec::kit {
namespace {

class Placer {
 public:
  Placer(Builder& out, Placement placement) : out_(out), placement_(placement) {}
  bool has_placed() const noexcept { return has_placed_; }

  Node node(const Node& from) {
    Node copy = from;
    switch (from.kind) {
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
        copy.as.nodes = nodes(from.as.nodes, polycodec_node_size(&from));
        break;
      case POLYCODEC_KIND_OBJECT:
      case POLYCODEC_KIND_MAP:
        copy.as.nodes = nodes(from.as.nodes, 2 * polycodec_node_size(&from));
        break;
      case POLYCODEC_KIND_ARRAY:
        copy.as.array = array(*from.as.array);
        break;
      case POLYCODEC_KIND_EXTENSION:
        copy.as.extension = out_.store(polycodec_extension{
            from.as.extension->name, out_.store(node(*from.as.extension->payload))});
        break;
      case POLYCODEC_KIND_ANNOTATED:
        copy.as.annotated = out_.store(polycodec_annotated{
            out_.store(node(*from.as.annotated->node)), from.as.annotated->metadata});
        break;
      case POLYCODEC_KIND_UNION:
        copy.as.tagged = out_.store(
            polycodec_tagged{from.as.tagged->tag, out_.store(node(*from.as.tagged->node))});
        break;
      default:
        break;
    }
    return copy;
  }

 private:
  const Node* nodes(const Node* from, std::uint64_t count) {
    Node* const copies = out_.allocate<Node>(count);
    for (std::uint64_t i = 0; i < count; ++i) copies[i] = node(from[i]);
    return copies;
  }

  const polycodec_array* array(const polycodec_array& from) {
    if (from.layout == POLYCODEC_LAYOUT_NDARRAY) return elements(from);
    polycodec_array copy = from;
    // The bytes of strings are contiguous.
    if ((from.flags & (POLYCODEC_ARRAY_STRING | POLYCODEC_ARRAY_BINARY)) == 0 &&
        from.n_children != 0) {
      auto* const children = out_.allocate<const polycodec_array*>(from.n_children);
      for (std::uint32_t i = 0; i < from.n_children; ++i) children[i] = array(*from.children[i]);
      copy.children = children;
    }
    if (from.nodes != nullptr) copy.nodes = nodes(from.nodes, from.length);
    return out_.store(copy);
  }

  const polycodec_array* elements(const polycodec_array& from) {
    constexpr std::uint64_t most = std::uint64_t{64} << 20;
    std::uint64_t size = from.item_size;
    for (std::uint32_t axis = 0; axis < from.ndim; ++axis)
      if (size <= most) size *= static_cast<std::uint64_t>(from.shape[axis]);
    if (from.ndim == 0 || size == 0 || size > most) return &from;
    has_placed_ = true;

    const auto item = static_cast<std::int64_t>(from.item_size);
    auto* const strides = out_.allocate<std::int64_t>(from.ndim);
    std::int64_t next = item;
    for (std::uint32_t i = 0; i < from.ndim; ++i) {
      const std::uint32_t axis = placement_ == Placement::all_apart ? i : from.ndim - 1 - i;
      if (placement_ == Placement::all_apart || axis == 0) next += item;
      strides[axis] = next;
      next *= from.shape[axis];
    }
    std::int64_t first = 0;
    if (placement_ == Placement::all_apart) {
      first = (from.shape[0] - 1) * strides[0];
      strides[0] = -strides[0];
    }
    auto* const bytes = out_.allocate<std::uint8_t>(static_cast<std::uint64_t>(next));
    std::memset(bytes, 0xee, static_cast<std::size_t>(next));
    copy_elements(from, bytes + first, strides);

    polycodec_array copy = from;
    copy.buffer = bytes;
    copy.buffer_size = static_cast<std::uint64_t>(next);
    copy.data = bytes + first;
    copy.strides = strides;
    return out_.store(copy);
  }

  static void copy_elements(const polycodec_array& from, std::uint8_t* to,
                            const std::int64_t* strides) {
    std::vector<std::int64_t> at(from.ndim);
    for (std::uint32_t axis = 0; axis != UINT32_MAX;) {
      std::int64_t source = 0, target = 0;
      for (std::uint32_t i = 0; i < from.ndim; ++i) {
        source += at[i] * from.strides[i];
        target += at[i] * strides[i];
      }
      std::memcpy(to + target, static_cast<const std::uint8_t*>(from.data) + source,
                  from.item_size);
      for (axis = from.ndim - 1; axis != UINT32_MAX && ++at[axis] == from.shape[axis]; --axis)
        at[axis] = 0;
    }
  }

  Builder& out_;
  Placement placement_;
  bool has_placed_ = false;
};

/// A sample that views `value` and keeps it.
Sample view_of(const Sample& value, std::string name, const std::function<Node(Builder&)>& make) {
  Sample made = build_sample(std::move(name), make);
  made.regions.add(value.regions);
  made.owner =
      std::make_shared<std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(
          value.owner, made.owner);
  return made;
}

}  // namespace

std::optional<Sample> placed(const Sample& value, Placement placement) {
  bool has_placed = false;
  Sample sample = view_of(
      value, value.name + (placement == Placement::rows_apart ? ", rows apart" : ", all apart"),
      [&](Builder& out) {
        Placer placer(out, placement);
        const Node root = placer.node(*value.root);
        has_placed = placer.has_placed();
        return root;
      });
  if (!has_placed) return std::nullopt;
  return sample;
}

std::optional<Sample> with_metadata(const Sample& value) {
  if (value.view().metadata() != nullptr) return std::nullopt;
  return view_of(value, value.name + " with metadata", [&](Builder& out) {
    const Node metadata = out.object({{"note", out.string_copy("of the kit")}});
    if (value.root->kind != POLYCODEC_KIND_ARRAY) return out.annotated(*value.root, metadata);
    polycodec_array* const copy = out.store(*value.root->as.array);
    copy->metadata = out.store(metadata);
    return Builder::array(copy);
  });
}

}  // namespace polycodec::kit
