// SPDX-License-Identifier: MIT
#include "filter.hpp"

#include <base/filter_output.hpp>

#include "deflate_block.hpp"

#include <libdeflate.h>
#include <zlib.h>

#include <memory>
#include <new>

namespace polycodec::zlib {

namespace {

constexpr std::size_t step_bytes = std::size_t{1} << 16;

using Decompressor = std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)>;

struct Inflate {
  z_stream z{};
  Inflate() {
    if (inflateInit(&z) != Z_OK) throw Error(Status::memory, "no memory for decompressing");
  }
  Inflate(const Inflate&) = delete;
  Inflate& operator=(const Inflate&) = delete;
  ~Inflate() { inflateEnd(&z); }
};

/// How many bytes a long stream may unpack to, by how it starts; 0 if that is damaged.
std::uint64_t guess_size(std::string_view packed) {
  const std::string_view start = packed.substr(0, step_bytes);
  std::uint8_t unpacked[step_bytes];
  Inflate stream;
  stream.z.next_in = input_of(start);
  stream.z.avail_in = static_cast<uInt>(start.size());
  stream.z.next_out = unpacked;
  stream.z.avail_out = step_bytes;
  const int status = inflate(&stream.z, Z_NO_FLUSH);
  if (status != Z_OK && status != Z_STREAM_END) return 0;
  const auto read = static_cast<double>(start.size() - stream.z.avail_in);
  const auto made = static_cast<double>(step_bytes - stream.z.avail_out);
  return step_bytes +
         static_cast<std::uint64_t>(1.25 * static_cast<double>(packed.size()) * made / read);
}

/// Unpacks all at once with libdeflate, which says neither how far it came nor what is wrong.
/// False: nothing was unpacked, because the stream is damaged or the limits forbid so much room.
bool decode_at_once(const Call& call, std::string_view packed, std::uint64_t expected,
                    FilterOutput& bytes, Writer& out) {
  constexpr std::uint64_t bytes_per_unit = 4;
  constexpr std::uint64_t most_room = std::uint64_t{1} << 30;  // until it can be cancelled again
  const Decompressor decompressor(libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  if (decompressor == nullptr) throw std::bad_alloc();
  std::size_t read = 0, made = 0;
  const auto unpack = [&](void* to, std::uint64_t room) {
    call.tick(room / bytes_per_unit + 1);
    return libdeflate_zlib_decompress_ex(decompressor.get(), packed.data(), packed.size(), to,
                                         static_cast<std::size_t>(room), &read, &made);
  };
  if (expected != POLYCODEC_SIZE_UNKNOWN) {
    if (expected == 0 || expected > most_room) return false;
    const auto room = bytes.whole();
    if (unpack(room.data(), room.size()) != LIBDEFLATE_SUCCESS || made != room.size() ||
        read != packed.size())
      return false;
    bytes.commit_whole();
    return true;
  }
  std::uint64_t room = packed.size() <= step_bytes ? 16 * packed.size() + 64 : guess_size(packed);
  for (; room != 0 && room <= most_room; room *= 4) {
    void* to = nullptr;
    try {
      to = out.reserve(room);
    } catch (const Error&) {
      return false;  // a guess, and what comes may take less
    }
    const libdeflate_result result = unpack(to, room);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE) continue;
    if (result != LIBDEFLATE_SUCCESS || read != packed.size()) return false;
    out.commit(made);
    return true;
  }
  return false;
}

/// Unpacks step by step with zlib.
void decode_steps(std::string_view packed, FilterOutput& bytes) {
  Inflate stream;
  std::size_t at = 0;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    auto room = bytes.room();
    // The checksum follows the last byte, so the stream continues with one byte of room that it
    // must not use.
    std::uint8_t spare = 0;
    const bool full = room.empty();
    if (full) room = {&spare, 1};
    const std::size_t in = std::min(packed.size() - at, step_bytes);
    stream.z.next_in = input_of(packed.substr(at));
    stream.z.avail_in = static_cast<uInt>(in);
    stream.z.next_out = room.data();
    stream.z.avail_out = static_cast<uInt>(room.size());
    status = inflate(&stream.z, Z_NO_FLUSH);
    at += in - stream.z.avail_in;
    if (full && stream.z.avail_out == 0) bytes.throw_more();
    if (!full) bytes.commit(room.size() - stream.z.avail_out);
    if (status == Z_BUF_ERROR || (status == Z_OK && at == packed.size() && stream.z.avail_out != 0))
      throw Error(Status::truncated, "the zlib stream ends too early", packed.size());
    if (status == Z_MEM_ERROR) throw Error(Status::memory, "no memory for decompressing");
    if (status != Z_OK && status != Z_STREAM_END)
      throw Error(
          Status::malformed,
          std::string("not a zlib stream: ") + (stream.z.msg == nullptr ? "damaged" : stream.z.msg),
          at);
  }
  if (at != packed.size())
    throw Error(Status::trailing,
                std::to_string(packed.size() - at) + " bytes follow the zlib stream", at);
}

}  // namespace

Zlib::Zlib(Call&, const Options& options)
    : level_(static_cast<int>(options.get("level", std::int64_t{6}))) {}

void Zlib::encode(Call& call, const Pieces& pieces, Writer& out) const {
  constexpr Checksum adler{
      1, [](std::string_view bytes) { return libdeflate_adler32(1, bytes.data(), bytes.size()); },
      [](std::uint32_t first, std::uint32_t second, std::uint64_t size) {
        return static_cast<std::uint32_t>(
            adler32_combine(first, second, static_cast<z_off_t>(size)));
      }};
  const int flags = (level_ < 2 ? 0 : level_ < 6 ? 1 : level_ == 6 ? 2 : 3) << 6;
  out.put_u8(0x78);  // deflate with a window of 32 KiB
  out.put_u8(static_cast<std::uint8_t>(flags + 31 - (0x7800 + flags) % 31));
  out.put_be(write_deflate(call, pieces, out, level_, adler));
}

void Zlib::decode(Call& call, std::string_view packed, std::uint64_t expected, Writer& out) const {
  FilterOutput bytes(call, out, packed.size(), POLYCODEC_SIZE_UNKNOWN, expected, 2);
  if (!decode_at_once(call, packed, expected, bytes, out)) decode_steps(packed, bytes);
  bytes.finish();
}

}  // namespace polycodec::zlib
