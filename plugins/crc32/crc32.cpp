// SPDX-License-Identifier: MIT
// CRC-32 and CRC-32C. ISA-L chooses kernels with carry-less multiplication where the processor has it.
#include <polycodec/checksum_codec.hpp>

#include "polycodec_manifest.h"

#include <isa-l/crc.h>

namespace {
using namespace polycodec;

struct Crc32 {
  using Word = std::uint32_t;
  static constexpr const char* title = "CRC-32";
  void add(const void* data, std::size_t size) {
    state = crc32_gzip_refl(state, static_cast<const unsigned char*>(data), size);
  }
  Word finish() const { return state; }
  std::uint32_t state = 0;
};

struct Crc32c {
  using Word = std::uint32_t;
  static constexpr const char* title = "CRC-32C";
  void add(const void* data, std::size_t size) {
    // The library takes an int, and at most 1 MiB comes here at a time. It does not write to the bytes.
    state = crc32_iscsi(static_cast<unsigned char*>(const_cast<void*>(data)), static_cast<int>(size), state);
  }
  Word finish() const { return ~state; }
  std::uint32_t state = 0xffffffffu;
};

struct PlainCodec : ChecksumCodec<Crc32> {
  static constexpr const char* name = POLYCODEC_MANIFEST_CODEC_0_NAME;
  static constexpr const char* description = POLYCODEC_MANIFEST_CODEC_0_DESCRIPTION;
  using ChecksumCodec::ChecksumCodec;
};
struct CastagnoliCodec : ChecksumCodec<Crc32c> {
  static constexpr const char* name = POLYCODEC_MANIFEST_CODEC_1_NAME;
  static constexpr const char* description = POLYCODEC_MANIFEST_CODEC_1_DESCRIPTION;
  using ChecksumCodec::ChecksumCodec;
};

}  // namespace

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION,
                        (codecs_interface<PlainCodec, CastagnoliCodec>))
