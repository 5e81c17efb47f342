// SPDX-License-Identifier: MIT
#pragma once

#include <polycodec/filter.hpp>

namespace polycodec::zlib {

/// Members of gzip (RFC 1952), one after another, and perhaps zero bytes. It writes one, without a
/// name and a time.
class Gzip {
 public:
  static constexpr const char* name = "gzip";

  Gzip(Call& call, const Options& options);
  void encode(Call& call, const Pieces& pieces, Writer& out) const;
  void decode(Call& call, std::string_view bytes, std::uint64_t expected, Writer& out) const;

 private:
  const int level_;
};

}  // namespace polycodec::zlib
