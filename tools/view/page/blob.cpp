// SPDX-License-Identifier: MIT
#include "blob.hpp"

#include <base/base64.hpp>
#include <polycodec/error.hpp>

#include <zlib.h>

#include <algorithm>
#include <bit>

namespace polycodec::page {
namespace {

constexpr std::size_t input_piece = std::size_t{1} << 30;  // zlib counts with 32 bits

template <class Word>
std::string pack(std::span<const Word> words, std::size_t lag) {
  std::string bytes(words.size() * 4, '\0');
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto word = std::bit_cast<std::uint32_t>(words[i]) -
                      (i < lag ? 0 : std::bit_cast<std::uint32_t>(words[i - lag]));
    for (std::size_t k = 0; k < 4; ++k)
      bytes[k * words.size() + i] = static_cast<char>(word >> (8 * k));
  }
  return pack_bytes(bytes);
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text(base64_encoded_size(bytes.size()), '\0');
  base64_encode(text.data(), bytes.data(), bytes.size());
  return text;
}

std::string pack_bytes(std::string_view bytes) {
  z_stream stream{};
  constexpr int raw = -15;
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, raw, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error(Status::memory, "no memory to compress the data of the page");
  std::string packed;
  int status = Z_OK;
  while (status == Z_OK) {
    const std::size_t piece = std::min(bytes.size(), input_piece);
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(piece);
    bytes.remove_prefix(piece);
    const int flush = bytes.empty() ? Z_FINISH : Z_NO_FLUSH;
    do {
      char out[65536];
      stream.next_out = reinterpret_cast<Bytef*>(out);
      stream.avail_out = sizeof out;
      status = deflate(&stream, flush);
      packed.append(out, sizeof out - stream.avail_out);
    } while (stream.avail_out == 0 && status == Z_OK);
  }
  deflateEnd(&stream);
  return to_base64(packed);
}

std::string pack_words(std::span<const std::uint32_t> words, std::size_t lag) {
  return pack(words, lag);
}

std::string pack_words(std::span<const float> numbers, std::size_t lag) {
  return pack(numbers, lag);
}

}  // namespace polycodec::page
