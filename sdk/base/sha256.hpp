// SPDX-License-Identifier: MIT
// SHA-256 digests. Link polycodec_sha256.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace polycodec {

/// Computes a digest piece by piece. [one-thread] Throws Error(Status::internal) if the library
/// refuses.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void update(const void* data, std::size_t size);
  /// Returns the digest of all bytes as 64 lower-case hex digits, and starts anew.
  std::string finish();
  /// Forgets all bytes.
  void reset();

 private:
  void* context_;
};

/// Returns the digest of `bytes` as 64 lower-case hex digits.
std::string sha256(std::string_view bytes);

}  // namespace polycodec
