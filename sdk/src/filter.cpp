// SPDX-License-Identifier: MIT
#include <polycodec/filter.hpp>

#include <cstring>

namespace polycodec {

std::uint64_t Pieces::size() const noexcept {
  std::uint64_t size = 0;
  for (const auto& piece : pieces_) size += piece.size;
  return size;
}

std::string_view Pieces::contiguous(const Call& call) const {
  if (count() == 1) return (*this)[0];
  const std::uint64_t all = size();
  call.tick(all / 16);
  auto* const memory = Builder(call).allocate<char>(all);
  auto* to = memory;
  for (const auto& piece : pieces_) {
    if (piece.size != 0) std::memcpy(to, piece.data, piece.size);
    to += piece.size;
  }
  return {memory, static_cast<std::size_t>(all)};
}

}  // namespace polycodec
