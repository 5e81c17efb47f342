// SPDX-License-Identifier: MIT
#include "filter.hpp"

#include <base/filter_output.hpp>

#include <lzma.h>

#include <algorithm>
#include <new>

namespace polycodec::xz {

namespace {

constexpr std::size_t window_bytes = 65536;
constexpr std::size_t step_bytes = std::size_t{1} << 18;
constexpr std::string_view magic{"\xfd\x37zXZ\0", 6};

/// A compressor or decompressor.
struct Stream {
  lzma_stream z = LZMA_STREAM_INIT;
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { lzma_end(&z); }
};

const std::uint8_t* input_of(std::string_view bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

void check_encoder(lzma_ret code) {
  if (code == LZMA_MEM_ERROR) throw std::bad_alloc();
  if (code != LZMA_OK && code != LZMA_STREAM_END)
    throw Error(Status::internal, "liblzma does not compress");
}

[[noreturn]] void throw_memory(std::uint64_t needed, std::uint64_t most, const char* action) {
  throw Error(Status::limit, "the memory to " + std::string(action) + " this xz stream " +
                                 std::to_string(needed) + " exceeds max_memory_bytes (" +
                                 std::to_string(most) + ")")
      .detail("limit.max_memory_bytes");
}

/// Throws what a code of the decoder means that is not progress; `at`: how far it came.
[[noreturn]] void throw_decoder(lzma_ret code, std::size_t at) {
  if (code == LZMA_MEM_ERROR) throw std::bad_alloc();
  if (code == LZMA_UNSUPPORTED_CHECK || code == LZMA_OPTIONS_ERROR)
    throw Error(Status::unsupported,
                code == LZMA_OPTIONS_ERROR
                    ? "the xz stream has flags or filters that liblzma does not know"
                    : "the xz stream has a kind of checksum that liblzma does not know",
                at);
  throw Error(Status::malformed,
              code == LZMA_FORMAT_ERROR ? "not an xz stream"
                                        : "damaged xz stream: its bytes or a checksum are wrong",
              at);
}

/// Unpacks the stream at `at`, and returns where it ends.
std::size_t decode_stream(Stream& stream, const Call& call, std::string_view packed, std::size_t at,
                          FilterOutput& bytes) {
  const std::uint64_t most = call.limits().max_memory_bytes;
  if (lzma_stream_decoder(&stream.z, most, LZMA_TELL_UNSUPPORTED_CHECK) != LZMA_OK)
    throw std::bad_alloc();
  stream.z.avail_in = 0;
  for (;;) {
    auto room = bytes.room();
    // The index follows the last byte, so the stream continues with one byte of room that it must
    // not use.
    std::uint8_t spare = 0;
    const bool full = room.empty();
    if (full) room = {&spare, 1};
    const std::size_t in = std::min(packed.size() - at, step_bytes);
    stream.z.next_in = input_of(packed.substr(at));
    stream.z.avail_in = in;
    stream.z.next_out = room.data();
    stream.z.avail_out = room.size();
    const lzma_ret code = lzma_code(&stream.z, LZMA_RUN);
    at += in - stream.z.avail_in;
    const std::size_t made = room.size() - stream.z.avail_out;
    if (full && made != 0) bytes.throw_more();
    if (!full) bytes.commit(made);
    if (code == LZMA_STREAM_END) return at;
    if (code == LZMA_MEMLIMIT_ERROR) throw_memory(lzma_memusage(&stream.z), most, "unpack");
    if (code != LZMA_OK && code != LZMA_BUF_ERROR) throw_decoder(code, at);
    if (made == 0 && stream.z.avail_in == in && at == packed.size())
      throw Error(Status::truncated, "the xz stream ends too early", packed.size());
  }
}

}  // namespace

Xz::Xz(Call&, const Options& options)
    : level_(static_cast<std::uint32_t>(options.get("level", std::int64_t{3}))) {}

void Xz::encode(Call& call, const Pieces& pieces, Writer& out) const {
  lzma_options_lzma options{};
  if (lzma_lzma_preset(&options, level_))
    throw Error(Status::internal, "liblzma does not know the level");
  // No more than there are bytes: who reads the stream takes as much memory.
  options.dict_size = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(pieces.size(), LZMA_DICT_SIZE_MIN, options.dict_size));
  const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  const std::uint64_t most = call.limits().max_memory_bytes;
  if (const std::uint64_t needed = lzma_raw_encoder_memusage(filters); needed > most)
    throw_memory(needed, most, "write");
  Stream stream;
  check_encoder(lzma_stream_encoder(&stream.z, filters, LZMA_CHECK_CRC64));
  const auto pump = [&](lzma_action action) {
    for (lzma_ret code = LZMA_OK; code != LZMA_STREAM_END;) {
      stream.z.next_out = out.reserve(window_bytes);
      stream.z.avail_out = window_bytes;
      code = lzma_code(&stream.z, action);
      out.commit(window_bytes - stream.z.avail_out);
      check_encoder(code);
      if (action == LZMA_RUN && stream.z.avail_in == 0 && stream.z.avail_out != 0) return;
    }
  };
  for (std::size_t i = 0; i < pieces.count(); ++i)
    for_each_part(call, pieces[i], window_bytes, 16, [&](std::string_view part) {
      stream.z.next_in = input_of(part);
      stream.z.avail_in = part.size();
      pump(LZMA_RUN);
    });
  pump(LZMA_FINISH);
}

void Xz::decode(Call& call, std::string_view packed, std::uint64_t expected, Writer& out) const {
  FilterOutput bytes(call, out, packed.size(), POLYCODEC_SIZE_UNKNOWN, expected, 1);
  Stream stream;
  for (std::size_t at = 0;;) {
    at = decode_stream(stream, call, packed, at, bytes);
    // Section 2.2 of the format: after a stream, zero bytes whose number is a multiple of 4.
    const std::size_t more = std::min(packed.find_first_not_of('\0', at), packed.size());
    if ((more - at) % 4 != 0 && (more == packed.size() || packed.substr(more).starts_with(magic)))
      throw Error(Status::trailing,
                  std::to_string(more - at) +
                      " zero bytes follow the xz stream: there may be a "
                      "multiple of 4",
                  at);
    at = more;
    if (at == packed.size()) break;
    if (!packed.substr(at).starts_with(magic))
      throw Error(Status::trailing,
                  std::to_string(packed.size() - at) +
                      " bytes follow the last xz stream, and are neither a stream nor zeros",
                  at);
  }
  bytes.finish();
}

}  // namespace polycodec::xz
