// SPDX-License-Identifier: MIT
#include "layouts.hpp"

#include <polycodec/builder.hpp>
#include <polycodec/dtype.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace polycodec::kit {
namespace {

/// Copies the elements to `to`, where `strides` say.
void copy_elements(const polycodec_array& from, std::uint8_t* to, const std::int64_t* strides) {
  std::vector<std::int64_t> at(from.ndim);
  for (std::uint32_t axis = 0; axis != UINT32_MAX;) {
    std::int64_t source = 0, target = 0;
    for (std::uint32_t i = 0; i < from.ndim; ++i) {
      source += at[i] * from.strides[i];
      target += at[i] * strides[i];
    }
    std::memcpy(to + target, static_cast<const std::uint8_t*>(from.data) + source, from.item_size);
    for (axis = from.ndim - 1; axis != UINT32_MAX && ++at[axis] == from.shape[axis]; --axis)
      at[axis] = 0;
  }
}

/// Bytes of the numbers or characters that an element consists of.
std::uint32_t word_size(const polycodec_array& a) {
  switch (a.dtype) {
    case POLYCODEC_DTYPE_FIXED_BYTES:
    case POLYCODEC_DTYPE_FIXED_UTF8:
      return 1;
    case POLYCODEC_DTYPE_FIXED_UTF16:
      return 2;
    case POLYCODEC_DTYPE_FIXED_UTF32:
      return 4;
    default:
      return is_complex(a.dtype) ? a.item_size / 2 : a.item_size;
  }
}

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
    const bool swapped = placement_ == Placement::swapped;
    const std::uint32_t word = word_size(from);
    if (size == 0 || size > most || (swapped ? word == 1 : from.ndim == 0)) return &from;
    has_placed_ = true;

    const auto item = static_cast<std::int64_t>(from.item_size);
    auto* const strides = out_.allocate<std::int64_t>(from.ndim);
    std::int64_t next = item;
    for (std::uint32_t i = 0; i < from.ndim; ++i) {
      const std::uint32_t axis = placement_ == Placement::all_apart ? i : from.ndim - 1 - i;
      if (placement_ == Placement::all_apart || (axis == 0 && !swapped)) next += item;
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
    if (swapped) {
      copy.byte_order ^= 1;
      for (std::uint8_t* p = bytes; p != bytes + size; p += word) std::reverse(p, p + word);
    }
    copy.buffer = bytes;
    copy.buffer_size = static_cast<std::uint64_t>(next);
    copy.data = bytes + first;
    copy.strides = strides;
    return out_.store(copy);
  }

  Builder& out_;
  Placement placement_;
  bool has_placed_ = false;
};

/// A value cannot be repeated.
struct Fixed {};

/// Repeats lists and arrays.
class Repeater {
 public:
  Repeater(Builder& out, std::uint64_t times) : out_(out), times_(times) {}

  Node node(const Node& from) {
    const std::uint64_t size = polycodec_node_size(&from);
    Node copy = from;
    switch (from.kind) {
      case POLYCODEC_KIND_LIST:
        copy = polycodec_node_make(from.kind, from.dtype, size * times_);
        copy.as.nodes = repeated(from.as.nodes, size);
        break;
      case POLYCODEC_KIND_OBJECT: {
        Node* const members = out_.allocate<Node>(2 * size);
        for (std::uint64_t i = 0; i < size; ++i) {
          members[2 * i] = from.as.nodes[2 * i];
          members[2 * i + 1] = node(from.as.nodes[2 * i + 1]);
        }
        copy.as.nodes = members;
        break;
      }
      case POLYCODEC_KIND_ARRAY:
        copy.as.array = array(*from.as.array);
        break;
      case POLYCODEC_KIND_ANNOTATED:
        copy.as.annotated = out_.store(polycodec_annotated{
            out_.store(node(*from.as.annotated->node)), from.as.annotated->metadata});
        break;
      default:
        break;
    }
    return copy;
  }

 private:
  template <class T>
  const T* repeated(const T* from, std::uint64_t count) {
    T* const to = out_.allocate<T>(count * times_);
    for (std::uint64_t i = 0; i < times_ && count != 0; ++i)
      std::memcpy(to + i * count, from, count * sizeof(T));
    return to;
  }

  const polycodec_array* array(const polycodec_array& from) {
    polycodec_array copy = from;
    copy.length *= times_;
    if (from.layout == POLYCODEC_LAYOUT_NDARRAY)
      set_elements(from, copy);
    else if (from.layout == POLYCODEC_LAYOUT_RECORD)
      set_children(from, copy, 1);
    else if (from.layout == POLYCODEC_LAYOUT_LIST_OFFSETS)
      set_offsets(from, copy);
    else
      throw Fixed();
    return out_.store(copy);
  }

  void set_elements(const polycodec_array& from, polycodec_array& to) {
    if (from.ndim == 0) throw Fixed();
    auto* const shape = out_.store_all(std::span(from.shape, from.ndim));
    auto* const strides = out_.allocate<std::int64_t>(from.ndim);
    std::int64_t size = from.item_size;
    for (std::uint32_t axis = from.ndim; axis-- > 0; size *= from.shape[axis]) strides[axis] = size;
    const auto bytes = static_cast<std::uint64_t>(size);
    auto* const once = out_.allocate<std::uint8_t>(bytes);
    if (bytes != 0) copy_elements(from, once, strides);
    shape[0] *= static_cast<std::int64_t>(times_);
    to.shape = shape;
    to.strides = strides;
    to.data = to.buffer = repeated(once, bytes);
    to.buffer_size = bytes * times_;
  }

  void set_children(const polycodec_array& from, polycodec_array& to, std::uint64_t each) {
    auto* const children = out_.allocate<const polycodec_array*>(from.n_children);
    for (std::uint32_t i = 0; i < from.n_children; ++i) {
      if (from.children[i]->length != from.length * each) throw Fixed();
      children[i] = array(*from.children[i]);
    }
    to.children = children;
  }

  void set_offsets(const polycodec_array& from, polycodec_array& to) {
    const polycodec_array& content = *from.children[0];
    const auto offset = [&](std::uint64_t i) {
      std::int64_t wide = 0;
      const auto* const p = static_cast<const char*>(from.offsets.data) +
                            static_cast<std::int64_t>(i) * from.offsets.stride;
      if (dtype_size(from.offsets.dtype) == 4) {
        std::int32_t narrow;
        std::memcpy(&narrow, p, sizeof narrow);
        wide = narrow;
      } else if (dtype_size(from.offsets.dtype) == 8) {
        std::memcpy(&wide, p, sizeof wide);
      } else {
        throw Fixed();
      }
      return wide;
    };
    const auto size = static_cast<std::int64_t>(content.length);
    if (offset(0) != 0 || offset(from.length) != size) throw Fixed();
    auto* const offsets = out_.allocate<std::int64_t>(to.length + 1);
    for (std::uint64_t i = 0; i < times_; ++i)
      for (std::uint64_t j = 0; j <= from.length; ++j)
        offsets[i * from.length + j] = static_cast<std::int64_t>(i) * size + offset(j);
    to.offsets = {offsets, sizeof(std::int64_t), POLYCODEC_DTYPE_INT64, 0};
    auto* const children = out_.allocate<const polycodec_array*>(1);
    children[0] = array(content);
    to.children = children;
  }

  Builder& out_;
  std::uint64_t times_;
};

/// Bytes of what a Repeater repeats.
std::uint64_t weight_of(const polycodec_array& a) {
  std::uint64_t weight = 0;
  if (a.layout == POLYCODEC_LAYOUT_NDARRAY) {
    weight = a.item_size;
    for (std::uint32_t i = 0; i < a.ndim; ++i) weight *= static_cast<std::uint64_t>(a.shape[i]);
  }
  for (std::uint32_t i = 0; i < a.n_children; ++i) weight += weight_of(*a.children[i]);
  return weight;
}
std::uint64_t weight_of(const Node& node) {
  const std::uint64_t size = polycodec_node_size(&node);
  std::uint64_t weight = 0;
  switch (node.kind) {
    case POLYCODEC_KIND_LIST:
      return size * sizeof(Node);
    case POLYCODEC_KIND_OBJECT:
      for (std::uint64_t i = 0; i < size; ++i) weight += weight_of(node.as.nodes[2 * i + 1]);
      return weight;
    case POLYCODEC_KIND_ARRAY:
      return weight_of(*node.as.array);
    case POLYCODEC_KIND_ANNOTATED:
      return weight_of(*node.as.annotated->node);
    default:
      return 0;
  }
}

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
  constexpr const char* words[] = {", rows apart", ", all apart", ", bytes swapped"};
  bool has_placed = false;
  Sample sample =
      view_of(value, value.name + words[static_cast<int>(placement)], [&](Builder& out) {
        Placer placer(out, placement);
        const Node root = placer.node(*value.root);
        has_placed = placer.has_placed();
        return root;
      });
  if (!has_placed) return std::nullopt;
  return sample;
}

std::optional<Sample> enlarged(const Sample& value) {
  constexpr std::uint64_t wanted = std::uint64_t{4} << 20;
  const std::uint64_t weight = weight_of(*value.root);
  if (weight == 0 || weight >= wanted) return std::nullopt;
  const std::uint64_t times = wanted / weight + 1;
  try {
    return view_of(value, value.name + ", " + std::to_string(times) + " times",
                   [&](Builder& out) { return Repeater(out, times).node(*value.root); });
  } catch (const Fixed&) {
    return std::nullopt;
  }
}

}  // namespace polycodec::kit
