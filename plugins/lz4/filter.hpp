// SPDX-License-Identifier: MIT
#pragma once

#include <polycodec/filter.hpp>

namespace polycodec::lz4 {

/// LZ4 frames, one after another, skippable ones between them. It writes one frame, and nothing
/// after it.
class Lz4 {
 public:
  static constexpr const char* name = "lz4";

  Lz4(Call& call, const Options& options);
  void encode(Call& call, const Pieces& pieces, Writer& out) const;
  void decode(Call& call, std::string_view bytes, std::uint64_t expected, Writer& out) const;
  std::uint64_t decoded_size(Call& call, std::string_view bytes) const;

 private:
  const int level_;
};

}  // namespace polycodec::lz4
