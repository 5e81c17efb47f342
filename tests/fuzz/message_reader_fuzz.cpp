// SPDX-License-Identifier: MIT
// Any bytes as a stream of messages, cut into pieces whose sizes come from the data: which messages
// come out, and which error, must not depend on the cuts. The first 8 bytes say how to cut.
#include <polycodec/error.hpp>

#include "core/frame/message.hpp"

#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

using namespace polycodec;

namespace {

Limits small_limits() {
  Limits limits;
  limits.max_header_bytes = 4096;
  limits.max_memory_bytes = std::uint64_t{1} << 20;
  limits.max_depth = 64;
  return limits;
}

/// What a message is to its receiver, as text; every function that checks it is called.
std::string describe(const ReceivedMessage& message) {
  std::string text = std::to_string(message.offset) + " " + message.header.id + " " +
                     message.header.codec + " " + std::to_string(message.body.size()) + " ";
  try {
    const BodyFormat format = body_format(message.header, message.body);
    text += format.codec + format.options + header_datatype(message.header);
  } catch (const Error& e) {
    text += e.describe();
  }
  text += header_to_json(message.header);
  return text + std::string(message.body) + "\n";
}

template <class Size>
std::string read_stream(std::string_view bytes, Transport transport, Size&& next_size) {
  MessageReader reader(small_limits(), transport);
  std::string out;
  try {
    for (std::size_t at = 0; at < bytes.size();) {
      const std::string_view piece = bytes.substr(at, next_size());
      const auto window = transport == Transport::stream ? reader.window() : std::span<char>();
      if (piece.size() % 2 == 1 && piece.size() <= window.size()) {
        std::memcpy(window.data(), piece.data(), piece.size());
        reader.commit(piece.size());
      } else {
        reader.feed(piece);
      }
      at += piece.size();
      while (const auto message = reader.next()) out += describe(*message);
    }
    reader.finish();
  } catch (const Error& e) {
    if (e.message().empty()) std::abort();
    out += e.describe();
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 8) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 8, size - 8);
  std::size_t step = 0;
  const auto sizes = [&] { return std::size_t{1} + data[step++ % 8]; };
  const std::string whole = read_stream(bytes, Transport::stream, [&] { return bytes.size(); });
  if (read_stream(bytes, Transport::stream, sizes) != whole) std::abort();
  if (read_stream(bytes, Transport::stream, [] { return std::size_t{1}; }) != whole) std::abort();
  (void)read_stream(bytes, Transport::packets, sizes);
  return 0;
}
