// SPDX-License-Identifier: MIT
// The data of leaves.
#include <base/base64.hpp>
#include <base/byte_slices.hpp>

#include "found_leaf.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace polycodec::yggdrasil {
namespace {

// Why the data are not `size` bytes.
[[noreturn, gnu::cold]] void fail_data(const Decoding& state, const FoundLeaf& found,
                                       std::uint64_t size) {
  std::byte piece[3072];
  constexpr std::size_t step = sizeof piece / 3 * 4;
  std::uint64_t bytes = found.raw ? found.data.size() : 0;
  for (std::size_t at = 0; at < found.data.size() && !found.raw; at += step) {
    const std::string_view text = found.data.substr(at, step);
    Base64Result result = base64_decode(piece, sizeof piece, text);
    // Padding has its place at the end only.
    if (result.status == Base64Status::ok && text.ends_with('=') && at + step < found.data.size())
      result = {text.find('='), 0, Base64Status::bad_padding};
    if (result.status != Base64Status::ok)
      state.fail(Status::malformed, "yggdrasil.bad_base64",
                 "the data of a typed value: " + std::string(base64_message(result.status)),
                 found.exact ? found.data_at + at + result.consumed : found.data_at);
    bytes += result.written;
  }
  state.fail(
      Status::malformed, "yggdrasil.size_mismatch",
      "the schema says " + std::to_string(size) + " bytes, the data has " + std::to_string(bytes),
      found.data_at);
}

}  // namespace

void fill(const Decoding& state, const FoundLeaf& found, void* to, std::uint64_t size) {
  // Characters of a slice; a multiple of four.
  constexpr std::uint64_t slice = std::uint64_t{1} << 18;
  auto* const out = static_cast<char*>(to);
  const std::string_view text = found.data;
  if (found.raw) [[unlikely]] {
    if (text.size() != size) fail_data(state, found, size);
    if (size != 0) std::memcpy(out, text.data(), text.size());
    return;
  }
  if (text.size() <= slice) [[likely]] {
    state.call.tick(text.size() / 8);
    const Base64Result result = base64_decode(out, static_cast<std::size_t>(size), text);
    if (result.status != Base64Status::ok || result.written != size) fail_data(state, found, size);
    return;
  }
  std::atomic<bool> is_sound = size <= base64_decoded_bound(text.size());
  for_each_slice(state.call, text.size(), slice, 8, [&](std::uint64_t from, std::uint64_t end) {
    // Slices before the last have no padding, so all know where their bytes go.
    const std::uint64_t at = std::min(size, from / 4 * 3);
    const std::uint64_t room = end == text.size() ? size - at : slice / 4 * 3;
    if (room > size - at || !is_sound.load(std::memory_order_relaxed)) {
      is_sound = false;
      return;
    }
    const Base64Result result = base64_decode(
        out + at, static_cast<std::size_t>(room),
        text.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(end - from)));
    if (result.status != Base64Status::ok || result.written != room) is_sound = false;
  });
  if (!is_sound) fail_data(state, found, size);
}

std::span<std::byte> data_of(const Decoding& state, const FoundLeaf& found,
                             std::uint64_t alignment) {
  const Leaf& leaf = found.schema->leaf;
  const std::size_t bound = found.raw ? found.data.size() : base64_decoded_bound(found.data.size());
  const std::uint64_t size = leaf.sized  ? leaf.bytes
                             : found.raw ? found.data.size()
                                         : base64_decoded_size(found.data);
  // Nothing is allocated for bytes that are not there.
  if (size > bound || (found.data.size() % 4 != 0 && !found.raw)) fail_data(state, found, size);
  auto error = make_error();
  void* const bytes = polycodec_arena_alloc(state.out.arena(), size, alignment, &error);
  if (bytes == nullptr) throw to_error(error.code, error);
  fill(state, found, bytes, size);
  return {static_cast<std::byte*>(bytes), static_cast<std::size_t>(size)};
}

std::string_view chars_of(const Decoding& state, const FoundLeaf& found, std::uint64_t alignment) {
  const std::span<std::byte> bytes = data_of(state, found, alignment);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void take_shape_from_data(const Decoding& state, Leaf& leaf, std::uint64_t size, std::uint64_t at) {
  if (!leaf.is_array() || leaf.has_shape) return;
  if (leaf.item_size == 0 || size % leaf.item_size != 0)
    state.fail(Status::malformed, "yggdrasil.size_mismatch",
               std::to_string(size) + " bytes are not a multiple of the element size of " +
                   std::to_string(leaf.item_size),
               at);
  leaf.count = size / leaf.item_size;
  leaf.shape = {static_cast<std::int64_t>(leaf.count)};
  leaf.bytes = size;
  leaf.sized = true;
}

polycodec_node with_attributes(Decoding& state, const FoundLeaf& found, const polycodec_node& node,
                               bool plain) {
  const LeafSchema& schema = *found.schema;
  if (schema.metadata != nullptr) return state.out.annotated(node, *schema.metadata);
  if (!plain || schema.mark == nullptr) return node;
  state.take_nodes(4, found.start);
  state.take_levels(found.depth + 1, found.start);
  return state.out.annotated(node, *schema.mark);
}

}  // namespace polycodec::yggdrasil
