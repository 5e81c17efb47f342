// SPDX-License-Identifier: MIT
// XXH3 with 64 bits: as fast as memory. It finds accidents, not forgeries.
#pragma once

#include <base/checksum_filter.hpp>

#include <xxhash.h>

#include <memory>

namespace polycodec::xxhash {

struct Xxh3 {
  using Word = std::uint64_t;
  static constexpr const char* title = "XXH3";
  struct Free {
    void operator()(XXH3_state_t* used) const { XXH3_freeState(used); }
  };
  Xxh3() : state(XXH3_createState()) {
    if (!state) throw Error(Status::memory, "no memory for a hash");
    XXH3_64bits_reset(state.get());
  }
  void add(const void* data, std::size_t size) { XXH3_64bits_update(state.get(), data, size); }
  Word finish() const { return XXH3_64bits_digest(state.get()); }
  std::unique_ptr<XXH3_state_t, Free> state;
};

struct XxHash : ChecksumFilter<Xxh3> {
  static constexpr const char* name = "xxhash";
  using ChecksumFilter::ChecksumFilter;
};

}  // namespace polycodec::xxhash
