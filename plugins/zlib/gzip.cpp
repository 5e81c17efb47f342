// SPDX-License-Identifier: MIT
#include "gzip.hpp"

#include <base/crc_combine.hpp>
#include <base/filter_output.hpp>
#include <polycodec/byte_order.hpp>

#include "deflate_block.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

namespace polycodec::zlib {

namespace {

constexpr std::string_view magic{"\x1f\x8b", 2};
constexpr std::size_t header_bytes = 10, trailer_bytes = 8;
constexpr std::uint32_t polynomial = 0xedb88320;

std::uint32_t crc_of(std::uint32_t crc, const void* bytes, std::size_t size) {
  return size == 0 ? crc : crc32_gzip_refl(crc, static_cast<const std::uint8_t*>(bytes), size);
}

[[noreturn]] void throw_truncated(std::string_view packed) {
  throw Error(Status::truncated, "the gzip member ends too early", packed.size());
}

[[noreturn]] void throw_checksum(std::string_view of, std::uint32_t actual, std::uint32_t stored,
                                 std::size_t at) {
  char sums[24];
  std::snprintf(sums, sizeof sums, "%08x, not %08x", actual, stored);
  throw Error(Status::malformed, "the CRC-32 of the " + std::string(of) + " is " + sums, at)
      .detail("filter.checksum");
}

/// Where the bytes of the member begin whose header is at `at`.
std::size_t after_header(std::string_view packed, std::size_t at) {
  constexpr unsigned has_crc = 2, has_extra = 4, has_name = 8, has_comment = 16, unknown = 0xe0;
  const std::size_t start = at;
  const std::string_view head = packed.substr(at, header_bytes);
  if (!magic.starts_with(head.substr(0, 2)))
    throw Error(Status::malformed, "not a gzip member: it does not begin with 1f 8b", at);
  if (head.size() < header_bytes) throw_truncated(packed);
  if (head[2] != 8)
    throw Error(Status::unsupported,
                "the gzip member has the compression method " +
                    std::to_string(static_cast<unsigned char>(head[2])) +
                    ": 8 (deflate) is the only one that is defined",
                at + 2);
  const auto flags = static_cast<unsigned char>(head[3]);
  if ((flags & unknown) != 0)
    throw Error(Status::malformed, "the gzip member has reserved flags: they must be 0", at + 3);
  at += header_bytes;
  if ((flags & has_extra) != 0) {
    if (packed.size() - at < 2) throw_truncated(packed);
    const auto size = load<std::uint16_t>(packed.data() + at, std::endian::little);
    if (packed.size() - at - 2 < size) throw_truncated(packed);
    at += 2u + size;
  }
  for (const unsigned text : {has_name, has_comment}) {
    if ((flags & text) == 0) continue;
    const std::size_t end = packed.find('\0', at);
    if (end == packed.npos) throw_truncated(packed);
    at = end + 1;
  }
  if ((flags & has_crc) != 0) {
    if (packed.size() - at < 2) throw_truncated(packed);
    const auto stored = load<std::uint16_t>(packed.data() + at, std::endian::little);
    const std::uint32_t actual = crc_of(0, packed.data() + start, at - start) & 0xffff;
    if (actual != stored) throw_checksum("gzip header", actual, stored, at);
    at += 2;
  }
  return at;
}

/// Unpacks the members, with memory of its own.
class Members {
 public:
  Members(std::string_view packed, FilterOutput& out) : packed_(packed), out_(out) {}

  /// Unpacks the member at `at`, and returns where it ends.
  std::size_t unpack(std::size_t at) {
    crc_ = 0;
    const std::uint64_t before = out_.size();
    at = deflated(after_header(packed_, at));
    if (packed_.size() - at < trailer_bytes) throw_truncated(packed_);
    const auto crc = load<std::uint32_t>(packed_.data() + at, std::endian::little);
    if (crc != crc_) throw_checksum("bytes of the gzip member", crc_, crc, at);
    const auto size = load<std::uint32_t>(packed_.data() + at + 4, std::endian::little);
    const std::uint64_t made = out_.size() - before;
    if (size != static_cast<std::uint32_t>(made))
      throw Error(Status::malformed,
                  "the gzip member has " + std::to_string(made) + " bytes, and says " +
                      std::to_string(size) + " (modulo 2^32)",
                  at + 4);
    return at + trailer_bytes;
  }

 private:
  /// Unpacks the deflate stream at `at`, and returns where it ends.
  std::size_t deflated(std::size_t at) {
    constexpr std::size_t step = std::size_t{1} << 18;
    inflate_state& state = *state_;
    isal_inflate_init(&state);
    do {
      auto room = out_.room();
      // What ends the stream may follow the last byte, so it continues with one byte of room that
      // it must not use.
      std::uint8_t spare = 0;
      const bool full = room.empty();
      if (full) room = {&spare, 1};
      const std::size_t in = std::min(packed_.size() - at, step);
      state.next_in = input_of(packed_.substr(at));
      state.avail_in = static_cast<std::uint32_t>(in);
      state.next_out = room.data();
      state.avail_out = static_cast<std::uint32_t>(room.size());
      const int code = isal_inflate(&state);
      const std::size_t before = std::exchange(at, taken());
      if (code < 0) throw_damaged(code, std::min(at - read_ahead(), packed_.size()));
      const std::size_t made = room.size() - state.avail_out;
      if (full && made != 0) out_.throw_more();
      crc_ = crc_of(crc_, room.data(), made);
      if (!full) out_.commit(made);
      if (made == 0 && at == before && state.block_state != ISAL_BLOCK_FINISH)
        throw_truncated(packed_);
    } while (state.block_state != ISAL_BLOCK_FINISH);
    return at - read_ahead();
  }
  /// How far the input was read. After an error `avail_in` of ISA-L may be wrong.
  std::size_t taken() const noexcept {
    return static_cast<std::size_t>(state_->next_in - input_of(packed_));
  }
  /// Whole bytes that were read and not used.
  std::size_t read_ahead() const noexcept {
    return static_cast<std::size_t>(std::max(state_->read_in_length, 0)) / 8;
  }
  [[noreturn]] static void throw_damaged(int code, std::size_t at) {
    throw Error(Status::malformed,
                std::string("the gzip member is damaged: ") +
                    (code == ISAL_INVALID_BLOCK      ? "invalid block"
                     : code == ISAL_INVALID_SYMBOL   ? "invalid code"
                     : code == ISAL_INVALID_LOOKBACK ? "a distance leads before the first byte"
                                                     : "its deflate stream is invalid"),
                at);
  }

  std::string_view packed_;
  FilterOutput& out_;
  std::unique_ptr<inflate_state> state_ = std::make_unique<inflate_state>();
  std::uint32_t crc_ = 0;
};

}  // namespace

Gzip::Gzip(Call&, const Options& options)
    : level_(static_cast<int>(options.get("level", std::int64_t{6}))) {}

void Gzip::encode(Call& call, const Pieces& pieces, Writer& out) const {
  constexpr std::uint8_t no_system = 255;
  constexpr Checksum crc{
      0, [](std::string_view bytes) { return crc_of(0, bytes.data(), bytes.size()); },
      [](std::uint32_t first, std::uint32_t second, std::uint64_t size) {
        return crc_combine(first, second, size, polynomial);
      }};
  out.put_text(magic);
  out.put_u8(8);                 // deflate
  out.put_u8(0);                 // no further fields
  out.put_le(std::uint32_t{0});  // no time
  out.put_u8(level_ == 9   ? 2   // the smallest
             : level_ == 1 ? 4   // the fastest
                           : 0);
  out.put_u8(no_system);
  out.put_le(write_deflate(call, pieces, out, level_, crc));
  out.put_le(static_cast<std::uint32_t>(pieces.size()));
}

void Gzip::decode(Call& call, std::string_view packed, std::uint64_t expected, Writer& out) const {
  FilterOutput bytes(call, out, packed.size(), POLYCODEC_SIZE_UNKNOWN, expected, 2);
  Members members(packed, bytes);
  std::size_t at = 0;
  do at = members.unpack(at);
  while (packed.substr(at).starts_with(magic));
  // Tapes have whole blocks, so that zeros may follow ("Using gzip on tapes" in gzip's manual).
  const std::size_t more = packed.find_first_not_of('\0', at);
  if (more != packed.npos)
    throw Error(Status::trailing,
                std::to_string(packed.size() - more) + " bytes follow the last gzip member, and " +
                    "are neither a member nor zeros: remove them, as with 'head -c " +
                    std::to_string(at) + "'",
                more);
  bytes.finish();
}

}  // namespace polycodec::zlib
