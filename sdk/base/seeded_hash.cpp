// SPDX-License-Identifier: MIT
#include "seeded_hash.hpp"

#include <polycodec/byte_order.hpp>

#include <bit>
#include <cstring>
#ifndef __wasm__
#include <chrono>
#include <exception>
#include <random>
#endif

namespace polycodec {
namespace {

struct Sip {
  std::uint64_t a, b, c, d;

  void round() noexcept {
    a += b, b = std::rotl(b, 13) ^ a, a = std::rotl(a, 32);
    c += d, d = std::rotl(d, 16) ^ c;
    a += d, d = std::rotl(d, 21) ^ a;
    c += b, b = std::rotl(b, 17) ^ c, c = std::rotl(c, 32);
  }
  void add(std::uint64_t word) noexcept {
    d ^= word;
    round();
    a ^= word;
  }
};

}  // namespace

std::uint64_t siphash(const HashKey& key, std::string_view bytes) noexcept {
  Sip s{key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d, key[0] ^ 0x6c7967656e657261,
        key[1] ^ 0x7465646279746573};
  const std::uint64_t size = bytes.size();
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) s.add(load_le<std::uint64_t>(bytes.data()));
  char last[8] = {};
  if (!bytes.empty()) std::memcpy(last, bytes.data(), bytes.size());
  s.add(load_le<std::uint64_t>(last) | size << 56);
  s.c ^= 0xff;
  s.round(), s.round(), s.round();
  return s.a ^ s.b ^ s.c ^ s.d;
}

HashKey draw_hash_key() noexcept {
#ifdef __wasm__
  return {0x243f6a8885a308d3, 0x13198a2e03707344};
#else
  try {
    std::random_device random;
    HashKey key;
    for (std::uint64_t& word : key) word = std::uint64_t{random()} << 32 | random();
    return key;
  } catch (const std::exception&) {  // a system without random numbers: the clock, and where this
                                     // was loaded
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    return {static_cast<std::uint64_t>(now), reinterpret_cast<std::uintptr_t>(&draw_hash_key)};
  }
#endif
}

}  // namespace polycodec
