// SPDX-License-Identifier: MIT
#include "core/store/zip_records.hpp"

#include <polycodec/byte_order.hpp>

#include <algorithm>

namespace polycodec::zip {
namespace {

constexpr std::uint64_t max_16 = 0xffff;
constexpr std::uint16_t version_plain = 20;
constexpr std::uint16_t version_zip64 = 45;
constexpr std::uint16_t made_by_unix = 3u << 8;
constexpr std::uint16_t name_is_utf8 = 1u << 11;
constexpr std::uint16_t date_1980_01_01 = (1u << 5) | 1u;
constexpr std::uint32_t regular_file_0644 = 0100644u << 16;

class Bytes {
 public:
  template <class T>
  Bytes& put(T value) {
    char bytes[sizeof(T)];
    store(bytes, value, std::endian::little);
    text_.append(bytes, sizeof bytes);
    return *this;
  }
  Bytes& put16(std::uint64_t value) {
    return put(static_cast<std::uint16_t>(std::min(value, max_16)));
  }
  Bytes& put32(std::uint64_t value) {
    return put(static_cast<std::uint32_t>(std::min(value, max_32)));
  }
  Bytes& text(std::string_view text) {
    text_ += text;
    return *this;
  }
  std::string take() noexcept { return std::move(text_); }

 private:
  std::string text_;
};

bool is_large(const Record& r) noexcept {
  return r.size >= max_32;
}

std::uint16_t flags(const Record& r) noexcept {
  const bool ascii =
      std::ranges::all_of(r.name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return ascii ? 0 : name_is_utf8;
}

/// What both headers have in common, from the version needed to the sizes.
void common(Bytes& out, const Record& r, bool zip64) {
  out.put(zip64 ? version_zip64 : version_plain).put(flags(r)).put(std::uint16_t{0});  // stored
  out.put(std::uint16_t{0}).put(date_1980_01_01).put(r.crc);
  const std::uint64_t size = zip64 && is_large(r) ? max_32 : r.size;
  out.put32(size).put32(size);
}

}  // namespace

std::string local_header(const Record& r) {
  constexpr std::size_t fixed = 30;
  const bool zip64 = is_large(r);
  Bytes extra;
  if (zip64) extra.put(std::uint16_t{1}).put(std::uint16_t{16}).put(r.size).put(r.size);
  std::string fields = extra.take();
  std::uint64_t rest = (r.offset + fixed + r.name.size() + fields.size()) % alignment;
  if (rest != 0 && r.size != 0) {
    constexpr std::uint64_t head = 6;  // id, size, and the alignment that the field is for
    std::uint64_t padding = alignment - rest;
    if (padding < head) padding += alignment;
    Bytes field;
    field.put(std::uint16_t{0xd935}).put16(padding - 4).put16(alignment);
    fields += field.take();
    fields.append(static_cast<std::size_t>(padding - head), '\0');
  }
  Bytes out;
  out.put(std::uint32_t{0x04034b50});
  common(out, r, zip64);
  out.put16(r.name.size()).put16(fields.size()).text(r.name).text(fields);
  return out.take();
}

std::string owner_in(std::string_view extra) {
  while (extra.size() >= 4) {
    const auto id = load<std::uint16_t>(extra.data(), std::endian::little);
    const auto size = load<std::uint16_t>(extra.data() + 2, std::endian::little);
    if (size > extra.size() - 4) break;
    if (id == owner_field) return std::string(extra.substr(4, size));
    extra.remove_prefix(4u + size);
  }
  return {};
}

std::string directory_entry(const Record& r) {
  const bool far = r.offset >= max_32;
  const bool zip64 = is_large(r) || far;
  Bytes extra;
  if (zip64) {
    extra.put(std::uint16_t{1}).put16((is_large(r) ? 16 : 0) + (far ? 8 : 0));
    if (is_large(r)) extra.put(r.size).put(r.size);
    if (far) extra.put(r.offset);
  }
  if (!r.owner.empty()) extra.put(owner_field).put16(r.owner.size()).text(r.owner);
  const std::string fields = extra.take();
  Bytes out;
  out.put(std::uint32_t{0x02014b50});
  out.put(static_cast<std::uint16_t>(made_by_unix | (zip64 ? version_zip64 : version_plain)));
  common(out, r, zip64);
  out.put16(r.name.size()).put16(fields.size()).put16(0).put16(0).put16(0).put(regular_file_0644);
  out.put32(r.offset).text(r.name).text(fields);
  return out.take();
}

std::string end_records(std::uint64_t count, std::uint64_t size, std::uint64_t offset,
                        std::string_view comment) {
  Bytes out;
  if (count >= max_16 || size >= max_32 || offset >= max_32) {
    out.put(std::uint32_t{0x06064b50}).put(std::uint64_t{44});
    out.put(static_cast<std::uint16_t>(made_by_unix | version_zip64)).put(version_zip64);
    out.put(std::uint32_t{0}).put(std::uint32_t{0}).put(count).put(count);
    out.put(size).put(offset);
    out.put(std::uint32_t{0x07064b50})
        .put(std::uint32_t{0})
        .put(offset + size)
        .put(std::uint32_t{1});
  }
  out.put(std::uint32_t{0x06054b50})
      .put16(0)
      .put16(0)
      .put16(count)
      .put16(count)
      .put32(size)
      .put32(offset);
  out.put16(comment.size()).text(comment);
  return out.take();
}

}  // namespace polycodec::zip
