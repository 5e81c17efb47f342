// SPDX-License-Identifier: MIT
// Documents item by item; what is usual is left to decode_quick.cpp.
#include <polycodec/byte_order.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include "decode.hpp"
#include "node_words.hpp"
#include "quick_items.hpp"

#include <algorithm>

namespace polycodec::msgpack_ndarray {
namespace {

// What an item that begins with this byte is called in errors.
const char* name_of(std::uint8_t first) noexcept {
  if (first < 0xc0 || (first >= 0xd9 && first <= 0xdb)) return "a string";
  if (first <= 0xc6) return "a binary";
  if (first <= 0xc9 || (first >= 0xd4 && first <= 0xd8)) return "an ext";
  if (first <= 0xcb) return "a float";
  if (first <= 0xd3) return "an integer";
  return first <= 0xdd ? "an array" : "a map";
}

}  // namespace

// Memory is safe from declared counts. Every item takes a byte at least, so a container is refused
// unless a byte is left for all items that open containers still wait for; and each byte of input
// then makes one node of 16 bytes at most.
void Decoder::run(polycodec_node* const root) {
  here_ = {root, root + 1, at_, end_, nullptr};
  stop_ = root + 1;
  depth_ = 0;
  loop(0);
}

void Decoder::loop(const std::size_t last) {
  for (;;) {
    // What numpy's maps become, they do when they are closed.
    if (depth_ != 0 && has_usual() && !settings_.numpy_maps) quick();
    if (here_.cursor != stop_) {
      item();
    } else if (stop_ != here_.end) {
      call_.tick(decode_slice);
      stop_ = slice_end(here_.cursor, here_.end);
    } else if (depth_ != last) {
      close();
    } else {
      return;
    }
  }
}

void Decoder::item() {
  polycodec_node* const node = here_.cursor;
  const std::uint8_t* const start = at_;
  const auto left = static_cast<std::uint64_t>(end_ - start);
  const auto truncated = [&](const char* what, std::uint64_t bytes, const std::uint8_t* where) {
    fail(Status::truncated, "msgpack.end_of_input",
         std::string(what) + " needs " + std::to_string(bytes) + " bytes, " + std::to_string(left) +
             " are left",
         where);
  };
  const auto text = [&](const std::uint8_t* data, std::uint64_t size) {
    bool is_utf8 = !settings_.lenient_utf8;
    if (is_utf8) {
      const std::size_t bad = validate_utf8(data, static_cast<std::size_t>(size));
      if (bad != utf8_npos) [[unlikely]] {
        if (!settings_.tolerant)
          fail(Status::malformed, "msgpack.bad_utf8", "a string is not valid UTF-8", data + bad);
        is_utf8 = false;
        note(LossClass::note,
             "the string " +
                 quote({reinterpret_cast<const char*>(data), static_cast<std::size_t>(size)}, 40) +
                 " is not valid UTF-8; read as its bytes",
             data + bad);
      }
    }
    put_data(node, text_word(size, is_utf8), data);
    at_ = data + size;
    take_place();
  };
  if (left == 0) [[unlikely]]
    truncated("an item", 1, end_);
  // Small documents consist of these.
  if ((*start & 0xe0) == 0xa0 && left > (*start & 31u)) return text(start + 1, *start & 31u);
  if (*start < 0x80) {
    put(node, signed_word, *start);
    ++at_;
    take_place();
    return;
  }
  ItemHead head;
  if (const std::uint64_t needed = read_head(start, end_, head); needed != 0) [[unlikely]]
    truncated(name_of(*start), needed, head.body == nullptr ? end_ : start);
  switch (head.kind) {
    case ItemKind::nil:
      put(node, null_word, 0);
      break;
    case ItemKind::boolean:
      put(node, boolean_word, static_cast<std::uint64_t>(head.number));
      break;
    case ItemKind::integer:
      put(node, head.above_int64 ? unsigned_word : signed_word,
          static_cast<std::uint64_t>(head.number));
      break;
    case ItemKind::real32:
      put(node, real32_word, 0);
      node->as.f32 = std::bit_cast<float>(static_cast<std::uint32_t>(head.number));
      break;
    case ItemKind::real64:
      put(node, real64_word, static_cast<std::uint64_t>(head.number));
      break;
    case ItemKind::text:
      return text(head.body, head.size);
    case ItemKind::binary:
      put_data(node, node_word(POLYCODEC_KIND_BINARY, 0, head.size), head.body);
      break;
    case ItemKind::ext:
      ext(node, head.code, head.text(), start);
      break;
    case ItemKind::reserved:
      fail(Status::malformed, "msgpack.reserved_byte", "byte 0xc1 is never used in msgpack", start);
    case ItemKind::list:
      return open(POLYCODEC_KIND_LIST, head);
    case ItemKind::map:
      return open(POLYCODEC_KIND_OBJECT, head);
  }
  at_ = head.next;
  take_place();
}

void Decoder::take_place() {
  const polycodec_node* const node = here_.cursor++;
  if (depth_ == 0) return;
  polycodec_node* const around = owner(depth_);
  if (around->kind != POLYCODEC_KIND_OBJECT || (node - around->as.nodes) % 2 != 0) return;
  if (here_.like != nullptr) here_.like += 2;
  if (node->kind == POLYCODEC_KIND_STRING) return;
  // No object, but a map with keys of any kind.
  around->kind = POLYCODEC_KIND_MAP;
  here_.like = nullptr;
}

// The items of a container follow: `head.size` items, or entries of two.
void Decoder::open(std::uint64_t kind, const ItemHead& head) {
  const std::uint8_t* const start = at_;
  const std::uint64_t items = kind == POLYCODEC_KIND_OBJECT ? 2 * head.size : head.size;
  const std::uint8_t* const bound = here_.bound - (here_.end - here_.cursor - 1);
  polycodec_node* nodes = nullptr;
  if (head.size != 0) {
    if (bound < head.next || items > static_cast<std::uint64_t>(bound - head.next))
      fail(Status::truncated, "msgpack.end_of_input",
           "a container of " + std::to_string(head.size) + " items cannot fit in the " +
               std::to_string(end_ - head.next) + " bytes that are left",
           start);
    if (depth_ >= max_depth_) fail_depth(start);
    if (head.size > call_.limits().max_elements || items > nodes_left_)
      fail(Status::limit, "",
           "a container of " + std::to_string(head.size) + " items exceeds the limits", start);
    nodes_left_ -= items;
    try {
      nodes = out_.allocate<polycodec_node>(items);
    } catch (Error& e) {
      fail_within(e, start);
    }
  }
  put_data(here_.cursor, node_word(kind, 0, head.size), nodes);
  take_place();
  at_ = head.next;
  if (head.size == 0) return;
  if (depth_ == frames_.size()) frames_.grow();
  frames_[depth_++] = here_;
  deepest_ = std::max<std::uint64_t>(deepest_, depth_);
  here_ = {nodes, nodes + items, start, bound, nullptr};
  stop_ = slice_end(here_.cursor, here_.end);
}

void Decoder::close() {
  polycodec_node* const done = owner(depth_);
  const std::uint8_t* const start = here_.start;
  here_ = frames_[--depth_];
  if (depth_ != 0 && owner(depth_)->kind == POLYCODEC_KIND_LIST) here_.like = done;
  stop_ = slice_end(here_.cursor, here_.end);
  if (!settings_.numpy_maps || done->kind == POLYCODEC_KIND_LIST) return;
  --here_.cursor;  // the map is still the current item
  finish_map(*done, start);
  ++here_.cursor;
}

}  // namespace polycodec::msgpack_ndarray
