// SPDX-License-Identifier: MIT
// XXH3 with 64 bits: as fast as memory, and wide enough that no two inputs of a lifetime meet by chance.
#include <polycodec/checksum_codec.hpp>

#include "polycodec_manifest.h"

#include <xxhash.h>

#include <memory>

namespace {
using namespace polycodec;

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

struct Codec : ChecksumCodec<Xxh3> {
  static constexpr const char* name = POLYCODEC_MANIFEST_CODEC_0_NAME;
  static constexpr const char* description = POLYCODEC_MANIFEST_CODEC_0_DESCRIPTION;
  using ChecksumCodec::ChecksumCodec;
};

}  // namespace

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, codecs_interface<Codec>)
