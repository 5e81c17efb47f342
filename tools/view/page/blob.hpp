// SPDX-License-Identifier: MIT
// Arrays of numbers as text in a page: compressed, then base64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace polycodec::page {

/// Returns `bytes` compressed (raw deflate) as base64. Throws Error(memory).
std::string pack_bytes(std::string_view bytes);

/// Returns words as base64 of compressed bytes. Each word is first replaced by its difference
/// (modulo 2^32) to the word `lag` before it, because indices and coordinates change little from
/// one to the next. The first bytes of all words come first, then the second ones, and so on.
/// Throws Error(memory).
std::string pack_words(std::span<const std::uint32_t> words, std::size_t lag);

/// The same for numbers by their bits.
std::string pack_words(std::span<const float> numbers, std::size_t lag);

/// `bytes` as base64.
std::string to_base64(std::string_view bytes);

}  // namespace polycodec::page
