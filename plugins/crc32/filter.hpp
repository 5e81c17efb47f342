// SPDX-License-Identifier: MIT
// CRC-32 and CRC-32C. ISA-L chooses kernels with carry-less multiplication where the processor has
// it.
#pragma once

#include <base/checksum_filter.hpp>
#include <base/crc_combine.hpp>

#include <isa-l/crc.h>

namespace polycodec::crc32 {

/// The checksum of ZIP and PNG.
struct Plain {
  using Word = std::uint32_t;
  static constexpr const char* title = "CRC-32";
  void add(const void* data, std::size_t size) {
    state = crc32_gzip_refl(state, static_cast<const unsigned char*>(data), size);
  }
  void join(Word crc, std::uint64_t size) { state = crc_combine(state, crc, size, 0xedb88320u); }
  Word finish() const { return state; }
  std::uint32_t state = 0;
};

/// The checksum of iSCSI, ext4 and Zarr.
struct Castagnoli {
  using Word = std::uint32_t;
  static constexpr const char* title = "CRC-32C";
  void add(const void* data, std::size_t size) {
    // The library takes an int, and at most 1 MiB comes here at a time. It does not write to the
    // bytes.
    state = crc32_iscsi(static_cast<unsigned char*>(const_cast<void*>(data)),
                        static_cast<int>(size), state);
  }
  void join(Word crc, std::uint64_t size) { state = ~crc_combine(~state, crc, size, 0x82f63b78u); }
  Word finish() const { return ~state; }
  std::uint32_t state = 0xffffffffu;
};

struct Crc32 : ChecksumFilter<Plain> {
  static constexpr const char* name = "crc32";
  using ChecksumFilter::ChecksumFilter;
};
struct Crc32c : ChecksumFilter<Castagnoli> {
  static constexpr const char* name = "crc32c";
  using ChecksumFilter::ChecksumFilter;
};

}  // namespace polycodec::crc32
