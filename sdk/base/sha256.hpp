// SPDX-License-Identifier: MIT
// SHA-256 digests. Link polycodec_sha256.
#pragma once

#include <nettle/sha2.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace polycodec {

/// Computes a digest piece by piece. [one-thread]
class Sha256 {
 public:
  Sha256() noexcept { reset(); }

  void update(const void* data, std::size_t size) noexcept;
  /// Returns the digest of all bytes as 64 lower-case hex digits, and starts anew.
  std::string finish();
  /// Forgets all bytes.
  void reset() noexcept;

 private:
  sha256_ctx context_;
};

/// Returns the digest of `bytes` as 64 lower-case hex digits.
std::string sha256(std::string_view bytes);

}  // namespace polycodec
