// SPDX-License-Identifier: MIT
#pragma once

#include <polycodec/filter.hpp>

namespace polycodec::zstd {

/// Zstandard frames (RFC 8878), one after another, skippable ones between them. It writes one.
class Zstd {
 public:
  static constexpr const char* name = "zstd";

  Zstd(Call& call, const Options& options);
  void encode(Call& call, const Pieces& pieces, Writer& out) const;
  void decode(Call& call, std::string_view bytes, std::uint64_t expected, Writer& out) const;
  std::uint64_t decoded_size(Call& call, std::string_view bytes) const;

 private:
  const int level_;
};

}  // namespace polycodec::zstd
