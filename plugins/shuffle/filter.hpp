// SPDX-License-Identifier: MIT
#pragma once

#include <polycodec/filter.hpp>

namespace polycodec::shuffle {

/// Byte shuffle: of numbers that are alike, the bytes of one place are alike too, and compress
/// better side by side.
class Shuffle {
 public:
  static constexpr const char* name = "shuffle";

  Shuffle(Call& call, const Options& options);
  void encode(Call& call, const Pieces& pieces, Writer& out) const;
  void decode(Call& call, std::string_view bytes, std::uint64_t expected, Writer& out) const;
  std::uint64_t decoded_size(Call& call, std::string_view bytes) const;

 private:
  const std::size_t item_bytes_;
};

}  // namespace polycodec::shuffle
