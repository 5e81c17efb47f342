// SPDX-License-Identifier: MIT
#include <polycodec/builder.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/detail/layout_fields.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>
#include <polycodec/items.h>

#include "core/value/arena.hpp"
#include "core/wire/frame_header.hpp"
#include "core/wire/frames.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace polycodec {
namespace wire {
namespace {

[[noreturn]] void malformed(const char* detail, const std::string& what) {
  throw Error(Status::malformed, "invalid frames: " + what).detail(detail);
}

/// The bytes of a table, of which the header may have any number at any alignment.
template <class T>
struct Table {
  const char* data = nullptr;
  std::uint64_t count = 0;

  T operator[](std::uint64_t i) const noexcept {
    T entry;
    std::memcpy(&entry, data + i * sizeof(T), sizeof(T));
    return entry;
  }
};

class FrameReader {
 public:
  FrameReader(std::string_view header, std::span<const Segment> buffers, const Limits& limits,
              bool stable)
      : header_(header), buffers_(buffers), limits_(limits), stable_(stable) {}

  Value read(std::shared_ptr<const void> owner) {
    read_head();
    std::uint64_t total = header_.size();
    add_part(to_string_view(bytes_, head_.bytes));
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      if (sizes_[i] != buffers_[i].size)
        throw Error(Status::truncated, "frame " + std::to_string(i + 1) + " has " +
                                           std::to_string(buffers_[i].size) +
                                           " bytes: the header says " + std::to_string(sizes_[i]))
            .detail("frames.size");
      if (!checked_add(total, sizes_[i], total) || total > limits_.max_input_bytes)
        throw Error(Status::limit, "frames of more bytes than max_input_bytes (" +
                                       std::to_string(limits_.max_input_bytes) + ")");
      add_part(to_string_view(buffers_[i].data, buffers_[i].size));
    }
    Value value;
    Builder out(value.prepare(limits_.memory_for(total)));
    Arena& arena = value.arena();
    arena.keep(owner, header_, nullptr, stable_);
    for (const Segment& buffer : buffers_)
      arena.keep(owner, to_string_view(buffer.data, buffer.size), nullptr, stable_);
    const polycodec_node* const root = build(out);
    // A small header can say a value that is huge on paper.
    Limits limits = limits_;
    limits.max_nodes = std::min(limits.max_nodes, limits_.work_for(total));
    // Every address was resolved, so that regions are needed only for what is to be copied.
    validate(root, limits, Validation::full, stable_ ? nullptr : &arena, &arena);
    value.set_root(root, (head_.flags & flag_partial) != 0);
    return value;
  }

 private:
  void read_head() {
    if (!header_.starts_with(magic.substr(0, std::min(magic.size(), header_.size()))))
      malformed("frames.magic", "the first frame is not a header of frames");
    if (header_.size() < sizeof head_)
      throw Error(Status::truncated, "the header of the frames is cut off").detail("frames.header");
    std::memcpy(&head_, header_.data(), sizeof head_);
    if (head_.version != version)
      throw Error(Status::unsupported, "frames of version " + std::to_string(head_.version) +
                                           ": this library reads version " +
                                           std::to_string(version) +
                                           "; use the same release on both sides")
          .detail("frames.version");
    if ((head_.flags & ~flag_partial) != 0 || head_.reserved != 0)
      malformed("frames.header", "unknown flags in the header");
    if (head_.size > header_.size())
      throw Error(Status::truncated, "the header of the frames is cut off").detail("frames.header");
    if (head_.size < header_.size())
      malformed("frames.header", "the first frame is longer than its header");
    if (head_.frames != buffers_.size())
      malformed("frames.count", std::to_string(buffers_.size()) +
                                    " frames follow the header, which says " +
                                    std::to_string(head_.frames));
    std::uint64_t at = sizeof head_;
    const auto table = [&](auto& to, std::uint64_t count) {
      const std::uint64_t width = sizeof to[0];
      if (count > (header_.size() - at) / width)
        malformed("frames.header", "a table is longer than the header");
      to.data = header_.data() + at;
      to.count = count;
      at += count * width;
    };
    table(sizes_, head_.frames), table(nodes_, head_.nodes), table(times_, head_.times);
    table(extensions_, head_.extensions), table(annotations_, head_.annotations);
    table(variants_, head_.variants), table(arrays_, head_.arrays);
    table(children_, head_.children), table(names_, head_.names), table(numbers_, head_.numbers);
    if (head_.bytes != header_.size() - at)
      malformed("frames.header", "the tables do not fill the header");
    bytes_ = header_.data() + at;
    if (head_.root >= nodes_.count)
      malformed("frames.index", "the root is not a node of the header");
  }

  /// The next part of the address space.
  void add_part(std::string_view bytes) {
    parts_.push_back({end_, bytes});
    end_ += bytes.size();  // the sum was checked
  }
  /// The bytes at an address. They are in one part.
  const void* resolve(std::uint64_t at, std::uint64_t size) const {
    if (size == 0) return nullptr;
    const auto next = std::ranges::upper_bound(parts_, at, {}, &Part::begin);
    const Part& part = *std::prev(next);  // the first one begins at 0
    const std::uint64_t from = at - part.begin;
    if (from >= part.bytes.size() || size > part.bytes.size() - from)
      malformed("frames.address", std::to_string(size) + " bytes at address " + std::to_string(at) +
                                      " are not in one frame");
    return part.bytes.data() + from;
  }
  polycodec_bytes text(std::uint64_t at, std::uint64_t size) const {
    return {resolve(at, size), size};
  }
  /// The index of `count` entries, which there are.
  static std::uint64_t checked(std::uint64_t index, std::uint64_t count, std::uint64_t all,
                               const char* what) {
    if (index > all || count > all - index)
      malformed("frames.index", std::string("the header has no ") + what + " " +
                                    std::to_string(index) + " of " + std::to_string(count));
    return index;
  }
  const polycodec_node* node(std::uint64_t index, std::uint64_t count = 1) const {
    if (count == 0) return nullptr;
    return made_nodes_ + checked(index, count, nodes_.count, "nodes");
  }

  const polycodec_node* build(Builder& out) {
    made_nodes_ = out.allocate<polycodec_node>(nodes_.count);
    made_arrays_ = out.allocate<polycodec_array>(arrays_.count);
    auto* const times = copy(out, times_);
    auto* const extensions = out.allocate<polycodec_extension>(extensions_.count);
    for (std::uint64_t i = 0; i < extensions_.count; ++i) {
      const ExtensionRecord r = extensions_[i];
      extensions[i] = {text(r.name, r.name_size), node(r.payload)};
    }
    auto* const annotations = out.allocate<polycodec_annotated>(annotations_.count);
    for (std::uint64_t i = 0; i < annotations_.count; ++i)
      annotations[i] = {node(annotations_[i].node), node(annotations_[i].metadata)};
    auto* const variants = out.allocate<polycodec_tagged>(variants_.count);
    for (std::uint64_t i = 0; i < variants_.count; ++i)
      variants[i] = {variants_[i].tag, node(variants_[i].node)};
    for (std::uint64_t i = 0; i < nodes_.count; ++i) {
      polycodec_node n = nodes_[i];
      const std::uint64_t at = n.as.u64;
      const std::uint64_t size = polycodec_node_size(&n);
      const auto entry = [&](const auto* table, std::uint64_t count, const char* what) {
        return table + checked(at, 1, count, what);
      };
      switch (n.kind) {
        case POLYCODEC_KIND_WIDE:
          n.as.data = resolve(at, dtype_size(n.dtype));
          break;
        case POLYCODEC_KIND_STRING:
        case POLYCODEC_KIND_BINARY:
          n.as.data = resolve(at, size);
          break;
        case POLYCODEC_KIND_LIST:
        case POLYCODEC_KIND_TUPLE:
          n.as.nodes = node(at, size);
          break;
        case POLYCODEC_KIND_OBJECT:
        case POLYCODEC_KIND_MAP:
          n.as.nodes = node(at, 2 * size);
          break;
        case POLYCODEC_KIND_ARRAY:
          n.as.array = entry(made_arrays_, arrays_.count, "arrays");
          break;
        case POLYCODEC_KIND_EXTENSION:
          n.as.extension = entry(extensions, extensions_.count, "extensions");
          break;
        case POLYCODEC_KIND_REFERENCE:
          n.as.node = node(at);
          break;
        case POLYCODEC_KIND_ANNOTATED:
          n.as.annotated = entry(annotations, annotations_.count, "annotations");
          break;
        case POLYCODEC_KIND_TIMESTAMP:
        case POLYCODEC_KIND_DURATION:
          n.as.time = entry(times, times_.count, "times");
          break;
        case POLYCODEC_KIND_UNION:
          n.as.tagged = entry(variants, variants_.count, "variants");
          break;
        default:
          if (n.kind >= POLYCODEC_KIND_COUNT)
            malformed("frames.kind", "unknown kind " + std::to_string(n.kind));
      }
      made_nodes_[i] = n;
    }
    // One table for all arrays: several may name one range of it.
    auto* const children = out.allocate<const polycodec_array*>(children_.count);
    for (std::uint64_t i = 0; i < children_.count; ++i)
      children[i] = made_arrays_ + checked(children_[i], 1, arrays_.count, "arrays");
    auto* const names = out.allocate<polycodec_bytes>(names_.count);
    for (std::uint64_t i = 0; i < names_.count; ++i) names[i] = text(names_[i].at, names_[i].size);
    const std::int64_t* const numbers = copy(out, numbers_);
    for (std::uint64_t i = 0; i < arrays_.count; ++i)
      build(arrays_[i], children, names, numbers, made_arrays_[i]);
    return made_nodes_ + head_.root;
  }

  template <class T>
  static T* copy(Builder& out, const Table<T>& table) {
    T* const made = out.allocate<T>(table.count);
    if (table.count != 0) std::memcpy(made, table.data, table.count * sizeof(T));
    return made;
  }

  void build(const ArrayRecord& r, const polycodec_array* const* children,
             const polycodec_bytes* names, const std::int64_t* numbers, polycodec_array& a) const {
    a = {};
    a.struct_size = sizeof a;
    a.layout = r.layout;
    a.flags = r.flags;
    a.length = r.length;
    a.list_size = r.list_size;
    if (r.layout == POLYCODEC_LAYOUT_NDARRAY) {
      a.dtype = r.dtype;
      a.byte_order = r.byte_order;
      a.item_size = r.item_size;
      a.unit = r.unit;
      a.ndim = r.ndim;
      a.buffer = resolve(r.buffer, r.buffer_size);
      a.buffer_size = r.buffer_size;
      // Where the elements lie is checked with the value.
      if (a.buffer != nullptr)
        a.data = reinterpret_cast<const void*>(  // NOLINT
            reinterpret_cast<std::uintptr_t>(a.buffer) + static_cast<std::uint64_t>(r.data));
      a.shape = numbers + checked(r.numbers, 2 * std::uint64_t{r.ndim}, numbers_.count, "numbers");
      a.strides = a.shape + r.ndim;
    }
    a.index = column(r, r.first, ArrayFields::first_column);
    a.tags = column(r, r.second, ArrayFields::second_column);
    a.n_children = r.n_children;
    const std::uint64_t first = checked(r.children, r.n_children, children_.count, "children");
    if (r.n_children != 0) a.children = children + first;
    if (r.has_names != 0) a.names = names + checked(r.names, r.n_children, names_.count, "names");
    if (r.layout == POLYCODEC_LAYOUT_DOCUMENT) a.nodes = node(r.nodes, r.length);
    if (r.metadata != none) a.metadata = node(r.metadata);
  }

  polycodec_column column(const ArrayRecord& r, const ColumnRecord& c, ArrayFields which) const {
    if (!uses(r.layout, which) || c.at == none) return {};
    polycodec_column made{header_.data(), c.stride, c.dtype, 0};
    const std::uint64_t items = polycodec_column_length(r.layout, r.length, r.n_children,
                                                        which == ArrayFields::second_column);
    if (items == 0) return made;
    const auto span = column_span(items, c.stride, dtype_size(c.dtype));
    if (!span || dtype_size(c.dtype) == 0 || c.at < static_cast<std::uint64_t>(-span->low))
      malformed("frames.column", "a column of structure overflows or has no integers");
    const auto* const low = static_cast<const char*>(
        resolve(c.at - static_cast<std::uint64_t>(-span->low), span->size()));
    made.data = low - span->low;
    return made;
  }

  struct Part {
    std::uint64_t begin;
    std::string_view bytes;
  };

  std::string_view header_;
  std::span<const Segment> buffers_;
  const Limits& limits_;
  const bool stable_;
  Head head_{};
  Table<std::uint64_t> sizes_, children_;
  Table<polycodec_node> nodes_;
  Table<polycodec_time> times_;
  Table<ExtensionRecord> extensions_;
  Table<AnnotationRecord> annotations_;
  Table<VariantRecord> variants_;
  Table<ArrayRecord> arrays_;
  Table<NameRecord> names_;
  Table<std::int64_t> numbers_;
  const char* bytes_ = nullptr;
  std::vector<Part> parts_;
  std::uint64_t end_ = 0;
  polycodec_node* made_nodes_ = nullptr;
  polycodec_array* made_arrays_ = nullptr;
};

}  // namespace
}  // namespace wire

Value from_frames(std::string_view header, std::span<const Segment> buffers,
                  std::shared_ptr<const void> owner, const Limits& limits, bool stable) {
  return wire::FrameReader(header, buffers, limits, stable).read(std::move(owner));
}

}  // namespace polycodec
