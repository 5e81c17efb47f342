// SPDX-License-Identifier: MIT
// The members of a document that are wanted; the others are passed without being decoded.
#include "decode.hpp"
#include "item_head.hpp"
#include "skip.hpp"

#include <algorithm>
#include <vector>

namespace polycodec::msgpack_ndarray {
namespace {

/// As wanted.find(), where names are short and most are not wanted.
const Wanted* find_quickly(const Wanted& wanted, std::string_view name) noexcept {
  for (const Wanted::Member& member : wanted.members()) {
    if (member.name.size() != name.size()) continue;
    std::size_t i = name.size();
    while (i != 0 && member.name[i - 1] == name[i - 1]) --i;
    if (i == 0) return &member.wanted;
  }
  return nullptr;
}

}  // namespace

ItemHead Decoder::head() const {
  ItemHead head;
  const std::uint64_t needed = at_ == end_ ? 1 : read_head(at_, end_, head);
  if (needed != 0)
    fail(Status::truncated, "msgpack.end_of_input",
         "an item needs " + std::to_string(needed) + " bytes, " + std::to_string(end_ - at_) +
             " are left",
         end_);
  if (head.kind == ItemKind::reserved)
    fail(Status::malformed, "msgpack.reserved_byte", "byte 0xc1 is never used in msgpack", at_);
  return head;
}

void Decoder::pass() {
  if (skip_.simple(at_, end_)) return;
  const std::uint8_t* const start = at_;
  std::uint64_t due = 1;
  if (skip_.items(at_, end_, end_, due) && due == 0) return;
  // Something is wrong: the first item that is, throws. Each takes a byte at least.
  at_ = start;
  for (due = 1; due != 0; --due) {
    const ItemHead item = head();
    if (item.kind == ItemKind::list) due += item.size;
    if (item.kind == ItemKind::map) due += 2 * item.size;
    at_ = item.next;
  }
}

void Decoder::part(polycodec_node* node, const Wanted& wanted, std::uint64_t rows,
                   std::uint64_t depth) {
  const std::uint8_t* const start = at_;
  const std::uint64_t nodes_left = nodes_left_;
  const ItemHead item = wanted.all() && rows == all_rows ? ItemHead() : head();
  if (item.kind == ItemKind::list || (item.kind == ItemKind::map && !wanted.all())) {
    if (depth >= max_depth_) fail_depth(start);
    within(start, [&] { call_.check_stack(); });
    if (item.size > static_cast<std::uint64_t>(end_ - item.next))
      fail(Status::truncated, "msgpack.end_of_input",
           "a container of " + std::to_string(item.size) + " items cannot fit in the " +
               std::to_string(end_ - item.next) + " bytes that are left",
           start);
    at_ = item.next;
    if (item.kind == ItemKind::list)
      return part_of_list(node, start, item.size, wanted, rows, depth);
    const MendNotes::Mark notes = notes_.mark();
    if (part_of_map(node, start, item.size, wanted, rows, depth)) return;
    notes_.rewind(notes);
    at_ = start;
    nodes_left_ = nodes_left;
  }
  max_depth_ -= depth;
  if (depth == 0 || !is_shared() || !read_shared(node)) run(node);
  max_depth_ += depth;
}

void Decoder::part_of_list(polycodec_node* node, const std::uint8_t* start, std::uint64_t size,
                           const Wanted& wanted, std::uint64_t rows, std::uint64_t depth) {
  const std::uint64_t kept = std::min(size, rows);
  const std::uint64_t first = rows == all_rows ? 0 : std::min(first_row_, kept);
  take_nodes(kept, at_);
  polycodec_node* nodes;
  *node = within(start, [&] { return out_.list(kept, &nodes); });
  for (std::uint64_t i = 0; i < first; ++i) {
    nodes[i] = Builder::null();
    pass();
  }
  way_.push_back({node, first});
  for (std::uint64_t i = first; i < kept; ++i) {
    way_.back().child = i;
    part(&nodes[i], wanted, all_rows, depth + 1);
  }
  way_.pop_back();
  for (std::uint64_t i = kept; i < size; ++i) pass();
}

bool Decoder::part_of_map(polycodec_node* node, const std::uint8_t* start, std::uint64_t size,
                          const Wanted& wanted, std::uint64_t rows, std::uint64_t depth) {
  const std::size_t first = kept_.size();
  std::size_t found = 0;
  const auto leave = [&](bool is_part) {
    kept_.resize(first);
    return is_part;
  };
  for (std::uint64_t i = 0; i < size; ++i) {
    std::string_view name;
    if (end_ - at_ > 32 && (*at_ & 0xe0) == 0xa0) [[likely]] {
      name = {reinterpret_cast<const char*>(at_ + 1), *at_ & 31u};
      at_ += 1 + name.size();
    } else {
      const ItemHead key = head();
      if (key.kind != ItemKind::text) return leave(false);  // a map of other keys is not an object
      name = key.text();
      at_ = key.next;
    }
    const Wanted* const member = find_quickly(wanted, name);
    if (member == nullptr) {
      pass();
      continue;
    }
    const auto is_name = [&](const Kept& one) { return one.wanted == member; };
    if (std::none_of(kept_.begin() + static_cast<std::ptrdiff_t>(first), kept_.end(), is_name))
      ++found;
    take_nodes(2, at_);
    polycodec_node entry[] = {Builder::string_view(name), Builder::null()};
    polycodec_node object = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, 1);
    object.as.nodes = entry;
    way_.push_back({&object, 1});
    part(&entry[1], *member, rows, depth + 1);
    way_.pop_back();
    kept_.push_back({member, {entry[0], entry[1]}});
  }
  if (found != wanted.members().size()) return leave(false);
  polycodec_node* nodes;
  *node = within(start, [&] { return out_.object(kept_.size() - first, &nodes); });
  for (std::size_t i = first; i < kept_.size(); ++i)
    nodes = std::ranges::copy(kept_[i].entry, nodes).out;
  return leave(true);
}

}  // namespace polycodec::msgpack_ndarray
