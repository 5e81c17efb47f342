// SPDX-License-Identifier: MIT
// Large documents on several threads: a fast skip cuts runs of items, which are read at the same
// time. What is wrong, or rare, is left to one thread, so that values and errors do not depend on
// threads.
#include "decode_shared.hpp"

#include <base/cut_parts.hpp>
#include <polycodec/utf.hpp>

#include "decode.hpp"
#include "node_words.hpp"

#include <algorithm>
#include <atomic>

namespace polycodec::msgpack_ndarray {

void fail_shared() {
  throw Error(Status::unsupported, "one thread is to read this document");
}

Cutter::Cutter(const Settings& settings, const polycodec_limits& limits, std::string_view bytes,
               std::uint64_t max_depth, polycodec_node* root) noexcept
    : strict_(!settings.lenient_utf8),
      limits_(limits),
      begin_(reinterpret_cast<const std::uint8_t*>(bytes.data())),
      at_(begin_),
      end_(begin_ + bytes.size()),
      max_depth_(max_depth),
      root_(root) {}

bool Cutter::cut(Builder& out, ItemRun& run) {
  if (levels_.empty()) {
    if (at_ != begin_) return false;
    open(out, root_);
  }
  for (;;) {
    Level& level = levels_.back();
    if (level.cursor == level.end) {
      levels_.pop_back();
      if (levels_.empty()) return false;
      continue;
    }
    run = {level.cursor, level.cursor, at_, at_, level.is_map, levels_.size()};
    while (level.cursor != level.end && at_ - run.begin < least_bytes) {
      const std::uint8_t* const start = at_;
      std::string_view key;
      if (level.is_map) key = this->key();
      if (!pass()) {
        if (run.begin != start) {  // what is before it comes first
          at_ = start;
          break;
        }
        polycodec_node* const node = level.is_map ? level.cursor + 1 : level.cursor;
        if (level.is_map) put_data(level.cursor, text_word(key.size(), strict_), key.data());
        level.cursor = node + 1;
        open(out, node);  // ends the reference to the level
        run.begin = nullptr;
        break;
      }
      level.cursor += level.is_map ? 2 : 1;
      run.end = level.cursor;
      run.bytes_end = at_;
    }
    if (run.begin != nullptr && run.end != run.nodes) return true;
  }
}

std::string_view Cutter::key() {
  ItemHead head;
  if (at_ == end_ || read_head(at_, end_, head) != 0 || head.kind != ItemKind::text) fail_shared();
  at_ = head.next;
  return head.text();
}

/// Passes an item. False if it is a container that shall be cut, at which this stays.
bool Cutter::pass() {
  const std::uint8_t* const start = at_;
  if (skip_.simple(at_, end_)) return true;
  std::uint64_t due = 1;
  const bool may_open = levels_.size() < most_levels;
  const std::uint8_t* const stop = may_open && end_ - at_ > least_bytes ? at_ + least_bytes : end_;
  if (!skip_.items(at_, end_, stop, due)) fail_shared();
  if (due == 0) return true;
  if (may_open && stop != end_) {
    at_ = start;
    return false;
  }
  fail_shared();
}

void Cutter::open(Builder& out, polycodec_node* node) {
  ItemHead head;
  const bool is_read = at_ != end_ && read_head(at_, end_, head) == 0;
  const bool is_map = head.kind == ItemKind::map;
  if (!is_read || (!is_map && head.kind != ItemKind::list) || head.size == 0 ||
      levels_.size() >= max_depth_ || head.size > limits_.max_elements)
    fail_shared();
  const std::uint64_t items = is_map ? 2 * head.size : head.size;
  if (items > static_cast<std::uint64_t>(end_ - head.next)) fail_shared();
  auto* const nodes = out.allocate<polycodec_node>(items);
  nodes_ += items;
  put_data(node, node_word(is_map ? POLYCODEC_KIND_OBJECT : POLYCODEC_KIND_LIST, 0, head.size),
           nodes);
  // The key before it was written by the cutter; an item of a list is of another thread.
  if (is_map && strict_ && !levels_.empty() && levels_.back().is_map &&
      !is_utf8(NodeView(node - 1).as_string()))
    fail_shared();
  at_ = head.next;
  levels_.push_back({nodes, nodes + items, is_map});
}

bool Decoder::is_shared() const {
  if (end_ - at_ < least_shared || settings_.tolerant || settings_.numpy_maps ||
      call_.threads() < 2)
    return false;
  // The first document of a stream may be short.
  const std::uint8_t* at = at_;
  std::uint64_t due = 1;
  return Skipper().items(at, end_, at_ + least_shared, due) && at >= at_ + least_shared;
}

bool Decoder::read_shared(polycodec_node* root) {
  const std::string_view bytes = to_string_view(at_, static_cast<std::uint64_t>(end_ - at_));
  Cutter cutter(settings_, call_.limits(), bytes, max_depth_, root);
  std::atomic<std::uint64_t> taken{0}, deepest{0};
  try {
    const bool is_whole = for_each_cut<ItemRun>(
        call_, bytes.size() / static_cast<std::uint64_t>(Cutter::least_bytes) * 2 + 64,
        [&](const Call& call, ItemRun& run) {
          Builder out(call);
          return cutter.cut(out, run);
        },
        [&](const Call& call, const ItemRun& run) {
          Builder out(call);
          Decoder part(*this, call, out, run);
          part.items(run);
          taken.fetch_add(nodes_left_ - part.nodes_left_, std::memory_order_relaxed);
          std::uint64_t most = deepest.load(std::memory_order_relaxed);
          const std::uint64_t mine = run.depth - 1 + part.deepest_;
          while (most < mine && !deepest.compare_exchange_weak(most, mine)) {
          }
        });
    if (!is_whole) return false;
  } catch (const Error& e) {
    if (e.code() == Status::cancelled) throw;
    return false;  // one thread finds what is wrong, in its place among all else
  }
  taken += cutter.nodes();
  if (taken > nodes_left_) return false;
  nodes_left_ -= taken;
  deepest_ = std::max<std::uint64_t>(deepest_, deepest);
  at_ = cutter.position();
  return true;
}

Decoder::Decoder(const Decoder& whole, const Call& call, Builder& out, const ItemRun& run)
    : settings_(whole.settings_),
      call_(call),
      out_(out),
      begin_(run.begin),
      at_(run.begin),
      end_(run.bytes_end),
      wanted_(nullptr),
      rows_(all_rows),
      nodes_left_(whole.nodes_left_),
      max_depth_(whole.max_depth_ - (run.depth - 1)),
      is_part_(true) {}

void Decoder::items(const ItemRun& run) {
  // The container around them, as far as the loops look at it.
  polycodec_node owner =
      polycodec_node_make(run.is_map ? POLYCODEC_KIND_OBJECT : POLYCODEC_KIND_LIST, 0,
                          static_cast<std::uint64_t>(run.end - run.nodes) / (run.is_map ? 2 : 1));
  owner.as.nodes = run.nodes;
  frames_[0] = {&owner + 1, &owner + 1, at_, end_, nullptr};
  here_ = {run.nodes, run.end, at_, end_, nullptr};
  stop_ = slice_end(here_.cursor, here_.end);
  depth_ = 1;
  deepest_ = 1;
  loop(1);
}

}  // namespace polycodec::msgpack_ndarray
