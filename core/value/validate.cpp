// SPDX-License-Identifier: MIT
#include <base/dtype_names.hpp>
#include <base/frame_room.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include "core/call/budget.hpp"
#include "core/call/call_scope.hpp"
#include "core/value/arena.hpp"
#include "core/value/regions.hpp"
#include "core/value/validate_array.hpp"
#include "core/value/validation_work.hpp"
#include "core/value/value.hpp"
#include "core/value/value_memory.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

using detail::throw_invalid;
using detail::throw_limit;

// What a node must look like is decided by its kind and dtype together: one table look-up instead
// of nested switches, because mixed documents make every branch on the kind a mispredicted one.
enum class Rule : std::uint8_t { bad, scalar, text, other };

struct NodeRule {
  Rule rule = Rule::bad;
  std::uint8_t range = 0;
};

// A scalar is right if as.u64 + bias <= limit, in unsigned arithmetic that wraps.
struct ScalarRange {
  std::uint64_t bias, limit;
};
constexpr ScalarRange scalar_ranges[] = {
    {0, UINT64_MAX},           {0, 1},         {0x80, UINT8_MAX}, {0x8000, UINT16_MAX},
    {0x80000000u, UINT32_MAX}, {0, UINT8_MAX}, {0, UINT16_MAX},   {0, UINT32_MAX},
};

constexpr unsigned rule_columns = 32;
constexpr auto node_rules = [] {
  std::array<NodeRule, POLYCODEC_KIND_COUNT * rule_columns> rules{};
  const auto set = [&](unsigned kind, unsigned dtype, Rule rule, std::uint8_t range) {
    rules[kind * rule_columns + dtype] = {rule, range};
  };
  set(POLYCODEC_KIND_NULL, 0, Rule::scalar, 0);
  set(POLYCODEC_KIND_BOOLEAN, 0, Rule::scalar, 1);
  set(POLYCODEC_KIND_BOOLEAN, POLYCODEC_DTYPE_BOOLEAN, Rule::scalar, 1);
  set(POLYCODEC_KIND_SIGNED, POLYCODEC_DTYPE_INT8, Rule::scalar, 2);
  set(POLYCODEC_KIND_SIGNED, POLYCODEC_DTYPE_INT16, Rule::scalar, 3);
  set(POLYCODEC_KIND_SIGNED, POLYCODEC_DTYPE_INT32, Rule::scalar, 4);
  set(POLYCODEC_KIND_SIGNED, POLYCODEC_DTYPE_INT64, Rule::scalar, 0);
  set(POLYCODEC_KIND_UNSIGNED, POLYCODEC_DTYPE_UINT8, Rule::scalar, 5);
  set(POLYCODEC_KIND_UNSIGNED, POLYCODEC_DTYPE_UINT16, Rule::scalar, 6);
  set(POLYCODEC_KIND_UNSIGNED, POLYCODEC_DTYPE_UINT32, Rule::scalar, 7);
  set(POLYCODEC_KIND_UNSIGNED, POLYCODEC_DTYPE_UINT64, Rule::scalar, 0);
  for (unsigned dtype = POLYCODEC_DTYPE_FLOAT16; dtype <= POLYCODEC_DTYPE_FLOAT64; ++dtype)
    set(POLYCODEC_KIND_FLOAT, dtype, Rule::scalar, 0);
  for (unsigned dtype = 0; dtype < POLYCODEC_DTYPE_COUNT; ++dtype)
    if (dtype == POLYCODEC_DTYPE_INT128 || dtype == POLYCODEC_DTYPE_UINT128 ||
        dtype == POLYCODEC_DTYPE_FLOAT128 || is_complex(dtype))
      set(POLYCODEC_KIND_WIDE, dtype, Rule::other, 0);
  set(POLYCODEC_KIND_STRING, 0, Rule::text, 0);
  set(POLYCODEC_KIND_STRING, POLYCODEC_STRING_LENIENT, Rule::text, 0);
  set(POLYCODEC_KIND_TIMESTAMP, POLYCODEC_DTYPE_TIMESTAMP64, Rule::other, 0);
  set(POLYCODEC_KIND_DURATION, POLYCODEC_DTYPE_DURATION64, Rule::other, 0);
  for (unsigned kind = POLYCODEC_KIND_BINARY; kind < POLYCODEC_KIND_COUNT; ++kind)
    set(kind, 0, Rule::other, 0);
  return rules;
}();

constexpr NodeRule rule_of(const polycodec_node& n) noexcept {
  if (n.kind >= POLYCODEC_KIND_COUNT || n.dtype >= rule_columns) [[unlikely]]
    return {};
  return node_rules[n.kind * rule_columns + n.dtype];
}

// What the nodes (or children) of a frame are to their parent.
enum class Role : std::uint8_t {
  root,
  target,
  item,
  member,
  entry,
  payload,
  inner,
  attributes,
  variant,
  row,
  children
};

// A block of nodes, or the children of an array, that is being walked. While a frame below it is
// open, `at` is behind the node (or child) that was entered.
struct Frame {
  const polycodec_node* begin;
  const polycodec_node* at;
  const polycodec_node* end;
  const polycodec_array* array;
  std::uint32_t child;
  std::uint32_t depth;
  Role role;
  std::uint64_t nodes_left;  // of children: before the array was entered
};

// The open frames.
class FrameStack {
 public:
  bool empty() const noexcept { return size_ == 0; }
  Frame& top() noexcept { return frames_[size_ - 1]; }
  void pop() noexcept { --size_; }
  void push(const Frame& frame) {
    if (size_ == frames_.size()) [[unlikely]]
      frames_.grow();
    frames_[size_++] = frame;
  }
  const Frame* begin() const noexcept { return &frames_[0]; }
  const Frame* end() const noexcept { return &frames_[0] + size_; }

 private:
  FrameRoom<Frame> frames_;
  std::size_t size_ = 0;
};

/// Nodes of a container that another walk is to go through.
struct Block {
  const polycodec_node* nodes;
  std::uint64_t count;
  Role role;
  std::uint32_t depth;
};

/// `collects`: the walk leaves out what is in containers, and says where it is.
template <bool Full, bool collects = false>
class Walk {
 public:
  Walk(const polycodec_node* root, const Limits& limits, const Regions* regions, Arena* copies)
      : limits_(limits),
        memory_(regions, copies),
        all_nodes_(std::min(limits.max_nodes, UINT64_MAX / sizeof(polycodec_node))),
        nodes_after_(all_nodes_),
        work_(root, limits, regions == nullptr) {
    begin_slice();
  }

  void run(const polycodec_node* root) {
    if (root == nullptr) throw Error(Status::invalid, "the value has no root").path(path_root);
    run(Block{root, 1, Role::root, 0});
  }
  void run(const Block& block) {
    try {
      push_nodes(block.nodes, block.count, block.role, block.depth);
      drain();
      while (shared_ != nullptr && !shared_->targets.empty()) {
        const polycodec_node* target = shared_->targets.back();
        shared_->targets.pop_back();
        push_nodes(target, 1, Role::target, 0);
        drain();
      }
      work_.charge(detail::ValidationWork::units_per_node * (slice_ - nodes_left_));
      nodes_after_ = all_nodes_left();
      begin_slice();
      work_.finish();
    } catch (Error& error) {
      error.path(path());
      throw;
    }
  }

  /// The containers that were met since the last time.
  std::vector<Block> take_blocks() { return std::exchange(blocks_, {}); }
  /// How many nodes were counted.
  std::uint64_t nodes() const noexcept { return all_nodes_ - all_nodes_left(); }
  /// True if there were references or large arrays, which must not be walked through by several
  /// walks.
  bool has_shared() const noexcept { return shared_ != nullptr; }

 private:
  void drain() {
    while (!frames_.empty()) {
      if (frames_.top().role != Role::children) {
        walk_nodes();
      } else if (walk_children()) {
        remember(frames_.top());
        frames_.pop();
      }
    }
  }

  // Arrays may have children in common, and these again, so that a few of them stand for more than
  // could ever be walked through. What was found right once is so wherever it is not deeper; only
  // its nodes count again. Small arrays are walked through again instead of being remembered.
  void remember(const Frame& frame) {
    const std::uint64_t nodes = frame.nodes_left - all_nodes_left();
    if (nodes >= worth_remembering) [[unlikely]]
      shared().known[frame.array] = {nodes, frame.depth};
  }
  bool is_known(const polycodec_array& array, std::uint32_t depth) {
    if (shared_ == nullptr) [[likely]]
      return false;
    const auto found = shared_->known.find(&array);
    if (found == shared_->known.end() || depth > found->second.depth) return false;
    skip_nodes(found->second.nodes);
    return true;
  }

  // Walks on through the nodes of the top frame and of the containers in it, until there is no
  // frame of nodes on top.
  void walk_nodes() {
    Frame frame = frames_.top();
    const polycodec_node* n = frame.at;
    for (;;) {
      while (n != frame.end) {
        // Never true in a valid value, so that telling keys from values costs no mispredicted
        // branch.
        const bool key = frame.role == Role::member && ((n - frame.begin) & 1) == 0;
        if (key & (n->kind != POLYCODEC_KIND_STRING)) [[unlikely]]
          fail(n, "a key of an object is not a string");
        const NodeRule rule = rule_of(*n);
        if (rule.rule == Rule::scalar) {
          const ScalarRange range = scalar_ranges[rule.range];
          if ((n->as.u64 + range.bias > range.limit) | ((n->size_hi | n->size_lo) != 0))
              [[unlikely]]
            fail_scalar(n);
        } else if (rule.rule == Rule::text) {
          check_text(*n);
        } else {
          frames_.top().at = n + 1;
          if (enter(*n, frame)) {
            frame = frames_.top();
            if (frame.role == Role::children) return;
            n = frame.begin;
            continue;
          }
        }
        ++n;
      }
      frames_.pop();
      if (frames_.empty() || frames_.top().role == Role::children) return;
      frame = frames_.top();
      n = frame.at;
    }
  }

  // Inline, since most nodes of documents are text; what is rare is out of the way.
  [[gnu::always_inline]] void check_text(const polycodec_node& n) {
    const std::uint64_t size = polycodec_node_size(&n);
    if (!memory_.holds(n.as.data, size)) [[unlikely]]
      check_far_text(n, size);
    if constexpr (Full) {
      // Texts may share memory, so that few bytes are many.
      if (size >= long_text) [[unlikely]]
        work_.charge(units_of_bytes(size));
      if (!is_utf8({static_cast<const char*>(n.as.data), static_cast<std::size_t>(size)}))
          [[unlikely]]
        check_lenient(n);
    }
  }

  // Checks text that does not lie in the block of memory that was used last.
  [[gnu::noinline]] void check_far_text(const polycodec_node& n, std::uint64_t size) {
    if (n.as.data == nullptr && size != 0) fail(&n, "the text has no data");
    frames_.top().at = &n + 1;
    memory_.check_bytes(n.as.data, size, "text");
  }

  [[gnu::cold, gnu::noinline]] void check_lenient(const polycodec_node& n) {
    if (n.dtype == POLYCODEC_STRING_LENIENT) return;
    frames_.top().at = &n + 1;
    detail::throw_content("the text is not UTF-8");
  }

  // Checks a node that is neither scalar nor text; true if there is a new frame.
  [[gnu::always_inline]] bool enter(const polycodec_node& n, const Frame& frame) {
    if (rule_of(n).rule == Rule::bad) [[unlikely]]
      fail_kind(n);
    const std::uint64_t size = polycodec_node_size(&n);
    // Containers first: they are by far the most.
    if ((n.kind >= POLYCODEC_KIND_LIST) & (n.kind <= POLYCODEC_KIND_MAP) & (n.as.data != nullptr)) {
      const bool pairs = n.kind >= POLYCODEC_KIND_OBJECT;
      const Role role = n.kind == POLYCODEC_KIND_OBJECT ? Role::member
                        : pairs                         ? Role::entry
                                                        : Role::item;
      return enter_container(n.as.nodes, size, pairs ? size * 2 : size, role, frame.depth);
    }
    if (n.kind < POLYCODEC_KIND_BINARY || n.kind > POLYCODEC_KIND_MAP) {
      if (size != 0) throw_invalid(std::string(kind_name(n.kind)) + " has a size");
      if (n.as.data == nullptr)
        throw_invalid(std::string(kind_name(n.kind)) + " points to nothing");
    } else if (size != 0 && n.as.data == nullptr) {
      throw_invalid(std::string(kind_name(n.kind)) + " of size " + std::to_string(size) +
                    " has no data");
    }
    switch (n.kind) {
      case POLYCODEC_KIND_WIDE:
        memory_.check_bytes(n.as.data, dtype_size(n.dtype), "a number");
        return false;
      case POLYCODEC_KIND_BINARY:
        memory_.check_bytes(n.as.data, size, "bytes");
        return false;
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
      case POLYCODEC_KIND_OBJECT:
      case POLYCODEC_KIND_MAP:  // without data, and so without items
        check_depth(frame.depth + 1);
        return false;
      case POLYCODEC_KIND_ARRAY:
        count_nodes(1);
        memory_.check_array(n.as.array);
        return enter_array(*n.as.array, frame.depth);
      case POLYCODEC_KIND_EXTENSION:
        memory_.check_struct(n.as.extension, sizeof *n.as.extension, "an extension");
        memory_.check_name(n.as.extension->name, "the name of an extension");
        work_.charge(units_of_bytes(n.as.extension->name.size));
        detail::check_utf8(n.as.extension->name, "the name of the extension");
        if (n.as.extension->name.size == 0) throw_invalid("the extension has no name");
        return push_node(n.as.extension->payload, Role::payload, frame.depth + 1);
      case POLYCODEC_KIND_UNION:
        memory_.check_struct(n.as.tagged, sizeof *n.as.tagged, "a member of a union");
        return push_node(n.as.tagged->node, Role::variant, frame.depth + 1);
      case POLYCODEC_KIND_ANNOTATED:
        memory_.check_struct(n.as.annotated, sizeof *n.as.annotated, "an annotation");
        return enter_annotated(*n.as.annotated, frame);
      case POLYCODEC_KIND_REFERENCE:
        work_.charge(units_per_reference);
        if (shared().seen.insert(n.as.node).second) shared().targets.push_back(n.as.node);
        return false;
      case POLYCODEC_KIND_TIMESTAMP:
      case POLYCODEC_KIND_DURATION:
        memory_.check_struct(n.as.time, sizeof *n.as.time, "a time");
        check_time(n);
        return false;
      default:
        return false;
    }
  }

  bool enter_container(const polycodec_node* nodes, std::uint64_t size, std::uint64_t count,
                       Role role, std::uint32_t depth) {
    if (size > limits_.max_elements) [[unlikely]]
      fail_size(size);
    // An empty container is a level too: a decoder that counts levels as it meets them agrees.
    check_depth(depth + 1);
    if (size == 0) return false;
    if constexpr (collects) {
      if (count > all_nodes_left()) fail_nodes();
      memory_.check_struct(nodes, count * sizeof *nodes, "nodes");
      blocks_.push_back({nodes, count, role, depth + 1});
      return false;
    }
    push_nodes(nodes, count, role, depth + 1);
    return true;
  }

  bool enter_annotated(const polycodec_annotated& annotated, const Frame& frame) {
    if (frame.role == Role::inner) throw_invalid("annotations are nested");
    check_attributes(annotated.metadata);
    push_node(annotated.node, Role::inner, frame.depth);
    return push_node(annotated.metadata, Role::attributes, frame.depth);
  }

  void check_attributes(const polycodec_node* attributes) {
    if (attributes == nullptr) throw_invalid("the annotation has no attributes");
    memory_.check_struct(attributes, sizeof *attributes, "metadata");
    if (attributes->kind != POLYCODEC_KIND_OBJECT) throw_invalid("metadata is not an object");
  }

  // Walks on through the children of the array of the top frame; false if it entered one of them.
  bool walk_children() {
    Frame& frame = frames_.top();
    while (frame.child < frame.array->n_children) {
      const polycodec_array& child = *frame.array->children[frame.child++];
      const std::uint32_t depth = frame.depth;
      if (enter_array(child, depth)) return false;
    }
    return true;
  }

  bool enter_array(const polycodec_array& array, std::uint32_t depth) {
    if (array.n_children != 0 && is_known(array, depth + 1)) return false;
    const std::uint64_t before = all_nodes_left();
    detail::check_array_structure(array, limits_, memory_, work_);
    if constexpr (Full) detail::check_array_content(array, work_);
    bool entered = false;
    if (array.n_children != 0) {
      check_depth(depth + 1);
      count_nodes(array.n_children);
      frames_.push({nullptr, nullptr, nullptr, &array, 0, depth + 1, Role::children, before});
      entered = true;
    }
    if (array.layout == POLYCODEC_LAYOUT_DOCUMENT && array.length != 0) {
      push_nodes(array.nodes, array.length, Role::row, depth + 1);
      entered = true;
    }
    if (array.metadata != nullptr) {
      check_attributes(array.metadata);
      push_nodes(array.metadata, 1, Role::attributes, depth);
      entered = true;
    }
    return entered;
  }

  bool push_node(const polycodec_node* node, Role role, std::uint32_t depth) {
    if (node == nullptr) throw_invalid("a node points to nothing");
    push_nodes(node, 1, role, depth);
    return true;
  }

  void push_nodes(const polycodec_node* nodes, std::uint64_t count, Role role,
                  std::uint32_t depth) {
    check_depth(depth);
    count_nodes(count);
    // A call that is not the last thing costs each container the saving of registers.
    if (!memory_.holds_struct(nodes, count * sizeof *nodes)) [[unlikely]]
      return push_found(nodes, count, role, depth);
    frames_.push({nodes, nodes, nodes + count, nullptr, 0, depth, role, 0});
  }
  [[gnu::cold, gnu::noinline]] void push_found(const polycodec_node* nodes, std::uint64_t count,
                                               Role role, std::uint32_t depth) {
    memory_.check_struct(nodes, count * sizeof *nodes, "nodes");
    frames_.push({nodes, nodes, nodes + count, nullptr, 0, depth, role, 0});
  }

  void check_depth(std::uint32_t depth) const {
    if (depth > limits_.max_depth) [[unlikely]]
      fail_depth();
  }

  void count_nodes(std::uint64_t count) {
    if (count > nodes_left_) [[unlikely]]
      return next_slice(count);
    nodes_left_ -= count;
  }
  /// Counts nodes that are not walked through.
  void skip_nodes(std::uint64_t count) {
    if (count > all_nodes_left()) [[unlikely]]
      fail_nodes();
    const std::uint64_t after = std::min(count, nodes_after_);
    nodes_after_ -= after;
    nodes_left_ -= count - after;
    slice_ -= count - after;
  }
  std::uint64_t all_nodes_left() const noexcept { return nodes_left_ + nodes_after_; }
  /// Charges the nodes that were counted and these, and begins anew.
  [[gnu::cold, gnu::noinline]] void next_slice(std::uint64_t count) {
    if (count > all_nodes_left()) fail_nodes();
    work_.charge(detail::ValidationWork::units_per_node * (slice_ - nodes_left_ + count));
    nodes_after_ = all_nodes_left() - count;
    begin_slice();
  }
  void begin_slice() noexcept {
    nodes_left_ = slice_ = std::min(nodes_after_, detail::ValidationWork::slice);
    nodes_after_ -= nodes_left_;
  }

  static void check_time(const polycodec_node& n) {
    const polycodec_time& time = *n.as.time;
    if (time.unit >= POLYCODEC_UNIT_COUNT)
      throw_invalid("unknown time unit " + std::to_string(time.unit));
    const bool split = n.kind == POLYCODEC_KIND_TIMESTAMP && is_subsecond_unit(time.unit);
    if (time.nanoseconds > (split ? 999999999u : 0u))
      throw_invalid(std::to_string(time.nanoseconds) + " nanoseconds beside unit " +
                    quote(time_unit_name(time.unit)));
  }

  [[noreturn, gnu::cold]] void fail_size(std::uint64_t size) const {
    throw_limit(std::to_string(size) + " items, more than max_elements (" +
                std::to_string(limits_.max_elements) + ")");
  }
  [[noreturn, gnu::cold]] void fail_depth() const {
    throw_limit("nested deeper than max_depth (" + std::to_string(limits_.max_depth) + ")");
  }
  [[noreturn, gnu::cold]] void fail_nodes() const {
    throw_limit("more nodes than max_nodes (" + std::to_string(limits_.max_nodes) + ")");
  }
  [[noreturn, gnu::cold]] void fail(const polycodec_node* at, const char* message) {
    frames_.top().at = at + 1;
    throw_invalid(message);
  }
  [[noreturn, gnu::cold]] void fail_scalar(const polycodec_node* at) {
    const std::string name(kind_name(at->kind));
    fail(at, (polycodec_node_size(at) != 0
                  ? name + " has a size"
                  : "the number does not fit in its " + std::string(dtype_text(*at)))
                 .c_str());
  }
  [[noreturn, gnu::cold]] static void fail_kind(const polycodec_node& n) {
    if (n.kind >= POLYCODEC_KIND_COUNT) throw_invalid("unknown kind " + std::to_string(n.kind));
    throw_invalid(std::string(kind_name(n.kind)) + " with dtype or flags " +
                  std::to_string(n.dtype));
  }
  static std::string_view dtype_text(const polycodec_node& n) {
    return n.kind == POLYCODEC_KIND_BOOLEAN ? "bool" : dtype_name(n.dtype);
  }

  std::string path() const {
    std::string text;
    for (const Frame& frame : frames_) {
      if (text.size() > 4096) return text + "...";
      append_step(text, frame);
    }
    return text.empty() ? std::string(path_root) : text;
  }

  void append_step(std::string& text, const Frame& frame) const {
    const bool entered = frame.role == Role::children ? frame.child != 0 : frame.at != frame.begin;
    const auto i = static_cast<std::uint64_t>(frame.at - frame.begin - (entered ? 1 : 0));
    switch (frame.role) {
      case Role::root:
        text += path_root;
        return;
      case Role::target:
        append_part(text, Part::target);
        return;
      case Role::payload:
        return append_part(text, Part::payload);
      case Role::attributes:
        return append_part(text, Part::attributes);
      case Role::variant:
        return append_part(text, Part::member);
      case Role::inner:
        return;
      default:
        break;
    }
    if (!entered) return;
    switch (frame.role) {
      case Role::member:
      case Role::entry:
        return append_entry(text, frame, i);
      case Role::children:
        return append_child(text, *frame.array, frame.child - 1);
      default:
        return append_index(text, i);
    }
  }

  static void append_entry(std::string& text, const Frame& frame, std::uint64_t i) {
    const polycodec_node& key = frame.begin[i & ~std::uint64_t{1}];
    if (i % 2 == 0) return append_part(text, Part::key, i / 2);
    if (key.kind == POLYCODEC_KIND_STRING)
      return append_key(text, to_string_view({key.as.data, polycodec_node_size(&key)}));
    append_part(text, Part::value, i / 2);
  }

  static void append_child(std::string& text, const polycodec_array& array, std::uint32_t child) {
    switch (array.layout) {
      case POLYCODEC_LAYOUT_RECORD:
        if (array.names != nullptr) return append_key(text, to_string_view(array.names[child]));
        return append_part(text, Part::field, child);
      case POLYCODEC_LAYOUT_UNION:
        return append_part(text, Part::member, child);
      case POLYCODEC_LAYOUT_CHUNKED:
        return append_part(text, Part::chunk, child);
      default:
        return append_part(text, Part::content);
    }
  }

  const Limits& limits_;
  detail::ValueMemory memory_;
  const std::uint64_t all_nodes_;
  std::uint64_t nodes_left_, slice_;  // in this slice, and when it began
  std::uint64_t nodes_after_;         // the slice
  detail::ValidationWork work_;
  FrameStack frames_;

  static constexpr std::uint64_t worth_remembering = 256;
  static constexpr std::uint64_t long_text = 256;           // bytes, which take as long as the node
  static constexpr std::uint64_t units_per_reference = 12;  // beside those of a node
  struct Known {
    std::uint64_t nodes;
    std::uint32_t depth;
  };
  /// What few values have: targets of references, and large arrays.
  struct Shared {
    std::vector<const polycodec_node*> targets;
    std::unordered_set<const polycodec_node*> seen;
    std::unordered_map<const polycodec_array*, Known> known;
  };
  Shared& shared() {
    if (shared_ == nullptr) shared_ = std::make_unique<Shared>();
    return *shared_;
  }
  std::unique_ptr<Shared> shared_;
  std::vector<Block> blocks_;
};

/// Values of less memory are walked through by one thread.
constexpr std::uint64_t least_shared = std::uint64_t{1} << 20;

/// Validates on several threads. False if one thread is to do it: where something is wrong, it
/// finds what comes first.
template <bool Full>
bool validate_shared(const polycodec_node* root, const Limits& limits, const Regions* regions,
                     const Call& call) try {
  constexpr std::uint64_t enough = 4096, run = 1024, most_parts = 512;
  constexpr int most_rounds = 6;
  Budget* const budget = BudgetScope::current();
  Walk<Full, true> outer(root, limits, regions, nullptr);
  outer.run(root);
  std::vector<Block> blocks = outer.take_blocks();
  const auto size = [&] {
    std::uint64_t all = 0;
    for (const Block& block : blocks) all += block.count;
    return all;
  };
  for (int round = 0; round < most_rounds && !blocks.empty() && size() < enough; ++round) {
    for (const Block& block : blocks) outer.run(block);
    blocks = outer.take_blocks();
  }
  std::vector<Block> runs;
  for (Block block : blocks) {
    for (; block.count > run; block.nodes += run, block.count -= run)
      runs.push_back({block.nodes, run, block.role, block.depth});
    runs.push_back(block);
  }
  if (outer.has_shared()) return false;
  std::atomic<std::uint64_t> nodes{outer.nodes()};
  std::atomic<bool> is_left{false};
  call.parallel_for(runs.size(), std::max<std::uint64_t>(1, runs.size() / most_parts),
                    [&](const Call&, std::uint64_t from, std::uint64_t to) {
                      const BudgetScope scope(*budget);
                      Walk<Full> inner(root, limits, regions, nullptr);
                      for (std::uint64_t i = from; i < to && !is_left; ++i) inner.run(runs[i]);
                      nodes.fetch_add(inner.nodes(), std::memory_order_relaxed);
                      if (inner.has_shared()) is_left = true;
                    });
  return !is_left && nodes <= limits.max_nodes;
} catch (const Error& e) {
  if (e.code() == Status::cancelled) throw;
  return false;
}

template <bool Full>
void validate(const polycodec_node* root, const Limits& limits, const Regions* regions,
              Arena* copies) {
  polycodec_call* const call = CallScope::current();
  if (call != nullptr && copies != nullptr && regions->is_stable() &&
      BudgetScope::current() != nullptr && copies->used_bytes() >= least_shared &&
      Call(call).threads() > 1 && validate_shared<Full>(root, limits, regions, Call(call)))
    return;
  Walk<Full>(root, limits, regions, copies).run(root);
}

}  // namespace

void validate(const polycodec_node* root, const Limits& limits, Validation validation,
              const Regions* regions, Arena* copies) {
  if (validation == Validation::full) return validate<true>(root, limits, regions, copies);
  validate<false>(root, limits, regions, copies);
}

void validate(const polycodec_node* root, const Limits& limits, Validation validation) {
  validate(root, limits, validation, nullptr);
}

}  // namespace polycodec
