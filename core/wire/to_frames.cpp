// SPDX-License-Identifier: MIT
#include <polycodec/detail/layout_fields.hpp>
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

/// Finds all that a value consists of, each part once, without recursion; then writes it.
class FrameWriter {
 public:
  explicit FrameWriter(HostMeter& meter) : meter_(meter) {}

  Frames write(const polycodec_node* root, bool partial) {
    nodes(root, 1);
    for (std::size_t next = 0; !blocks_.empty() || next < arrays_.size();) {
      if (blocks_.empty()) {
        collect(*arrays_[next++]);
        continue;
      }
      const auto [block, count] = blocks_.back();
      blocks_.pop_back();
      meter_.tick(count);
      for (std::uint64_t i = 0; i < count; ++i) collect(block[i]);
    }
    place();
    std::uint64_t all = 0;
    for (const Extent& block : node_extents_.all()) all += block.size() / sizeof(polycodec_node);
    nodes_.reserve(static_cast<std::size_t>(all));
    for (const Extent& block : node_extents_.all())
      for (std::uint64_t i = 0; i < block.size() / sizeof(polycodec_node); ++i)
        emit(reinterpret_cast<const polycodec_node*>(block.begin)[i]);  // NOLINT
    records_.reserve(arrays_.size());
    for (const polycodec_array* array : arrays_) emit(*array);
    return assemble(index(root), partial);
  }

 private:
  // -- finding --

  void nodes(const polycodec_node* block, std::uint64_t count) {
    if (count == 0) return;
    const auto [known, added] = seen_.try_emplace(block, count);
    if (!added && known->second >= count) return;
    known->second = count;
    node_extents_.add(block, count * sizeof *block);
    blocks_.emplace_back(block, count);
  }
  void array(const polycodec_array* of) {
    if (array_indices_.try_emplace(of, arrays_.size()).second) arrays_.push_back(of);
  }
  void run(const void* data, std::uint64_t size) { runs_.add(data, size); }
  void run(polycodec_bytes bytes) { runs_.add(bytes.data, bytes.size); }

  void collect(const polycodec_node& n) {
    const std::uint64_t size = polycodec_node_size(&n);
    switch (n.kind) {
      case POLYCODEC_KIND_WIDE:
        return run(n.as.data, dtype_size(n.dtype));
      case POLYCODEC_KIND_STRING:
      case POLYCODEC_KIND_BINARY:
        return run(n.as.data, size);
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
        return nodes(n.as.nodes, size);
      case POLYCODEC_KIND_OBJECT:
      case POLYCODEC_KIND_MAP:
        return nodes(n.as.nodes, 2 * size);
      case POLYCODEC_KIND_ARRAY:
        return array(n.as.array);
      case POLYCODEC_KIND_EXTENSION:
        run(n.as.extension->name);
        return nodes(n.as.extension->payload, 1);
      case POLYCODEC_KIND_REFERENCE:
        return nodes(n.as.node, 1);
      case POLYCODEC_KIND_ANNOTATED:
        nodes(n.as.annotated->node, 1);
        return nodes(n.as.annotated->metadata, 1);
      case POLYCODEC_KIND_UNION:
        return nodes(n.as.tagged->node, 1);
      default:
        return;
    }
  }

  void collect(const polycodec_array& a) {
    if (a.metadata != nullptr) nodes(a.metadata, 1);
    if (a.layout == POLYCODEC_LAYOUT_NDARRAY) {
      meter_.tick(1);
      return run(a.buffer, a.buffer_size);
    }
    const auto children = children_of(a);
    meter_.tick(1 + children.size());
    collect(a, a.index, false);
    collect(a, a.tags, true);
    const polycodec_bytes* const names = names_of(a);
    for (std::size_t i = 0; i < children.size(); ++i) {
      array(children[i]);
      if (names != nullptr) run(names[i]);
    }
    if (a.layout == POLYCODEC_LAYOUT_DOCUMENT) nodes(a.nodes, a.length);
  }
  void collect(const polycodec_array& a, const polycodec_column& column, bool second) {
    const auto items = column_items(a.layout, a.length, a.n_children, second);
    if (!items || *items == 0 || column.data == nullptr) return;
    const auto span = column_span(*items, column.stride, dtype_size(column.dtype));
    if (!span) throw Error(Status::invalid, "a column of the value overflows");
    run(static_cast<const char*>(column.data) + span->low,
        static_cast<std::uint64_t>(span->high - span->low));
  }

  // -- writing --

  /// Gives each run its address: the short ones follow each other, then come the frames.
  void place() {
    node_extents_.merge(sizeof(polycodec_node));
    runs_.merge();
    std::uint64_t node = 0, at = 0;
    for (Extent& block : node_extents_.all()) {
      block.at = node;
      node += block.size() / sizeof(polycodec_node);
    }
    for (Extent& run : runs_.all()) {
      if (run.size() >= least_frame) continue;
      run.at = at;
      at += run.size();
      bytes_.append(reinterpret_cast<const char*>(run.begin),  // NOLINT
                    static_cast<std::size_t>(run.size()));
    }
    for (Extent& run : runs_.all()) {
      if (run.size() < least_frame) continue;
      run.at = at;
      at += run.size();
      buffers_.push_back({reinterpret_cast<const void*>(run.begin),  // NOLINT
                          static_cast<std::size_t>(run.size())});
    }
  }
  std::uint64_t address(const void* data, std::uint64_t size) const noexcept {
    if (size == 0) return 0;
    const Extent& run = runs_.find(data);
    return run.at + (number(data) - run.begin);
  }
  std::uint64_t index(const polycodec_node* node) const noexcept {
    const Extent& block = node_extents_.find(node);
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
        return array_indices_.at(n.as.array);
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
    r.first = column(a, a.index, false);
    r.second = column(a, a.tags, true);
    const auto children = children_of(a);
    const polycodec_bytes* const names = names_of(a);
    r.n_children = static_cast<std::uint32_t>(children.size());
    r.children = children_.size();
    r.has_names = names != nullptr ? 1 : 0;  // also without columns: not a tuple
    r.names = names_.size();
    for (std::size_t i = 0; i < children.size(); ++i) {
      children_.push_back(array_indices_.at(children[i]));
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
  ColumnRecord column(const polycodec_array& a, const polycodec_column& column, bool second) const {
    const auto items = column_items(a.layout, a.length, a.n_children, second);
    if (!items || column.data == nullptr) return {none, 0, 0, 0};
    if (*items == 0) return {0, column.stride, column.dtype, 0};
    const auto span = column_span(*items, column.stride, dtype_size(column.dtype));
    const std::uint64_t low = address(static_cast<const char*>(column.data) + span->low,
                                      static_cast<std::uint64_t>(span->high - span->low));
    return {low + static_cast<std::uint64_t>(-span->low), column.stride, column.dtype, 0};
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

  HostMeter& meter_;
  std::vector<std::pair<const polycodec_node*, std::uint64_t>> blocks_;
  std::unordered_map<const polycodec_node*, std::uint64_t> seen_;
  std::unordered_map<const polycodec_array*, std::uint64_t> array_indices_;
  std::vector<const polycodec_array*> arrays_;
  Extents node_extents_, runs_;
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
  return wire::FrameWriter(meter).write(value.root(), value.is_partial());
}

}  // namespace polycodec
