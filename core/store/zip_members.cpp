// SPDX-License-Identifier: MIT
#include "core/store/zip_members.hpp"

#include <polycodec/byte_order.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/store/zip_records.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace polycodec::zip {
namespace {

constexpr std::size_t local_fixed = 30, entry_fixed = 46;
// Where fields are in an entry.
constexpr std::size_t version_at = 6, method_at = 10, crc_at = 16, packed_at = 20, size_at = 24,
                      extra_size_at = 30, offset_at = 42;

template <class T>
std::uint64_t get(std::string_view bytes, std::size_t at) {
  return load<T>(bytes.data() + at, std::endian::little);
}

template <class T>
void set(std::string& bytes, std::size_t at, std::uint64_t value) {
  store(bytes.data() + at, static_cast<T>(value), std::endian::little);
}

/// The field of ZIP64 among the extra fields of an entry. It has what the entry has no room for.
struct Large {
  std::size_t at = 0;        // of the field in the entry; 0: no field
  std::size_t size = 0;      // of its content
  std::size_t unpacked = 0;  // of the values in the entry; 0: they are where they always are
  std::size_t packed = 0;
  std::size_t offset = 0;
};

Large large_of(std::string_view entry) {
  Large large;
  std::size_t at = entry_fixed + static_cast<std::size_t>(get<std::uint16_t>(entry, 28));
  const std::size_t end = at + static_cast<std::size_t>(get<std::uint16_t>(entry, extra_size_at));
  for (; end - at >= 4; at += 4 + large.size) {
    large.size = static_cast<std::size_t>(get<std::uint16_t>(entry, at + 2));
    if (large.size > end - at - 4) break;
    if (get<std::uint16_t>(entry, at) != 1) continue;
    large.at = at;
    std::size_t value = at + 4;
    const auto take = [&](std::size_t field) {
      if (get<std::uint32_t>(entry, field) != max_32 || at + 4 + large.size - value < 8)
        return std::size_t{0};
      return std::exchange(value, value + 8);
    };
    large.unpacked = take(size_at);
    large.packed = take(packed_at);
    large.offset = take(offset_at);
    return large;
  }
  return {};
}

std::uint64_t value_of(std::string_view entry, std::size_t field, std::size_t large) {
  return large == 0 ? get<std::uint32_t>(entry, field) : get<std::uint64_t>(entry, large);
}

std::size_t entry_size(std::string_view entry) {
  std::size_t size = entry_fixed;
  for (const std::size_t field : {std::size_t{28}, extra_size_at, std::size_t{32}})
    size += static_cast<std::size_t>(get<std::uint16_t>(entry, field));
  return size;
}

Member member_at(std::string_view bytes, std::uint64_t at, std::string_view label) {
  const auto copy_of = [&](std::size_t size) {
    if (!range_fits(at, size, bytes.size())) throw_broken(label, "its directory ends too early");
    return std::string(bytes.substr(static_cast<std::size_t>(at), size));
  };
  Member member{};
  member.entry = copy_of(entry_size(copy_of(entry_fixed)));
  const std::string& entry = member.entry;
  if (!entry.starts_with("PK\1\2") || entry_size(entry) != entry.size())
    throw_broken(label, "its directory is not where its end says");
  const Large large = large_of(entry);
  member.name = entry.substr(entry_fixed, static_cast<std::size_t>(get<std::uint16_t>(entry, 28)));
  member.offset = value_of(entry, offset_at, large.offset);
  member.data_size = value_of(entry, packed_at, large.packed);
  return member;
}

}  // namespace

void throw_broken(std::string_view label, const std::string& why) {
  throw Error(Status::malformed, quote_path(label) + " is a broken ZIP archive: " + why)
      .detail("zip.broken");
}

std::vector<Member> members_at(std::string_view bytes, std::span<const std::uint64_t> entries,
                               std::string_view label) {
  std::vector<Member> members;
  members.reserve(entries.size());
  for (const std::uint64_t at : entries) members.push_back(member_at(bytes, at, label));
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::ranges::greater{},
                    [&](std::size_t i) { return members[i].offset; });
  std::uint64_t end = entries.empty() ? 0 : entries[0];
  for (const std::size_t i : order) {
    Member& m = members[i];
    const auto refuse = [&] {
      throw_broken(label, quote(m.name) + " has no place of its own before the directory");
    };
    if (m.offset > end || end - m.offset < local_fixed) refuse();
    m.local =
        bytes.substr(static_cast<std::size_t>(m.offset), static_cast<std::size_t>(end - m.offset));
    const std::uint64_t header =
        local_fixed + get<std::uint16_t>(m.local, 26) + get<std::uint16_t>(m.local, 28);
    if (!m.local.starts_with("PK\3\4") || !range_fits(header, m.data_size, m.local.size()))
      refuse();
    end = m.offset;
  }
  return members;
}

std::optional<Place> far_place(std::string_view bytes, std::uint64_t at, std::string_view label) {
  const auto is_full = [&](std::size_t field) {
    return get<std::uint32_t>(bytes, static_cast<std::size_t>(at) + field) == max_32;
  };
  if (!range_fits(at, entry_fixed, bytes.size()) ||
      (!is_full(packed_at) && !is_full(size_at) && !is_full(offset_at)))
    return std::nullopt;
  const Member member = member_at(bytes, at, label);
  const std::string_view entry = member.entry;
  const Large large = large_of(entry);
  if (large.unpacked == 0 && large.packed == 0 && large.offset == 0) return std::nullopt;
  const auto refuse = [&] {
    throw_broken(label, "the header of " + quote(member.name) +
                            " cannot be read or contradicts the directory");
  };
  if (!range_fits(member.offset, local_fixed, bytes.size())) refuse();
  // A copy, because others may write the archive.
  const std::string local(bytes.substr(static_cast<std::size_t>(member.offset), local_fixed));
  const auto same = [&](std::size_t field, std::size_t in_entry) {
    return get<std::uint16_t>(local, field) == get<std::uint16_t>(entry, in_entry);
  };
  if (!local.starts_with("PK\3\4") || !same(method_at - 2, method_at) || !same(26, 28)) refuse();
  return Place{
      member.offset + local_fixed + get<std::uint16_t>(local, 26) + get<std::uint16_t>(local, 28),
      member.data_size, value_of(entry, size_at, large.unpacked)};
}

bool is_own(const Member& m) {
  const std::string extra =
      m.entry.substr(entry_fixed + m.name.size(),
                     static_cast<std::size_t>(get<std::uint16_t>(m.entry, extra_size_at)));
  const Record record{m.name, static_cast<std::uint32_t>(get<std::uint32_t>(m.entry, crc_at)),
                      m.data_size, m.offset, owner_in(extra)};
  const std::string header = local_header(record);
  return m.local.starts_with(header) && m.local.size() - header.size() == m.data_size &&
         m.entry == directory_entry(record);
}

std::string moved_entry(const Member& member, std::uint64_t offset) {
  std::string entry(member.entry);
  const Large large = large_of(entry);
  if (large.offset != 0) {
    set<std::uint64_t>(entry, large.offset, offset);
  } else if (offset < max_32) {
    set<std::uint32_t>(entry, offset_at, offset);
  } else {
    // After the sizes, which come first. A field of its own begins the extra fields.
    std::string added(8, '\0');
    set<std::uint64_t>(added, 0, offset);
    std::size_t at = entry_fixed + member.name.size();
    if (large.at != 0) {
      const auto is_large = [&](std::size_t field) {
        return get<std::uint32_t>(entry, field) == max_32 ? 8u : 0u;
      };
      set<std::uint16_t>(entry, large.at + 2, large.size + 8);
      at = large.at + 4 + is_large(size_at) + is_large(packed_at);
    } else {
      added.insert(0, std::string_view("\1\0\10\0", 4));
    }
    const std::uint64_t extra = get<std::uint16_t>(entry, extra_size_at) + added.size();
    if (extra > 0xffff)
      throw Error(Status::limit, "the extra fields of " + quote(member.name) + " would have " +
                                     std::to_string(extra) + " bytes: at most 65535 fit");
    set<std::uint16_t>(entry, extra_size_at, extra);
    set<std::uint16_t>(entry, version_at,
                       std::max<std::uint64_t>(get<std::uint16_t>(entry, version_at), 45));
    set<std::uint32_t>(entry, offset_at, max_32);
    entry.insert(at, added);
  }
  return entry;
}

}  // namespace polycodec::zip
