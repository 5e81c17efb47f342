// SPDX-License-Identifier: MIT
#include <base/edges.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>

#include "core/value/host_meter.hpp"
#include "core/wire/extents.hpp"
#include "core/wire/frame_header.hpp"
#include "core/wire/frames.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace polycodec {
namespace wire {
namespace {

/// All that a value consists of, each part once; found without recursion.
class Parts : public EdgeVisitor {
 public:
  Parts(const polycodec_node* root, HostMeter& meter) {
    nodes(root, 1);
    for (std::size_t next = 0; !blocks_.empty() || next < arrays_.size();) {
      if (blocks_.empty()) {
        const polycodec_array& a = *arrays_[next++];
        meter.tick(1 + children_of(a).size());
        for_each_edge(a, *this);
        continue;
      }
      const auto [block, count] = blocks_.back();
      blocks_.pop_back();
      meter.tick(count);
      for (std::uint64_t i = 0; i < count; ++i) for_each_edge(block[i], *this);
    }
    node_extents_.merge(sizeof(polycodec_node));
    runs_.merge();
  }

  Extents& node_extents() noexcept { return node_extents_; }
  const Extents& node_extents() const noexcept { return node_extents_; }
  /// Of bytes.
  Extents& runs() noexcept { return runs_; }
  const Extents& runs() const noexcept { return runs_; }
  const std::vector<const polycodec_array*>& arrays() const noexcept { return arrays_; }
  std::uint64_t index_of(const polycodec_array* array) const { return array_indices_.at(array); }

  // The edges.
  void bytes(const void* data, std::uint64_t size) { runs_.add(data, size); }
  void nodes(const polycodec_node* block, std::uint64_t count) {
    if (count == 0) return;
    const auto [known, added] = seen_.try_emplace(block, count);
    if (!added && known->second >= count) return;
    known->second = count;
    node_extents_.add(block, count * sizeof *block);
    blocks_.emplace_back(block, count);
  }
  void metadata(const polycodec_node* attributes) { nodes(attributes, 1); }
  void target(const polycodec_node* node) { nodes(node, 1); }
  void array(const polycodec_array* of) {
    if (array_indices_.try_emplace(of, arrays_.size()).second) arrays_.push_back(of);
  }
  void buffer(const polycodec_array& leaf) { bytes(leaf.buffer, leaf.buffer_size); }
  void column(const polycodec_column& of, std::uint64_t items) {
    const auto span = column_span(items, of.stride, dtype_size(of.dtype));
    if (!span) throw Error(Status::invalid, "a column of the value overflows");
    bytes(static_cast<const char*>(of.data) + span->low, span->size());
  }

 private:
  std::vector<std::pair<const polycodec_node*, std::uint64_t>> blocks_;  // to be looked at
  std::unordered_map<const polycodec_node*, std::uint64_t> seen_;
  std::unordered_map<const polycodec_array*, std::uint64_t> array_indices_;
  std::vector<const polycodec_array*> arrays_;
  Extents node_extents_, runs_;
};

class FrameWriter {
 public:
  FrameWriter(const polycodec_node* root, HostMeter& meter) : root_(root), parts_(root, meter) {}

  Frames write(bool partial) {
    const std::uint64_t all = place();
    nodes_.reserve(static_cast<std::size_t>(all));
    for (const Extent& block : parts_.node_extents().all())
      for (std::uint64_t i = 0; i < block.size() / sizeof(polycodec_node); ++i)
        emit(reinterpret_cast<const polycodec_node*>(block.begin)[i]);  // NOLINT
    records_.reserve(parts_.arrays().size());
    for (const polycodec_array* array : parts_.arrays()) emit(*array);
    return assemble(index(root_), partial);
  }

 private:
  /// Gives each run its address: the short ones follow each other, then come the frames. Returns
  /// the number of nodes.
  std::uint64_t place() {
    std::uint64_t node = 0, at = 0;
    for (Extent& block : parts_.node_extents().all()) {
      block.at = node;
      node += block.size() / sizeof(polycodec_node);
    }
    for (Extent& run : parts_.runs().all()) {
      if (run.size() >= least_frame) continue;
      run.at = at;
      at += run.size();
      bytes_.append(reinterpret_cast<const char*>(run.begin),  // NOLINT
                    static_cast<std::size_t>(run.size()));
    }
    for (Extent& run : parts_.runs().all()) {
      if (run.size() < least_frame) continue;
      run.at = at;
      at += run.size();
      buffers_.push_back({reinterpret_cast<const void*>(run.begin),  // NOLINT
                          static_cast<std::size_t>(run.size())});
    }
    return node;
  }
  std::uint64_t address(const void* data, std::uint64_t size) const noexcept {
    if (size == 0) return 0;
    const Extent& run = parts_.runs().find(data);
    return run.at + (number(data) - run.begin);
  }
  std::uint64_t index(const polycodec_node* node) const noexcept {
    const Extent& block = parts_.node_extents().find(node);
    return block.at + (number(node) - block.begin) / sizeof *node;
  }

  void emit(const polycodec_node& n) {
    polycodec_node record = n;
    record.as.u64 = record_of(n);
    nodes_.push_back(record);
  }
  std::uint64_t record_of(const polycodec_node& n) {
    const std::uint64_t size = polycodec_node_size(&n);
    const auto entry = [](auto& table, auto record) {
      table.push_back(record);
      return static_cast<std::uint64_t>(table.size() - 1);
    };
    switch (n.kind) {
      case POLYCODEC_KIND_NULL:
        return 0;
      case POLYCODEC_KIND_FLOAT:  // the other bytes may be anything, and not the reader's business
        return n.dtype == POLYCODEC_DTYPE_FLOAT32 ? n.as.u64 & UINT32_MAX : n.as.u64;
      case POLYCODEC_KIND_WIDE:
        return address(n.as.data, dtype_size(n.dtype));
      case POLYCODEC_KIND_STRING:
      case POLYCODEC_KIND_BINARY:
        return address(n.as.data, size);
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
      case POLYCODEC_KIND_OBJECT:
      case POLYCODEC_KIND_MAP:
        return size == 0 ? 0 : index(n.as.nodes);
      case POLYCODEC_KIND_ARRAY:
        return parts_.index_of(n.as.array);
      case POLYCODEC_KIND_EXTENSION: {
        const auto& name = n.as.extension->name;
        return entry(extensions_, ExtensionRecord{address(name.data, name.size), name.size,
                                                  index(n.as.extension->payload)});
      }
      case POLYCODEC_KIND_REFERENCE:
        return index(n.as.node);
      case POLYCODEC_KIND_ANNOTATED:
        return entry(annotations_, AnnotationRecord{index(n.as.annotated->node),
                                                    index(n.as.annotated->metadata)});
      case POLYCODEC_KIND_TIMESTAMP:
      case POLYCODEC_KIND_DURATION:
        return entry(times_, *n.as.time);
      case POLYCODEC_KIND_UNION:
        return entry(variants_, VariantRecord{n.as.tagged->tag, index(n.as.tagged->node)});
      default:
        return n.as.u64;
    }
  }

  void emit(const polycodec_array& a) {
    ArrayRecord r{};
    r.layout = a.layout;
    r.flags = a.flags;
    r.length = a.length;
    r.metadata = a.metadata == nullptr ? none : index(a.metadata);
    r.first = r.second = {none, 0, 0, 0};
    if (a.layout == POLYCODEC_LAYOUT_NDARRAY)
      emit_leaf(a, r);
    else
      emit_structure(a, r);
    records_.push_back(r);
  }
  void emit_structure(const polycodec_array& a, ArrayRecord& r) {
    r.list_size = uses(a.layout, ArrayFields::list_size) ? a.list_size : 0;
    r.first = column(a, a.index, ArrayFields::first_column);
    r.second = column(a, a.tags, ArrayFields::second_column);
    const auto children = children_of(a);
    const polycodec_bytes* const names = names_of(a);
    r.n_children = static_cast<std::uint32_t>(children.size());
    r.children = children_.size();
    r.has_names = names != nullptr ? 1 : 0;  // also without columns: not a tuple
    r.names = names_.size();
    for (std::size_t i = 0; i < children.size(); ++i) {
      children_.push_back(parts_.index_of(children[i]));
      if (names != nullptr)
        names_.push_back({address(names[i].data, names[i].size), names[i].size});
    }
    const bool has_nodes = a.layout == POLYCODEC_LAYOUT_DOCUMENT && a.length != 0;
    r.nodes = has_nodes ? index(a.nodes) : 0;
  }
  void emit_leaf(const polycodec_array& a, ArrayRecord& r) {
    r.dtype = a.dtype;
    r.byte_order = a.byte_order;
    r.item_size = a.item_size;
    r.unit = a.unit;
    r.ndim = a.ndim;
    r.buffer = address(a.buffer, a.buffer_size);
    r.buffer_size = a.buffer_size;
    const bool empty = std::any_of(a.shape, a.shape + a.ndim, [](auto n) { return n == 0; });
    r.data = empty || a.item_size == 0 || a.buffer_size == 0
                 ? 0
                 : static_cast<std::int64_t>(number(a.data) - number(a.buffer));
    r.numbers = numbers_.size();
    numbers_.insert(numbers_.end(), a.shape, a.shape + a.ndim);
    numbers_.insert(numbers_.end(), a.strides, a.strides + a.ndim);
  }
  ColumnRecord column(const polycodec_array& a, const polycodec_column& of,
                      ArrayFields which) const {
    if (!uses(a.layout, which) || of.data == nullptr) return {none, 0, 0, 0};
    const std::uint64_t items = polycodec_column_length(a.layout, a.length, a.n_children,
                                                        which == ArrayFields::second_column);
    const auto span = column_span(items, of.stride, dtype_size(of.dtype));
    const std::uint64_t low = address(static_cast<const char*>(of.data) + span->low, span->size());
    return {low + static_cast<std::uint64_t>(-span->low), of.stride, of.dtype, 0};
  }

  Frames assemble(std::uint64_t root, bool partial) {
    Frames made;
    Head head{};
    std::ranges::copy(magic, head.magic);
    head.version = version;
    head.flags = partial ? flag_partial : 0;
    head.root = root;
    head.frames = buffers_.size();
    head.bytes = bytes_.size();
    std::vector<std::uint64_t> sizes;
    for (const Segment& buffer : buffers_) sizes.push_back(buffer.size);
    head.size = sizeof head + bytes_.size();
    const auto each = [&](auto&& act) {
      act(sizes, head.frames), act(nodes_, head.nodes), act(times_, head.times);
      act(extensions_, head.extensions), act(annotations_, head.annotations);
      act(variants_, head.variants), act(records_, head.arrays), act(children_, head.children);
      act(names_, head.names), act(numbers_, head.numbers);
    };
    each([&](const auto& table, std::uint64_t& count) {
      count = table.size();
      head.size += table.size() * sizeof table[0];
    });
    std::string& to = made.header;
    to.reserve(static_cast<std::size_t>(head.size));
    to.append(reinterpret_cast<const char*>(&head), sizeof head);
    each([&](const auto& table, std::uint64_t&) {
      if (!table.empty())
        to.append(reinterpret_cast<const char*>(table.data()), table.size() * sizeof table[0]);
    });
    to += bytes_;
    made.buffers = std::move(buffers_);
    return made;
  }

  const polycodec_node* root_;
  Parts parts_;
  std::string bytes_;
  std::vector<Segment> buffers_;
  // The tables.
  std::vector<polycodec_node> nodes_;
  std::vector<polycodec_time> times_;
  std::vector<ExtensionRecord> extensions_;
  std::vector<AnnotationRecord> annotations_;
  std::vector<VariantRecord> variants_;
  std::vector<ArrayRecord> records_;
  std::vector<std::uint64_t> children_;
  std::vector<NameRecord> names_;
  std::vector<std::int64_t> numbers_;
};

}  // namespace
}  // namespace wire

Frames to_frames(const Value& value, const Limits& limits) {
  HostMeter meter(value.view(), limits, nullptr);
  return wire::FrameWriter(value.root(), meter).write(value.is_partial());
}

}  // namespace polycodec
