// SPDX-License-Identifier: MIT
#include "filter.hpp"

#include <polycodec/builder.hpp>

#include "planes.hpp"

namespace polycodec::shuffle {

namespace {

std::span<const std::uint8_t> bytes_in(std::string_view bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

}  // namespace

Shuffle::Shuffle(Call&, const Options& options)
    : item_bytes_(static_cast<std::size_t>(options.get("item_bytes", std::int64_t{8}))) {}

void Shuffle::encode(Call& call, const Pieces& pieces, Writer& out) const {
  out.expect(pieces.size());
  const std::string_view bytes = pieces.contiguous(call);
  auto* planes = Builder(call).allocate<std::uint8_t>(bytes.size());
  to_planes(bytes_in(bytes), item_bytes_, planes,
            [&, step = std::min(items_per_step * item_bytes_, bytes.size())] {
              call.tick(step / 16 + 1);
            });
  out.reference(planes, bytes.size());
}

void Shuffle::decode(Call& call, std::string_view planes, std::uint64_t expected,
                     Writer& out) const {
  if (expected != POLYCODEC_SIZE_UNKNOWN && expected != planes.size())
    throw Error(Status::malformed, "there are " + std::to_string(planes.size()) +
                                       " shuffled bytes, not " + std::to_string(expected));
  if (planes.empty()) return;
  from_planes(bytes_in(planes), item_bytes_, out.reserve(planes.size()),
              [&, step = std::min(items_per_step * item_bytes_, planes.size())] {
                call.tick(step / 16 + 1);
              });
  out.commit(planes.size());
}

std::uint64_t Shuffle::decoded_size(Call&, std::string_view planes) const {
  return planes.size();
}

}  // namespace polycodec::shuffle
