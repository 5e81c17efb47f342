// SPDX-License-Identifier: MIT
// The records of a ZIP archive of stored members, as APPNOTE.TXT defines them. Private to core.
//
// They are written here and not by a library because libraries copy and sum the members on the way,
// which takes longer than writing them, and none can put a member where a reader can view its
// numbers in place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec::zip {

/// The value of a field that has no room for a number: ZIP64 has it elsewhere.
inline constexpr std::uint64_t max_32 = 0xffffffff;

/// A stored member.
struct Record {
  std::string name;  ///< UTF-8, at most 65535 bytes
  std::uint32_t crc = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;  ///< of its local header
  std::string owner = {};    ///< the value that it belongs to, or empty
};

/// Where members begin: at a multiple of this, so that numbers of any width, and what a processor
/// loads at once, are aligned in a mapped file.
inline constexpr std::uint64_t alignment = 64;

/// The header before the bytes of a member. An extra field of zeros (0xd935, which readers skip)
/// fills it up so that they are aligned.
std::string local_header(const Record& record);

/// The extra field of the central directory that holds the owner.
inline constexpr std::uint16_t owner_field = 0x6350;  // "Pc"
inline constexpr std::size_t max_owner_bytes = 4096;

/// The owner in the extra fields of a member, or empty.
std::string owner_in(std::string_view extra);

/// The entry of a member in the central directory.
std::string directory_entry(const Record& record);

/// The records that end an archive. Its directory has `count` entries in `size` bytes from `offset`
/// on. `comment`: of the archive, at most 65535 bytes.
std::string end_records(std::uint64_t count, std::uint64_t size, std::uint64_t offset,
                        std::string_view comment);

}  // namespace polycodec::zip
