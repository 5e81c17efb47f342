// SPDX-License-Identifier: MIT
#pragma once

#include <polycodec/filter.hpp>

namespace polycodec::bzip2 {

/// Streams of bzip2, one after another. It writes one.
class Bzip2 {
 public:
  static constexpr const char* name = "bzip2";

  Bzip2(Call& call, const Options& options);
  void encode(Call& call, const Pieces& pieces, Writer& out) const;
  void decode(Call& call, std::string_view bytes, std::uint64_t expected, Writer& out) const;

 private:
  const int level_;
};

}  // namespace polycodec::bzip2
