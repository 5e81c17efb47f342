// SPDX-License-Identifier: MIT
// Compressing large data in blocks, which several threads may do.
#pragma once

#include <base/text_block.hpp>
#include <polycodec/filter.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// Pieces as one run of bytes. It views them. [thread-safe]
class JoinedPieces {
 public:
  explicit JoinedPieces(const Pieces& pieces) : pieces_(pieces) {
    for (std::size_t i = 0; i < pieces.count(); ++i) ends_.push_back(size() + pieces[i].size());
  }

  std::uint64_t size() const noexcept { return ends_.empty() ? 0 : ends_.back(); }
  /// Bytes [from, to): in place where one piece has all of them, else a copy in `memory`.
  std::string_view range(std::uint64_t from, std::uint64_t to, std::string& memory) const {
    auto i = static_cast<std::size_t>(std::ranges::upper_bound(ends_, from) - ends_.begin());
    memory.clear();
    for (; from < to; ++i) {
      const std::string_view piece = pieces_[i];
      const std::string_view part =
          piece.substr(static_cast<std::size_t>(from - (ends_[i] - piece.size())),
                       static_cast<std::size_t>(to - from));
      if (part.size() == to - from && memory.empty()) return part;
      memory.append(part);
      from += part.size();
    }
    return memory;
  }

 private:
  const Pieces& pieces_;
  std::vector<std::uint64_t> ends_;
};

/// A block to compress.
struct Block {
  std::string_view before;  ///< the last bytes before the block
  std::string_view bytes;
  std::uint64_t offset = 0;  ///< of the first byte in the whole
  bool is_last = false;
};

/// Calls pack(const Block&, TextBlock& packed) for each `block_bytes` bytes of `pieces`, and writes
/// the blocks in order. `before` has up to `history` bytes. Where blocks end does not depend on
/// threads. Each is charged `units_per_byte` before it is packed.
template <class Pack>
void write_blocks(const Call& call, const Pieces& pieces, Writer& out, std::uint64_t block_bytes,
                  std::uint64_t history, double units_per_byte, const Pack& pack) {
  constexpr std::uint64_t most_blocks = 32;
  const JoinedPieces all(pieces);
  const std::uint64_t blocks = (all.size() + block_bytes - 1) / block_bytes;
  std::vector<TextBlock> packed(static_cast<std::size_t>(std::min(most_blocks, blocks)));
  for (std::uint64_t first = 0; first < blocks; first += most_blocks) {
    const std::uint64_t now = std::min(most_blocks, blocks - first);
    call.parallel_for(now, 1, [&](Call& own, std::uint64_t i, std::uint64_t) {
      const std::uint64_t from = (first + i) * block_bytes;
      const std::uint64_t to = std::min(all.size(), from + block_bytes);
      own.tick(1 + static_cast<std::uint64_t>(static_cast<double>(to - from) * units_per_byte));
      std::string memory;
      const std::uint64_t start = from - std::min(from, history);
      const std::string_view bytes = all.range(start, to, memory);
      TextBlock& text = packed[static_cast<std::size_t>(i)];
      text.clear();
      pack(Block{bytes.substr(0, static_cast<std::size_t>(from - start)),
                 bytes.substr(static_cast<std::size_t>(from - start)), from, to == all.size()},
           text);
    });
    for (std::uint64_t i = 0; i < now; ++i)
      out.put_text(packed[static_cast<std::size_t>(i)].view());
  }
}

}  // namespace polycodec
