// SPDX-License-Identifier: MIT
#include "filter.hpp"

#include <base/byte_slices.hpp>
#include <polycodec/builder.hpp>

#include "planes.hpp"

#include <cstring>

namespace polycodec::shuffle {

namespace {

// Items that one thread moves at a time.
constexpr std::uint64_t items_per_step = 65536;

/// Calls move(from, k, to, begin, end) for all items, and copies the bytes after the last of them.
template <class Move>
void move_all(const Call& call, std::string_view bytes, std::size_t k, std::uint8_t* to,
              const Move& move) {
  const std::span<const std::uint8_t> from(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                           bytes.size());
  const std::size_t whole = k > 1 ? from.size() / k * k : 0;
  for_each_slice(call, whole, items_per_step * k, 16, [&](std::uint64_t begin, std::uint64_t end) {
    move(from, k, to, static_cast<std::size_t>(begin) / k, static_cast<std::size_t>(end) / k);
  });
  call.tick((from.size() - whole) / 16 + 1);
  if (whole != from.size()) std::memcpy(to + whole, from.data() + whole, from.size() - whole);
}

}  // namespace

Shuffle::Shuffle(Call&, const Options& options)
    : item_bytes_(static_cast<std::size_t>(options.get("item_bytes", std::int64_t{8}))) {}

void Shuffle::encode(Call& call, const Pieces& pieces, Writer& out) const {
  out.expect(pieces.size());
  const std::string_view bytes = pieces.contiguous(call);
  auto* planes = Builder(call).allocate<std::uint8_t>(bytes.size());
  move_all(call, bytes, item_bytes_, planes, to_planes);
  out.reference(planes, bytes.size());
}

void Shuffle::decode(Call& call, std::string_view planes, std::uint64_t expected,
                     Writer& out) const {
  if (expected != POLYCODEC_SIZE_UNKNOWN && expected != planes.size())
    throw Error(Status::malformed, "there are " + std::to_string(planes.size()) +
                                       " shuffled bytes, not " + std::to_string(expected));
  if (planes.empty()) return;
  move_all(call, planes, item_bytes_, out.reserve(planes.size()), from_planes);
  out.commit(planes.size());
}

std::uint64_t Shuffle::decoded_size(Call&, std::string_view planes) const {
  return planes.size();
}

}  // namespace polycodec::shuffle
