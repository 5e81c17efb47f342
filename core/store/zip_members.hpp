// SPDX-License-Identifier: MIT
// The members of a ZIP archive as they lie in it, so that they can be copied. Private to core.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::zip {

/// A member of an archive. What is interpreted is a copy, because others may write the archive.
struct Member {
  std::string name;
  std::string entry;        ///< of the central directory
  std::string_view local;   ///< from its local header to the next member or the directory
  std::uint64_t offset;     ///< of the local header
  std::uint64_t data_size;  ///< of the packed bytes
};

/// Throws Status::malformed for the archive `label`.
[[noreturn]] void throw_broken(std::string_view label, const std::string& why);

/// The members whose entries are at `entries` in the archive `bytes`, in that order. Throws
/// Status::malformed, with `label` for the archive, if a member does not lie before the directory
/// or shares bytes with another one.
std::vector<Member> members_at(std::string_view bytes, std::span<const std::uint64_t> entries,
                               std::string_view label);

/// Where the packed bytes of a member are, and both sizes.
struct Place {
  std::uint64_t offset, packed_size, size;
};

/// The place of a member whose entry is at `entry`, if that has numbers in a field of ZIP64, which
/// minizip 1.1 passes over. Throws Status::malformed if the local header is not that of the entry.
std::optional<Place> far_place(std::string_view bytes, std::uint64_t entry, std::string_view label);

/// True if the sink of archives writes exactly these records for this content.
bool is_own(const Member& member);

/// The entry of a member whose local header is at `offset`. Nothing else of it changes. Throws
/// Status::limit if its extra fields have no room for a large offset.
std::string moved_entry(const Member& member, std::uint64_t offset);

}  // namespace polycodec::zip
