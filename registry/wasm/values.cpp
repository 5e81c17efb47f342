// SPDX-License-Identifier: MIT
#include "registry/wasm/values.hpp"

#include <base/depth.hpp>
#include <base/edges.hpp>
#include <polycodec/dtype.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

namespace polycodec::wasm {
namespace {

/// Parts from this size on are copied once, however often a value has them.
constexpr std::uint64_t large_buffer = 4096;

struct HasReferences {};

std::uint64_t number(const void* pointer) noexcept {
  return reinterpret_cast<std::uintptr_t>(pointer);
}
template <class T>
T* pointer(std::uint64_t number) noexcept {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(number));  // NOLINT
}
/// What a module wrote is 4 bytes, and the next 4 may be anything.
template <class T>
void narrow(T*& at) noexcept {
  at = pointer<T>(number(at) & UINT32_MAX);
}
Address address(const void* at) noexcept {
  return static_cast<Address>(number(at));
}

/// A number for each kind of struct that is changed in place.
template <class T>
constexpr int part_of = 0;
template <>
constexpr int part_of<polycodec_node> = 1;
template <>
constexpr int part_of<polycodec_bytes> = 2;
template <>
constexpr int part_of<polycodec_tagged> = 3;
template <>
constexpr int part_of<polycodec_extension> = 4;
template <>
constexpr int part_of<polycodec_time> = 5;

[[noreturn]] void overlap() {
  throw Error(Status::plugin, "parts of its value overlap: each has its own memory");
}

/// Clears the pointers of an array that its layout does not use, which no visitor looks at: they
/// would be those of the other side. A record of no fields keeps that it has names.
void clear_unused(polycodec_array& a) noexcept {
  static constexpr polycodec_bytes nothing{};
  using enum ArrayFields;
  if (!uses(a.layout, elements)) a.data = a.buffer = nullptr, a.shape = a.strides = nullptr;
  if (polycodec_column_length(a.layout, a.length, a.n_children, 0) == 0) a.index.data = nullptr;
  if (polycodec_column_length(a.layout, a.length, a.n_children, 1) == 0) a.tags.data = nullptr;
  if (!uses(a.layout, children) || a.n_children == 0) a.children = nullptr;
  if (!uses(a.layout, names)) a.names = nullptr;
  if (a.names != nullptr && a.n_children == 0) a.names = &nothing;
  if (!uses(a.layout, ArrayFields::nodes) || a.length == 0) a.nodes = nullptr;
}

}  // namespace

// -- into linear memory --

/// Copies what a node or an array of the host points to. Its pointers become addresses; structs
/// and tables are copied to `structs` first.
struct ValueIn::Copying : EdgeVisitor {
  ValueIn& by;
  std::vector<std::vector<std::uint64_t>>& tables;

  void bytes(const void*& data, std::uint64_t size) {
    data = pointer<const void>(by.bytes(data, size));
  }
  void nodes(const polycodec_node*& block, std::uint64_t count) {
    block = pointer<const polycodec_node>(by.nodes(block, count));
  }
  void metadata(const polycodec_node*& attributes) { nodes(attributes, 1); }
  void target(const polycodec_node*&) {
    if (!by.tracks_) throw HasReferences();
  }
  void array(const polycodec_array*& of) { of = pointer<const polycodec_array>(by.array(*of)); }
  template <class T>
  bool table(T*& of, std::uint64_t count) {
    if (count == 0) return false;
    auto& copy = tables.emplace_back(count * sizeof *of / 8);
    std::memcpy(copy.data(), of, count * sizeof *of);
    of = reinterpret_cast<T*>(copy.data());
    return true;
  }
  void buffer(polycodec_array& leaf) {
    const std::uint64_t offset = number(leaf.data) - number(leaf.buffer);
    leaf.buffer = pointer<const void>(by.bytes(leaf.buffer, leaf.buffer_size, 64));
    leaf.data = pointer<const void>(number(leaf.buffer) + (leaf.buffer_size == 0 ? 0 : offset));
  }
  void extents(const std::int64_t*& of, std::uint32_t ndim) {
    of = pointer<const std::int64_t>(by.bytes(of, ndim * sizeof *of, 8));
  }
  void column(polycodec_column& of, std::uint64_t items) {
    const auto span = column_span(items, of.stride, dtype_size(of.dtype));
    if (!span) throw Error(Status::invalid, "a column of the value overflows");
    const auto low = static_cast<std::uint64_t>(span->low);
    const auto* const first = pointer<const void>(number(of.data) + low);
    of.data = pointer<const void>(by.bytes(first, span->size(), 8) - low);
  }
};

Address ValueIn::root(const polycodec_node* root) {
  if (root == nullptr) return 0;
  try {
    return nodes(root, 1);
  } catch (const HasReferences&) {
    tracks_ = true;
    arrays_.clear(), buffers_.clear();
    m_.originals.clear();
  }
  const Address copy = nodes(root, 1);
  // A target is mostly in a block of the value.
  for (std::size_t i = 0; i < references_.size(); ++i) {
    const polycodec_node* const target = references_[i].second;
    if (!nodes_.contains(target)) nodes(target, 1);
    m_.at<polycodec_node>(references_[i].first)->as.u64 = nodes_.at(target);
  }
  return copy;
}

Address ValueIn::nodes(const polycodec_node* block, std::uint64_t count) {
  if (count == 0) return 0;
  check_stack(UINT64_MAX);  // at any depth: less than that is no stack for a module
  if (count > (std::uint64_t{1} << 32) / sizeof *block)
    throw Error(Status::limit, "the value is too large for a WebAssembly plugin");
  const auto is_short = [](const polycodec_node& n) {
    return (n.kind == POLYCODEC_KIND_STRING || n.kind == POLYCODEC_KIND_BINARY) &&
           polycodec_node_size(&n) < large_buffer;
  };
  std::uint64_t text = 0;  // short strings follow the nodes
  for (std::uint64_t i = 0; i < count; ++i)
    if (is_short(block[i])) text += polycodec_node_size(block + i);
  const Address to = m_.allocate(count * sizeof *block + text);
  auto* const here = m_.at<polycodec_node>(to, count);  // memory that is added does not move it
  auto* put = reinterpret_cast<std::uint8_t*>(here + count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Address at = to + static_cast<Address>(i * sizeof *block);
    if (tracks_) nodes_.try_emplace(block + i, at);
    here[i] = block[i];
    if (has_no_edge(block[i])) continue;
    if (is_short(block[i])) {
      const std::uint64_t size = polycodec_node_size(block + i);
      if (size != 0) std::memcpy(put, block[i].as.data, size);
      here[i].as.u64 = size == 0 ? 0 : static_cast<std::uint64_t>(put - m_.base());
      put += size;
      continue;
    }
    if (block[i].kind == POLYCODEC_KIND_REFERENCE) {
      if (!tracks_) throw HasReferences();
      references_.emplace_back(at, block[i].as.node);
    }
    here[i] = node(block[i]);
  }
  return to;
}

polycodec_node ValueIn::node(polycodec_node n) {
  std::vector<std::vector<std::uint64_t>> tables;
  for_each_edge(n, Copying{{}, *this, tables});
  switch (n.kind) {
    case POLYCODEC_KIND_EXTENSION:
      n.as.u64 = m_.put(*n.as.extension);
      break;
    case POLYCODEC_KIND_ANNOTATED:
      n.as.u64 =
          m_.put(Annotated32{address(n.as.annotated->node), address(n.as.annotated->metadata)});
      break;
    case POLYCODEC_KIND_UNION:
      n.as.u64 = m_.put(*n.as.tagged);
      break;
    case POLYCODEC_KIND_TIMESTAMP:
    case POLYCODEC_KIND_DURATION:
      n.as.u64 = m_.put(*n.as.time);
      break;
    default:
      break;
  }
  return n;
}

Address ValueIn::array(const polycodec_array& from) {
  if (const auto known = arrays_.find(&from); known != arrays_.end()) return known->second;
  check_stack(UINT64_MAX);
  polycodec_array a{};
  std::memcpy(&a, &from, std::min<std::size_t>(from.struct_size, sizeof a));
  clear_unused(a);
  std::vector<std::vector<std::uint64_t>> tables;
  for_each_edge(a, Copying{{}, *this, tables});
  std::vector<Address> children;
  if (uses(a.layout, ArrayFields::children))
    for (std::uint32_t i = 0; i < a.n_children; ++i) children.push_back(address(a.children[i]));
  const auto table = [&](const void* data, std::uint64_t size) {
    return data == nullptr ? Address{0} : m_.put_bytes(to_string_view(data, size), 8).data;
  };
  const auto column = [](const polycodec_column& of) {
    return Column32{address(of.data), 0, of.stride, of.dtype, of.reserved};
  };
  const Array32 copy = {sizeof copy,
                        a.layout,
                        a.dtype,
                        a.byte_order,
                        a.flags,
                        a.length,
                        address(a.data),
                        address(a.buffer),
                        a.buffer_size,
                        a.ndim,
                        a.item_size,
                        a.unit,
                        a.n_children,
                        address(a.shape),
                        address(a.strides),
                        column(a.index),
                        column(a.tags),
                        a.list_size,
                        table(children.data(), children.size() * sizeof(Address)),
                        table(a.names, a.names == nullptr ? 0 : a.n_children * sizeof *a.names),
                        address(a.nodes),
                        address(a.metadata)};
  const Address to = m_.put(copy);
  arrays_.emplace(&from, to);
  return to;
}

Address ValueIn::bytes(const void* data, std::uint64_t size, std::uint64_t align) {
  if (size == 0) return 0;
  const bool is_large = size >= large_buffer;
  // Columns of a table of rows share one buffer, and each is as long.
  if (is_large)
    if (const auto known = buffers_.find(data);
        known != buffers_.end() && known->second.size >= size)
      return known->second.begin;
  const Address to = m_.put_bytes(to_string_view(data, size), align).data;
  if (is_large) {
    m_.originals.push_back({to, size, static_cast<const std::uint8_t*>(data)});
    buffers_[data] = m_.originals.back();
  }
  return to;
}

// -- out of it --

ValueOut::ValueOut(Machine& machine, Original input, std::uint64_t most_copied,
                   polycodec_arena* arena, const polycodec_limits& limits)
    : m_(machine),
      input_(input),
      in_place_(most_copied == 0),
      most_copied_(most_copied),
      arena_(arena),
      max_depth_(limits.max_depth),
      left_(std::min<std::uint64_t>(limits.max_nodes, machine.size())),
      done_(in_place_ ? machine.regions().take_marks(machine.size() / 8 + 1) : Marks()) {}

ValueOut::~ValueOut() {
  m_.regions().give_marks(std::move(done_));
}

void ValueOut::spend(std::uint64_t parts, std::uint32_t depth) {
  if (depth > max_depth_)
    throw Error(Status::limit,
                "the value is nested deeper than max_depth (" + std::to_string(max_depth_) + ")");
  check_stack(depth);
  if (parts > left_)
    throw Error(Status::limit,
                "the value has more nodes than max_nodes allows, or its parts overlap");
  left_ -= parts;
}

template <class T>
bool ValueOut::is_done(std::uint64_t at) {
  static_assert(sizeof(T) % 8 == 0 && sizeof(T) / 8 <= 8);
  if (!in_place_) return false;
  std::uint8_t* const words = done_.data.get() + at / 8;
  const auto mark = static_cast<std::uint8_t>(part_of<T> * 8);
  const bool before = words[0] == mark;
  for (std::uint8_t i = 0; i < sizeof(T) / 8; ++i) {
    const auto wanted = static_cast<std::uint8_t>(mark + i);
    if (words[i] != (before ? wanted : 0)) overlap();
    words[i] = wanted;
  }
  return before;
}

bool ValueOut::claim(std::uint64_t at, std::uint64_t count) noexcept {
  if (!in_place_) return true;
  constexpr std::uint8_t first = part_of<polycodec_node> * 8, second = first + 1;
  constexpr std::uint8_t marks[] = {first, second, first, second, first, second, first, second};
  std::uint8_t* const words = done_.data.get() + at / 8;
  std::uint64_t found = 0, of_four = 0, i = 0;
  for (; i + 4 <= count; i += 4) {
    std::memcpy(&of_four, words + 2 * i, sizeof marks);
    found |= of_four;
  }
  for (; i < count; ++i) found |= static_cast<std::uint64_t>(words[2 * i] | words[2 * i + 1]);
  if (found != 0) return false;
  for (i = 0; i + 4 <= count; i += 4) std::memcpy(words + 2 * i, marks, sizeof marks);
  for (; i < count; ++i) std::memcpy(words + 2 * i, marks, 2);
  return true;
}

void* ValueOut::allocate(std::uint64_t size, std::uint64_t align) {
  auto error = make_error();
  void* const memory = polycodec_arena_alloc(arena_, size, align, &error);
  if (memory == nullptr) throw to_error(error.code, error);
  return memory;
}

const void* ValueOut::bytes(std::uint64_t from, std::uint64_t size, std::uint64_t align) {
  if (size == 0) return nullptr;
  const std::uint64_t in_input = from - input_.begin;
  if (in_input < input_.size && size <= input_.size - in_input) return input_.from + in_input;
  if (from == 0 || !m_.holds(from, size)) Machine::stray();
  const void* const here = m_.base() + from;
  if (in_place_) {
    shown_.emplace_back(from, from + size);
    return here;
  }
  copied_ += size;
  if (copied_ > most_copied_) throw NeedsPlace();
  void* const copy = allocate(size, align);
  std::memcpy(copy, here, size);
  return copy;
}

void* ValueOut::structs(std::uint64_t from, std::uint64_t size) {
  if (from == 0 || from % 8 != 0 || !m_.holds(from, size)) Machine::stray();
  if (in_place_) return m_.base() + from;
  copied_ += size;
  if (copied_ > most_copied_) throw NeedsPlace();
  void* const copy = allocate(size, 8);
  std::memcpy(copy, m_.base() + from, size);
  return copy;
}

/// Leads the pointers of a node or array of the module, which are addresses, to where the memory
/// is.
struct ValueOut::Moving : EdgeVisitor {
  ValueOut& by;
  std::uint32_t depth;  // of what is inside

  void bytes(const void*& data, std::uint64_t size) { data = by.bytes(number(data), size); }
  void nodes(const polycodec_node*& block, std::uint64_t count) {
    block = by.nodes(number(block), count, depth);
  }
  void metadata(const polycodec_node*& attributes) { nodes(attributes, 1); }
  void target(const polycodec_node*& node) {
    if (!by.in_place_) throw NeedsPlace();
    const std::uint64_t at = number(node);
    node = static_cast<const polycodec_node*>(by.structs(at, sizeof *node));
    by.targets_.push_back(at);
  }
  void array(const polycodec_array*& of) { of = by.array(number(of), depth); }
  bool table(const polycodec_annotated*& of, std::uint64_t) {
    const Annotated32& from = *by.m_.at<Annotated32>(number(of));
    auto* const copy = static_cast<polycodec_annotated*>(by.allocate(sizeof *of, alignof(void*)));
    *copy = {pointer<const polycodec_node>(from.node),
             pointer<const polycodec_node>(from.metadata)};
    of = copy;
    return true;
  }
  bool table(const polycodec_array* const*& of, std::uint64_t count) {
    by.spend(count, depth);
    const Address* const from = by.m_.at<Address>(number(of), count);
    auto** const copy =
        static_cast<const polycodec_array**>(by.allocate(count * sizeof *of, alignof(void*)));
    for (std::uint64_t i = 0; i < count; ++i) copy[i] = pointer<const polycodec_array>(from[i]);
    of = copy;
    return true;
  }
  template <class T>
  bool table(T*& of, std::uint64_t count) {
    const std::uint64_t from = number(of);
    by.spend(count, depth);
    if (count == 0) return false;
    auto* const here = static_cast<std::remove_const_t<T>*>(by.structs(from, count * sizeof *of));
    of = here;
    bool is_new = false;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (by.is_done<std::remove_const_t<T>>(from + i * sizeof *of)) continue;
      // Two records may have the same table of names, or a part of it.
      if constexpr (std::is_same_v<T, const polycodec_bytes>) {
        narrow(here[i].data);
        here[i].data = by.bytes(number(here[i].data), here[i].size);
        continue;
      }
      if constexpr (std::is_same_v<T, const polycodec_tagged>) narrow(here[i].node);
      if constexpr (std::is_same_v<T, const polycodec_extension>)
        narrow(here[i].name.data), narrow(here[i].payload);
      is_new = true;
    }
    return is_new;
  }
  void buffer(polycodec_array& leaf) {
    const std::uint64_t offset = number(leaf.data) - number(leaf.buffer);
    leaf.buffer = by.bytes(number(leaf.buffer), leaf.buffer_size, 64);
    leaf.data =
        leaf.buffer == nullptr ? nullptr : pointer<const void>(number(leaf.buffer) + offset);
  }
  void extents(const std::int64_t*& of, std::uint32_t ndim) {
    if (ndim > POLYCODEC_MAX_NDIM) throw Error(Status::invalid, "an array has too many dimensions");
    if (number(of) % 8 != 0) Machine::stray();
    of = static_cast<const std::int64_t*>(by.bytes(number(of), ndim * sizeof *of, 8));
  }
  void column(polycodec_column& of, std::uint64_t items) {
    const auto span = column_span(items, of.stride, dtype_size(of.dtype));
    if (!span) throw Error(Status::invalid, "a column of an array overflows");
    const auto low = static_cast<std::uint64_t>(span->low);
    of.data = pointer<const void>(number(by.bytes(number(of.data) + low, span->size(), 8)) - low);
  }
};

const polycodec_node* ValueOut::root(Address root) {
  const polycodec_node* const value = nodes(root, 1, 0);
  // References do not count as levels: a chain of them may be as long as the value.
  while (!targets_.empty()) {
    const std::uint64_t at = targets_.back();
    targets_.pop_back();
    nodes(at, 1, 0);
  }
  check_shown();
  return value;
}

void ValueOut::check_shown() {
  std::ranges::sort(shown_);
  std::uint64_t next = 0;  // each byte is looked at once, however often the value has it
  for (const auto& [begin, end] : shown_) {
    const std::uint64_t first = std::max(begin / 8, next), last = (end + 7) / 8;
    if (first >= last) continue;
    next = last;
    const std::uint8_t* const marks = done_.data.get();
    if (std::any_of(marks + first, marks + last, [](std::uint8_t mark) { return mark != 0; }))
      overlap();
  }
}

const polycodec_node* ValueOut::nodes(std::uint64_t block, std::uint64_t count,
                                      std::uint32_t depth) {
  if (count == 0) return nullptr;
  spend(count, depth);
  auto* const here = static_cast<polycodec_node*>(structs(block, count * sizeof(polycodec_node)));
  const bool is_new = claim(block, count);
  for (std::uint64_t i = 0; i < count; ++i) {
    polycodec_node& n = here[i];
    if (!is_new && is_done<polycodec_node>(block + i * sizeof n)) continue;
    if (has_no_edge(n)) continue;
    n.as.u64 &= UINT32_MAX;
    // Most nodes that have edges are text of the input, and containers.
    const std::uint64_t in_input = n.as.u64 - input_.begin, size = polycodec_node_size(&n);
    if (n.kind == POLYCODEC_KIND_STRING && in_input < input_.size &&
        size - 1 < input_.size - in_input)
      n.as.data = input_.from + in_input;
    else if (n.kind >= POLYCODEC_KIND_LIST && n.kind <= POLYCODEC_KIND_MAP)
      n.as.nodes = nodes(n.as.u64, n.kind < POLYCODEC_KIND_OBJECT ? size : 2 * size, depth + 1);
    else
      for_each_edge(n, Moving{{}, *this, depth + 1});
  }
  return here;
}

const polycodec_array* ValueOut::array(std::uint64_t at, std::uint32_t depth) {
  if (const auto known = arrays_.find(at); known != arrays_.end()) return known->second;
  const Array32& from = *m_.at<Array32>(at);
  if (from.struct_size < sizeof from)
    throw Error(Status::plugin, "an array of it is shorter than this ABI has it");
  spend(1 + std::uint64_t{from.n_children}, depth);
  auto* const to =
      static_cast<polycodec_array*>(allocate(sizeof(polycodec_array), alignof(polycodec_array)));
  arrays_.emplace(at, to);
  const auto column = [](const Column32& of) {
    return polycodec_column{pointer<const void>(of.data), of.stride, of.dtype, of.reserved};
  };
  *to = {};
  to->struct_size = sizeof *to;
  to->layout = from.layout;
  to->dtype = from.dtype;
  to->byte_order = from.byte_order;
  to->flags = from.flags;
  to->length = from.length;
  to->data = pointer<const void>(from.data);
  to->buffer = pointer<const void>(from.buffer);
  to->buffer_size = from.buffer_size;
  to->ndim = from.ndim;
  to->item_size = from.item_size;
  to->unit = from.unit;
  to->n_children = from.n_children;
  to->shape = pointer<const std::int64_t>(from.shape);
  to->strides = pointer<const std::int64_t>(from.strides);
  to->index = column(from.index);
  to->tags = column(from.tags);
  to->list_size = from.list_size;
  to->children = pointer<const polycodec_array* const>(from.children);
  to->names = pointer<const polycodec_bytes>(from.names);
  to->nodes = pointer<const polycodec_node>(from.nodes);
  to->metadata = pointer<const polycodec_node>(from.metadata);
  clear_unused(*to);
  for_each_edge(*to, Moving{{}, *this, depth + 1});
  return to;
}

}  // namespace polycodec::wasm
