// SPDX-License-Identifier: MIT
#pragma once

#include <polycodec/filter.hpp>

namespace polycodec::xz {

/// Streams of the .xz format, one after another, with the padding that it allows. It writes one.
class Xz {
 public:
  static constexpr const char* name = "xz";

  Xz(Call& call, const Options& options);
  void encode(Call& call, const Pieces& pieces, Writer& out) const;
  void decode(Call& call, std::string_view bytes, std::uint64_t expected, Writer& out) const;

 private:
  const std::uint32_t level_;
};

}  // namespace polycodec::xz
