// SPDX-License-Identifier: MIT
// Arrays over bytes, and decompressors: never more bytes than are needed, and never more than
// the limits allow.
#include <base/growing.hpp>
#include <polycodec/checked.hpp>

#include "array_parts.hpp"
#include "frame.hpp"
#include "numpy.hpp"

#include <libdeflate.h>
#include <lzma.h>
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace polycodec::awkward {
namespace {

std::string_view given_bytes(Frame& frame, bool any_items) {
  const NodeView v = frame[0];
  if (v.kind() == POLYCODEC_KIND_BINARY) return v.as_bytes();
  if (v.is_array()) {
    const ArrayView a(*v.node()->as.array);
    if (a.layout() == POLYCODEC_LAYOUT_NDARRAY && (any_items || a.item_size() == 1) &&
        a.is_contiguous())
      return a.contiguous_bytes();
  }
  frame.fail_type(0, "bytes");
}

NumpyType type_of(Frame& frame) {
  static constexpr polycodec_node null{};
  if (!frame.has(1)) return parse_numpy_type(NodeView(&null));
  NodeView json = frame[1];
  if (json.kind() == POLYCODEC_KIND_EXTENSION) {
    if (to_string_view(json.as_extension().name) != dtype_name_word) frame.fail_type(1, "a dtype");
    json = NodeView(json.as_extension().payload);
  }
  try {
    return parse_numpy_type(json);
  } catch (Error& e) {
    e.path(frame.where(1));
    throw;
  }
}

}  // namespace

polycodec_node from_buffer(Frame& frame) {
  const auto all = given_bytes(frame, true);
  const NumpyType type = type_of(frame);
  const std::uint64_t offset = frame.has(3) ? frame.count(3) : 0;
  if (offset > all.size())
    frame.fail(3, Status::malformed, "buffer.size",
               "an offset of " + std::to_string(offset) + " in a buffer of " +
                   std::to_string(all.size()) + " bytes");
  const auto bytes = all.substr(static_cast<std::size_t>(offset));
  const std::int64_t declared = frame.has(2) ? frame.integer(2) : -1;
  const std::uint64_t size = type.item_size;
  if (declared < -1)
    frame.fail(2, Status::malformed, "buffer.count",
               "a count of " + std::to_string(declared) +
                   ": expected -1, which is all, or a number that is not negative");
  if (declared == -1) {
    if (size == 0)
      frame.fail(2, Status::malformed, "buffer.count", "elements of no bytes need a count");
    if (bytes.size() % size != 0)
      frame.fail(0, Status::malformed, "buffer.size",
                 std::to_string(bytes.size()) +
                     " bytes are not a multiple of the element size of " + std::to_string(size) +
                     " bytes");
    return Builder::array(numpy_array(frame.out, type, bytes, bytes.size() / size));
  }
  const auto count = static_cast<std::uint64_t>(declared);
  std::uint64_t needed = 0;
  if (count > frame.call.limits().max_elements)
    frame.fail(2, Status::limit, "awkward.limit",
               "a count of " + std::to_string(count) + " elements (max_elements)");
  if (!checked_mul(count, size, needed) || needed > bytes.size())
    frame.fail(0, Status::malformed, "buffer.size",
               "the buffer has " + std::to_string(bytes.size()) + " bytes, but " +
                   std::to_string(count) + " elements of " + std::to_string(size) +
                   " bytes are needed");
  if (needed < bytes.size())
    frame.call.log(POLYCODEC_LOG_WARNING, "awkward: " + std::to_string(bytes.size() - needed) +
                                              " bytes follow the " + std::to_string(count) +
                                              " elements of a buffer, and are ignored");
  return Builder::array(
      numpy_array(frame.out, type, bytes.substr(0, static_cast<std::size_t>(needed)), count));
}

namespace {

// Bytes that libdeflate makes in the time of a unit of work.
constexpr std::uint64_t inflated_per_unit = 4;

[[noreturn]] void fail_limit(const Frame& frame, std::uint64_t packed, std::uint64_t most) {
  frame.fail(0, Status::limit, "buffer.ratio",
             std::to_string(packed) + " packed bytes hold more than the " + std::to_string(most) +
                 " bytes that max_memory_bytes allows");
}

[[noreturn]] void fail_data(const Frame& frame, const char* format, const char* why) {
  frame.fail(0, Status::malformed, "buffer.compressed",
             std::string("the bytes are not a valid ") + format + " stream: " + why);
}

polycodec_node bytes_node(const std::byte* data, std::uint64_t size) {
  return Builder::bytes_view(to_string_view(data, size));
}

void warn_longer(const Frame& frame, std::uint64_t needed) {
  frame.call.log(POLYCODEC_LOG_WARNING, "awkward: a compressed buffer has more than the " +
                                            std::to_string(needed) +
                                            " bytes that are needed; the rest is not read");
}

/// The first `size` bytes of a zlib stream that is longer: libdeflate knows whole streams only.
void inflate_front(const Frame& frame, std::string_view packed, std::byte* to, std::uint64_t size) {
  z_stream stream{};
  if (::inflateInit(&stream) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, &::inflateEnd);
  constexpr std::uint64_t step = std::uint64_t{1} << 30;
  std::uint64_t read = 0;
  for (std::uint64_t written = 0; written < size;) {
    const std::uint64_t in = std::min<std::uint64_t>(packed.size() - read, step);
    const std::uint64_t room = std::min(size - written, step);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + read));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(to + written);
    stream.avail_out = static_cast<uInt>(room);
    const int status = ::inflate(&stream, Z_NO_FLUSH);
    read += in - stream.avail_in;
    written += room - stream.avail_out;
    if (status != Z_OK)
      fail_data(frame, "zlib", stream.msg == nullptr ? "it ends too early" : stream.msg);
  }
}

using Decompressor = std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)>;

Decompressor make_decompressor() {
  Decompressor made(::libdeflate_alloc_decompressor(), &::libdeflate_free_decompressor);
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

/// All of a stream whose size is not known.
polycodec_node inflate_whole(Frame& frame, std::string_view packed, std::uint64_t most) {
  const Decompressor decompressor = make_decompressor();
  std::uint64_t room =
      std::min(most, std::max<std::uint64_t>(std::uint64_t{4} * packed.size(), 4096));
  std::byte* buffer = nullptr;
  for (std::uint64_t before = 0;; before = std::exchange(room, room > most / 2 ? most : room * 2)) {
    frame.call.tick(room / inflated_per_unit);
    buffer = frame.out.resize(buffer, before, room);
    std::size_t got = 0;
    std::size_t read = 0;
    const auto result =
        ::libdeflate_zlib_decompress_ex(decompressor.get(), packed.data(), packed.size(), buffer,
                                        static_cast<std::size_t>(room), &read, &got);
    if (result == LIBDEFLATE_SUCCESS) return bytes_node(buffer, got);
    if (result != LIBDEFLATE_INSUFFICIENT_SPACE)
      fail_data(frame, "zlib", "bad data or a wrong checksum");
    if (room == most) fail_limit(frame, packed.size(), most);
  }
}

}  // namespace

polycodec_node zlib_decompress(Frame& frame) {
  const auto packed = given_bytes(frame, false);
  const std::uint64_t most = frame.call.limits().max_memory_bytes;
  if (!frame.needed_bytes) return inflate_whole(frame, packed, most);
  const std::uint64_t needed = *frame.needed_bytes;
  if (needed > most) fail_limit(frame, packed.size(), most);
  frame.call.tick(needed / inflated_per_unit);
  auto* to = frame.out.allocate<std::byte>(needed + 1);
  std::size_t got = 0;
  std::size_t read = 0;
  const Decompressor decompressor = make_decompressor();
  const auto result =
      ::libdeflate_zlib_decompress_ex(decompressor.get(), packed.data(), packed.size(), to,
                                      static_cast<std::size_t>(needed), &read, &got);
  if (result == LIBDEFLATE_SUCCESS) return bytes_node(to, got);
  if (result != LIBDEFLATE_INSUFFICIENT_SPACE)
    fail_data(frame, "zlib", "bad data or a wrong checksum");
  inflate_front(frame, packed, to, needed);
  warn_longer(frame, needed);
  return bytes_node(to, needed);
}

polycodec_node lzma_decompress(Frame& frame) {
  const auto packed = given_bytes(frame, false);
  const std::uint64_t most = frame.call.limits().max_memory_bytes;
  if (frame.needed_bytes && *frame.needed_bytes > most) fail_limit(frame, packed.size(), most);
  // The dictionary of the highest preset takes 65 MiB; what asks for more than twice that is no
  // sound file.
  constexpr std::uint64_t memory = std::uint64_t{128} << 20;
  lzma_stream stream = LZMA_STREAM_INIT;
  const std::unique_ptr<lzma_stream, void (*)(lzma_stream*)> end(&stream, &::lzma_end);
  if (::lzma_auto_decoder(&stream, std::min(memory, most), LZMA_CONCATENATED) != LZMA_OK)
    throw std::bad_alloc();
  std::uint64_t room =
      frame.needed_bytes
          ? *frame.needed_bytes + 1
          : std::min(most, std::max<std::uint64_t>(std::uint64_t{4} * packed.size(), 4096)) + 1;
  Growing<char> bytes(frame.out);
  stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
  stream.avail_in = packed.size();
  for (;;) {
    // Memory is taken as it is filled.
    const std::uint64_t step = std::min<std::uint64_t>(room - bytes.size(), 1u << 18);
    stream.next_out = reinterpret_cast<std::uint8_t*>(bytes.reserve(step));
    stream.avail_out = static_cast<std::size_t>(step);
    frame.call.tick(step);
    const lzma_ret result = ::lzma_code(&stream, LZMA_FINISH);
    bytes.commit(step - stream.avail_out);
    if (frame.needed_bytes && bytes.size() > *frame.needed_bytes) {
      warn_longer(frame, *frame.needed_bytes);
      bytes.shrink(*frame.needed_bytes);
      break;
    }
    if (result == LZMA_STREAM_END) break;
    if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (result == LZMA_MEMLIMIT_ERROR)
      frame.fail(0, Status::limit, "awkward.limit",
                 "this xz stream needs more than 128 MiB to be unpacked");
    if (result != LZMA_OK)
      fail_data(frame, "xz or lzma", result == LZMA_BUF_ERROR ? "it ends too early" : "bad data");
    if (bytes.size() > most) fail_limit(frame, packed.size(), most);
    if (!frame.needed_bytes && bytes.size() == room) room = room > most / 2 ? most + 1 : room * 2;
  }
  return Builder::bytes_view(bytes_of(bytes.take()));
}

}  // namespace polycodec::awkward
