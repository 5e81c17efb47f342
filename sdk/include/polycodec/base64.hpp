// SPDX-License-Identifier: MIT
// Base64 (RFC 4648, section 4): standard alphabet, padding required, only the one canonical form accepted.
#pragma once

#include <polycodec/base64_x86.hpp>
#include <polycodec/cpu.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace polycodec {

/// Characters that `size` bytes take in base64. `size` is that of something in memory: no overflow.
constexpr std::size_t base64_encoded_size(std::size_t size) noexcept {
  return size / 3 * 4 + (size % 3 != 0 ? 4 : 0);
}

/// Bytes that `size` characters of base64 give at most; exact when the text has no padding.
constexpr std::size_t base64_decoded_bound(std::size_t size) noexcept {
  return size / 4 * 3;
}

/// How a decoding ended.
enum class Base64Status : std::uint8_t {
  ok,
  bad_character,  ///< `consumed` is the offset of a character that has no place in base64, or not there
  bad_padding,    ///< `consumed` is the offset where '=' is missing, or is one too many
  trailing_bits,  ///< `consumed` is the offset of a last character whose unused bits are not zero
  truncated,      ///< the text ends within a group of four; `consumed` is its size
  no_room,        ///< the text has more bytes than the output has room for
};

/// The outcome of a decoding. After an error, what is in the output is unspecified.
struct Base64Result {
  std::size_t consumed = 0;  ///< characters taken, padding included; after an error the offset where it is
  std::size_t written = 0;   ///< bytes written, if ok
  Base64Status status = Base64Status::ok;
};

namespace detail {

inline constexpr char base64_alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// For each byte its value in the alphabet, or 255.
inline constexpr std::array<std::uint8_t, 256> base64_values = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(255);
  for (std::uint8_t i = 0; i < 64; ++i) values[static_cast<std::uint8_t>(base64_alphabet[i])] = i;
  return values;
}();

inline void base64_encode_scalar(char* out, const std::uint8_t* in, std::size_t size) noexcept {
  for (; size >= 3; size -= 3, in += 3, out += 4) {
    const std::uint32_t bits = (std::uint32_t{in[0]} << 16) | (std::uint32_t{in[1]} << 8) | in[2];
    out[0] = base64_alphabet[bits >> 18];
    out[1] = base64_alphabet[(bits >> 12) & 63];
    out[2] = base64_alphabet[(bits >> 6) & 63];
    out[3] = base64_alphabet[bits & 63];
  }
  if (size == 0) return;
  const std::uint32_t bits = (std::uint32_t{in[0]} << 16) | (size == 2 ? std::uint32_t{in[1]} << 8 : 0u);
  out[0] = base64_alphabet[bits >> 18];
  out[1] = base64_alphabet[(bits >> 12) & 63];
  out[2] = size == 2 ? base64_alphabet[(bits >> 6) & 63] : '=';
  out[3] = '=';
}

// base64_encode() with the instructions of `level`, which the processor must have.
inline std::size_t base64_encode_at(CpuLevel level, char* out, const void* data, std::size_t size) noexcept {
  const auto* in = static_cast<const std::uint8_t*>(data);
  std::size_t done = 0;  // bytes, a multiple of 3
#if defined(__x86_64__)
  if (level >= CpuLevel::avx512_vbmi) done = base64_encode_vbmi(out, in, size);
  if (level >= CpuLevel::avx2) done += base64_encode_avx2(out + done / 3 * 4, in + done, size - done);
#endif
  static_cast<void>(level);
  base64_encode_scalar(out + done / 3 * 4, in + done, size - done);
  return base64_encoded_size(size);
}

// The last group, at `at`, which does not consist of four characters of the alphabet.
inline Base64Result base64_decode_last(std::uint8_t* out, std::size_t room, const std::uint8_t* in, std::size_t size,
                                       std::size_t at, std::size_t written) noexcept {
  std::uint32_t bits = 0;
  std::size_t count = 0;
  while (at + count < size && base64_values[in[at + count]] != 255)
    bits = (bits << 6) | base64_values[in[at + count++]];
  if (count == 0) return {at, written, Base64Status::ok};
  const std::size_t end = at + count;
  if (end == size) return {end, 0, Base64Status::truncated};
  if (in[end] != '=') return {end, 0, Base64Status::bad_padding};
  if (count == 1) return {end, 0, Base64Status::bad_character};
  if (count == 2) {
    if (end + 1 == size) return {size, 0, Base64Status::truncated};
    if (in[end + 1] != '=') return {end + 1, 0, Base64Status::bad_padding};
  }
  if ((bits & (count == 2 ? 0x0fu : 0x03u)) != 0) return {end - 1, 0, Base64Status::trailing_bits};
  if (room < count - 1) return {at, 0, Base64Status::no_room};
  bits <<= 6 * (4 - count);
  out[0] = static_cast<std::uint8_t>(bits >> 16);
  if (count == 3) out[1] = static_cast<std::uint8_t>(bits >> 8);
  return {at + 4, written + count - 1, Base64Status::ok};
}

// base64_decode_run() with the instructions of `level`, which the processor must have.
inline Base64Result base64_decode_at(CpuLevel level, void* output, std::size_t capacity,
                                     std::string_view text) noexcept {
  auto* out = static_cast<std::uint8_t*>(output);
  const auto* in = reinterpret_cast<const std::uint8_t*>(text.data());
  const std::size_t size = text.size();
  std::size_t at = 0;  // characters, a multiple of 4
#if defined(__x86_64__)
  if (level >= CpuLevel::avx512_vbmi) at = base64_decode_vbmi(out, capacity, in, size);
  if (level >= CpuLevel::avx2) at += base64_decode_avx2(out + at / 4 * 3, capacity - at / 4 * 3, in + at, size - at);
#endif
  static_cast<void>(level);
  std::size_t written = at / 4 * 3;
  for (; size - at >= 4; at += 4, written += 3) {
    const std::uint32_t a = base64_values[in[at]], b = base64_values[in[at + 1]];
    const std::uint32_t c = base64_values[in[at + 2]], d = base64_values[in[at + 3]];
    if (((a | b | c | d) & 0x80) != 0) break;
    if (capacity - written < 3) return {at, 0, Base64Status::no_room};
    const std::uint32_t bits = (a << 18) | (b << 12) | (c << 6) | d;
    out[written] = static_cast<std::uint8_t>(bits >> 16);
    out[written + 1] = static_cast<std::uint8_t>(bits >> 8);
    out[written + 2] = static_cast<std::uint8_t>(bits);
  }
  return base64_decode_last(out + written, capacity - written, in, size, at, written);
}

// The whole text must be base64, not only its front.
constexpr Base64Result base64_whole(Base64Result result, std::string_view text) noexcept {
  if (result.status == Base64Status::bad_padding && text[result.consumed] != '=')
    return {result.consumed, 0, Base64Status::bad_character};
  if (result.status != Base64Status::ok || result.consumed == text.size()) return result;
  return {result.consumed, 0, text[result.consumed] == '=' ? Base64Status::bad_padding : Base64Status::bad_character};
}

}  // namespace detail

/// Encodes `size` bytes to `out`, which has room for base64_encoded_size(size) characters and does not overlap
/// `data`. Returns the characters written. Allocates nothing. [thread-safe]
inline std::size_t base64_encode(char* out, const void* data, std::size_t size) noexcept {
  return detail::base64_encode_at(size < 32 ? CpuLevel::scalar : cpu_level(), out, data, size);
}

/// Decodes the base64 at the front of `text` in one pass and stops, without error, at the first character that cannot
/// be part of it: `consumed` is where, such as at the closing quote of a JSON string. The caller checks what stands
/// there. At most `capacity` bytes are written to `out`, and nothing beyond; `out` does not overlap `text`. Errors: a
/// run whose length is not a multiple of four (bad_padding where the run ends, truncated if the text ends there),
/// wrong padding, trailing bits, no_room. [thread-safe]
inline Base64Result base64_decode_run(void* out, std::size_t capacity, std::string_view text) noexcept {
  return detail::base64_decode_at(text.size() < 32 ? CpuLevel::scalar : cpu_level(), out, capacity, text);
}

/// Decodes `text`, all of which must be base64, to `out` with room for `capacity` bytes (base64_decoded_bound() is
/// always enough). Refuses white space, missing padding and non-canonical last characters. [thread-safe]
inline Base64Result base64_decode(void* out, std::size_t capacity, std::string_view text) noexcept {
  return detail::base64_whole(base64_decode_run(out, capacity, text), text);
}

/// A message for a status, such as "base64 text ends within a group of four characters".
constexpr std::string_view base64_message(Base64Status status) noexcept {
  switch (status) {
    case Base64Status::ok:
      return "base64 text is valid";
    case Base64Status::bad_character:
      return "a character that is not base64";
    case Base64Status::bad_padding:
      return "base64 padding is missing or misplaced";
    case Base64Status::trailing_bits:
      return "the last base64 character has bits that no byte takes";
    case Base64Status::truncated:
      return "base64 text ends within a group of four characters";
    case Base64Status::no_room:
      return "base64 text holds more bytes than expected";
  }
  return "unknown base64 status";
}

}  // namespace polycodec
