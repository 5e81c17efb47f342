// SPDX-License-Identifier: MIT
// The chunks of a GLB file, and base64.
#include <polycodec/byte_order.hpp>
#include <polycodec/error.hpp>

#include "codec.hpp"

namespace polycodec::gltf {
namespace {

constexpr std::uint64_t glb_header_size = 12;
constexpr std::uint64_t chunk_header_size = 8;
constexpr std::uint32_t chunk_json = 0x4e4f534a;
constexpr std::uint32_t chunk_bin = 0x004e4942;

[[noreturn]] void fail(Status status, const char* word, const std::string& message,
                       std::uint64_t offset) {
  throw Error(status, message, offset).detail(std::string("gltf.") + word);
}

std::string text(std::uint64_t number) {
  return std::to_string(number);
}

/// Reports what a tolerant reader mends in the frame of a file.
void note(const Call& call, const std::string& message, std::uint64_t offset) {
  call.report_loss(LossClass::note, "$", "byte " + text(offset) + ": " + message);
}

File split_glb(const Call& call, std::string_view bytes, const Settings& settings) {
  if (bytes.size() < glb_header_size)
    fail(Status::truncated, "truncated",
         "a GLB file of " + text(bytes.size()) + " bytes: its header has 12", bytes.size());
  if (const auto version = load_le<std::uint32_t>(bytes.data() + 4); version != 2)
    fail(Status::unsupported, "version",
         "GLB version " + text(version) + ": this codec reads version 2", 4);
  std::uint64_t size = load_le<std::uint32_t>(bytes.data() + 8);
  if (size > bytes.size()) {
    const std::string message = "the file has " + text(bytes.size()) + " bytes of the " +
                                text(size) + " that its header says";
    if (!settings.tolerant) fail(Status::truncated, "truncated", message, bytes.size());
    note(call, message + "; read up to its end", 8);
    size = bytes.size();
  }
  if (size < glb_header_size)
    fail(Status::malformed, "bad_length",
         "the header says " + text(size) + " bytes: it has 12 itself", 8);
  if (size < bytes.size()) {
    const std::string message =
        text(bytes.size() - size) + " bytes follow the end that the header says";
    if (settings.strict) fail(Status::trailing, "trailing_bytes", message, size);
    if (settings.tolerant)
      note(call, message + ", and are left out", size);
    else
      call.log(POLYCODEC_LOG_WARNING, "gltf: " + message);
  }
  File file{.binary = true};
  bool first = true;
  for (std::uint64_t at = glb_header_size; at < size; first = false) {
    if (size - at < chunk_header_size) {
      const std::string message = text(size - at) + " bytes are left where a chunk must begin";
      if (!settings.tolerant || first)
        fail(Status::malformed, "bad_chunk", message + ": its header has 8", at);
      note(call, message + ", and are left out", at);
      break;
    }
    const std::uint64_t length = load_le<std::uint32_t>(bytes.data() + at);
    const auto type = load_le<std::uint32_t>(bytes.data() + at + 4);
    if (length > size - at - chunk_header_size)
      fail(Status::malformed, "bad_chunk",
           "a chunk of " + text(length) + " bytes, of which the file has " +
               text(size - at - chunk_header_size),
           at);
    const std::string_view content = bytes.substr(at + chunk_header_size, length);
    call.tick();
    if (first != (type == chunk_json))
      fail(Status::malformed, "bad_chunk",
           first ? "the first chunk is not the JSON" : "a second chunk of JSON", at + 4);
    if (first) {
      file.json = content;
      file.json_offset = at + chunk_header_size;
    } else if (type == chunk_bin) {
      if (file.bin) fail(Status::malformed, "bad_chunk", "a second binary chunk", at + 4);
      file.bin = content;
      file.bin_offset = at + chunk_header_size;
    }  // others: readers ignore them, as the format says
    at += chunk_header_size + length;
  }
  if (first) fail(Status::truncated, "truncated", "the file has no chunk of JSON", glb_header_size);
  return file;
}

}  // namespace

File split(const Call& call, std::string_view bytes, const Settings& settings) {
  if (bytes.starts_with("glTF")) return split_glb(call, bytes, settings);
  File file{.json = bytes};
  if (bytes.starts_with("\xef\xbb\xbf")) {
    file.json.remove_prefix(3);
    file.json_offset = 3;
  }
  return file;
}

std::optional<std::string_view> decode_base64(std::string_view text, Builder& out) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  const std::uint64_t size = text.size() / 4 * 3 + (text.size() % 4 == 0 ? 0 : text.size() % 4 - 1);
  auto* const bytes = out.allocate<char>(size);
  char* to = bytes;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    std::uint32_t digit = 0;
    if (c >= 'A' && c <= 'Z') {
      digit = static_cast<std::uint32_t>(c - 'A');
    } else if (c >= 'a' && c <= 'z') {
      digit = static_cast<std::uint32_t>(c - 'a') + 26;
    } else if (c >= '0' && c <= '9') {
      digit = static_cast<std::uint32_t>(c - '0') + 52;
    } else if (c == '+' || c == '/') {
      digit = c == '+' ? 62 : 63;
    } else {
      return std::nullopt;
    }
    bits = (bits << 6) | digit;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    *to++ = static_cast<char>(bits >> count);
  }
  return std::string_view(bytes, size);
}

void encode_base64(std::string_view bytes, std::string& out) {
  constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? std::uint32_t{static_cast<unsigned char>(bytes[i])} : 0;
  };
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t bits = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (unsigned k = 0; k < 4; ++k)
      out += i + k > bytes.size() ? '=' : digits[(bits >> (18 - 6 * k)) & 63];
  }
}

}  // namespace polycodec::gltf
