// SPDX-License-Identifier: MIT
// SHA-256 digests of files and names.
#pragma once

#include <polycodec/detail/hex.hpp>

#include <nettle/sha2.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec::cli {

/// Computes a digest piece by piece.
class Sha256 {
 public:
  Sha256() noexcept { ::sha256_init(&context_); }
  void update(std::string_view bytes) noexcept {
    ::sha256_update(&context_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  }
  /// The digest as 64 lower-case hex digits. Nothing follows.
  std::string finish() {
    std::uint8_t digest[SHA256_DIGEST_SIZE];
    ::sha256_digest(&context_, sizeof digest, digest);
    std::string digits;
    for (const std::uint8_t byte : digest) append_hex(digits, byte, 2);
    return digits;
  }

 private:
  sha256_ctx context_;
};

}  // namespace polycodec::cli
