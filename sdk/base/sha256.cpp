// SPDX-License-Identifier: MIT
#include <base/hex.hpp>
#include <base/sha256.hpp>

namespace polycodec {

void Sha256::reset() noexcept {
  ::sha256_init(&context_);
}

void Sha256::update(const void* data, std::size_t size) noexcept {
  ::sha256_update(&context_, size, static_cast<const std::uint8_t*>(data));
}

std::string Sha256::finish() {
  char digest[SHA256_DIGEST_SIZE];
  ::sha256_digest(&context_, sizeof digest, reinterpret_cast<std::uint8_t*>(digest));
  return to_hex({digest, sizeof digest});
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes.data(), bytes.size());
  return hash.finish();
}

}  // namespace polycodec
