// SPDX-License-Identifier: MIT
// Named blobs in a ZIP archive.
#pragma once

#include "core/io/source.hpp"
#include "core/store/zip_members.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace polycodec {

enum class ZipCheck : std::uint8_t {
  crc,   ///< the checksum of a member is compared when it is first read
  none,  ///< it is not, for archives that are known to be sound: a stored member then costs no pass
         ///< over its bytes
};

/// The members of a ZIP archive (also ZIP64). Stored members are views of the archive's bytes;
/// deflated ones are inflated when first read, and at most as many bytes as their entry declares
/// and limits.memory_for() the archive's bytes. Directories are not listed. The archive as a whole
/// is refused, before anything is read from it, if two members have one name or share bytes, if a
/// name is unsafe, or if a member is encrypted, a symbolic link, or packed in another way.
class ZipStore final : public BlobStore {
 public:
  /// Reads the directory of the archive that is the bytes of `archive`, which is pinned. Throws
  /// Status::malformed (not an archive, or a broken one), Status::truncated, Status::denied,
  /// Status::unsupported, and Status::limit if there are more than `max_entries` members or a
  /// deflated one declares more than the memory that is allowed. Reading throws it if all deflated
  /// members read so far would take more.
  explicit ZipStore(Source archive, const Limits& limits = {}, ZipCheck check = ZipCheck::crc,
                    std::uint64_t max_entries = 1u << 20);

  /// True if `bytes` start as an archive does (also an empty one).
  static bool looks_like_zip(std::string_view bytes) noexcept;

  /// All members as they lie in the archive, directories included. They are valid as long as the
  /// store. Throws Status::malformed if they cannot be copied as they are.
  std::vector<zip::Member> members() const;
  /// The comment of the archive.
  std::string_view comment() const noexcept;

 private:
  class State;
};

}  // namespace polycodec
