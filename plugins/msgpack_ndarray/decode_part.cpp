// SPDX-License-Identifier: MIT
// The members of a document that are wanted; the others are passed without being decoded.
#include "decode.hpp"
#include "item_head.hpp"
#include "path.hpp"

#include <algorithm>
#include <vector>

namespace polycodec::msgpack_ndarray {

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
  // Each item takes a byte at least, so that the loop ends with the input.
  for (std::uint64_t due = 1; due != 0; --due) {
    const ItemHead item = head();
    at_ = item.next;
    if (item.kind == ItemKind::list) due += item.size;
    if (item.kind == ItemKind::map) due += 2 * item.size;
  }
}

void Decoder::part(polycodec_node* node, const Wanted& wanted, std::uint64_t rows,
                   std::uint64_t depth) {
  const std::uint8_t* const start = at_;
  const std::uint64_t nodes_left = nodes_left_;
  const ItemHead item = wanted.all() && rows == all_rows ? ItemHead() : head();
  if (item.kind == ItemKind::list || (item.kind == ItemKind::map && !wanted.all())) {
    if (depth >= max_depth_) fail_depth(start);
    call_.check_stack();
    if (item.size > static_cast<std::uint64_t>(end_ - item.next))
      fail(Status::truncated, "msgpack.end_of_input",
           "a container of " + std::to_string(item.size) + " items cannot fit in the " +
               std::to_string(end_ - item.next) + " bytes that are left",
           start);
    at_ = item.next;
    if (item.kind == ItemKind::list) return part_of_list(node, item.size, wanted, rows, depth);
    if (part_of_map(node, item.size, wanted, rows, depth)) return;
    at_ = start;
    nodes_left_ = nodes_left;
  }
  max_depth_ -= depth;
  run(node);
  max_depth_ += depth;
}

void Decoder::part_of_list(polycodec_node* node, std::uint64_t size, const Wanted& wanted,
                           std::uint64_t rows, std::uint64_t depth) {
  const std::uint64_t kept = std::min(size, rows);
  take_nodes(kept, at_);
  polycodec_node* nodes;
  *node = out_.list(kept, &nodes);
  for (std::uint64_t i = 0; i < kept; ++i)
    below(*node, i, [&] { part(&nodes[i], wanted, all_rows, depth + 1); });
  for (std::uint64_t i = kept; i < size; ++i) pass();
}

bool Decoder::part_of_map(polycodec_node* node, std::uint64_t size, const Wanted& wanted,
                          std::uint64_t rows, std::uint64_t depth) {
  std::vector<polycodec_node> kept;
  std::vector<const Wanted*> found;
  for (std::uint64_t i = 0; i < size; ++i) {
    const ItemHead key = head();
    if (key.kind != ItemKind::text) return false;  // a map of other keys is not an object
    at_ = key.next;
    const Wanted* const member = wanted.find(key.text());
    if (member == nullptr) {
      pass();
      continue;
    }
    if (std::ranges::find(found, member) == found.end()) found.push_back(member);
    take_nodes(2, at_);
    kept.push_back(Builder::string_view(key.text()));
    kept.push_back(Builder::null());
    polycodec_node object = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, kept.size() / 2);
    object.as.nodes = kept.data();
    below(object, kept.size() - 1, [&] { part(&kept.back(), *member, rows, depth + 1); });
  }
  if (found.size() != wanted.members().size()) return false;
  polycodec_node* nodes;
  *node = out_.object(kept.size() / 2, &nodes);
  std::ranges::copy(kept, nodes);
  return true;
}

template <class Body>
void Decoder::below(const polycodec_node& owner, std::uint64_t child, Body&& body) const {
  try {
    body();
  } catch (Error& e) {
    std::string path = "$";
    append_step(path, owner, child);
    throw Error(e).path(inside(path, e.path()));
  }
}

}  // namespace polycodec::msgpack_ndarray
