// SPDX-License-Identifier: MIT
#pragma once

#include <polycodec/filter.hpp>

namespace polycodec::zlib {

/// One zlib stream (RFC 1950), and nothing after it.
class Zlib {
 public:
  static constexpr const char* name = "zlib";

  Zlib(Call& call, const Options& options);
  void encode(Call& call, const Pieces& pieces, Writer& out) const;
  void decode(Call& call, std::string_view bytes, std::uint64_t expected, Writer& out) const;

 private:
  const int level_;
};

}  // namespace polycodec::zlib
