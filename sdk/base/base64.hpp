// SPDX-License-Identifier: MIT
// Base64 (RFC 4648, section 4): standard alphabet, padding required, only the one canonical form
// accepted.
#pragma once

#include <base/cpu.hpp>

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

/// Bytes that `text` gives if it is base64.
constexpr std::size_t base64_decoded_size(std::string_view text) noexcept {
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  const std::size_t bound = base64_decoded_bound(text.size());
  return bound < padding ? 0 : bound - padding;
}

/// How a decoding ended.
enum class Base64Status : std::uint8_t {
  ok,
  bad_character,  ///< `consumed` is the offset of a character that has no place in base64, or not
                  ///< there
  bad_padding,    ///< `consumed` is the offset where '=' is missing, or is one too many
  trailing_bits,  ///< `consumed` is the offset of a last character whose unused bits are not zero
  truncated,      ///< the text ends within a group of four; `consumed` is its size
  no_room,        ///< the text has more bytes than the output has room for
};

/// The outcome of a decoding. After an error, what is in the output is unspecified.
struct Base64Result {
  std::size_t consumed =
      0;  ///< characters taken, padding included; after an error the offset where it is
  std::size_t written = 0;  ///< bytes written, if ok
  Base64Status status = Base64Status::ok;
};

namespace detail {

// base64_encode() and base64_decode_run() with the instructions of `level`, which the processor
// must have.
std::size_t base64_encode_at(CpuLevel level, char* out, const void* data,
                             std::size_t size) noexcept;
Base64Result base64_decode_at(CpuLevel level, void* output, std::size_t capacity,
                              std::string_view text) noexcept;

// The whole text must be base64, not only its front.
constexpr Base64Result base64_whole(Base64Result result, std::string_view text) noexcept {
  if (result.status == Base64Status::bad_padding && text[result.consumed] != '=')
    return {result.consumed, 0, Base64Status::bad_character};
  if (result.status != Base64Status::ok || result.consumed == text.size()) return result;
  return {result.consumed, 0,
          text[result.consumed] == '=' ? Base64Status::bad_padding : Base64Status::bad_character};
}

}  // namespace detail

/// Encodes `size` bytes to `out`, which has room for base64_encoded_size(size) characters and does
/// not overlap `data`. Returns the characters written. Allocates nothing. [thread-safe]
inline std::size_t base64_encode(char* out, const void* data, std::size_t size) noexcept {
  return detail::base64_encode_at(size < 32 ? CpuLevel::scalar : cpu_level(), out, data, size);
}

/// Decodes the base64 at the front of `text` in one pass and stops, without error, at the first
/// character that cannot be part of it: `consumed` is where, such as at the closing quote of a JSON
/// string. The caller checks what is there. At most `capacity` bytes are written to `out`, and
/// nothing beyond; `out` does not overlap `text`. Errors: a run whose length is not a multiple of
/// four (bad_padding where the run ends, truncated if the text ends there), wrong padding, trailing
/// bits, no_room. [thread-safe]
inline Base64Result base64_decode_run(void* out, std::size_t capacity,
                                      std::string_view text) noexcept {
  return detail::base64_decode_at(text.size() < 32 ? CpuLevel::scalar : cpu_level(), out, capacity,
                                  text);
}

/// Decodes `text`, all of which must be base64, to `out` with room for `capacity` bytes
/// (base64_decoded_bound() is always enough). Refuses white space, missing padding and
/// non-canonical last characters. [thread-safe]
inline Base64Result base64_decode(void* out, std::size_t capacity, std::string_view text) noexcept {
  return detail::base64_whole(base64_decode_run(out, capacity, text), text);
}

/// Decodes `text`, all of which must be base64 of a number of `size` bytes, in a register. False if
/// it is not, or if `size` is not 1, 2, 4 or 8: base64_decode() says why. [thread-safe]
bool base64_decode_number(void* out, std::size_t size, std::string_view text) noexcept;

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
