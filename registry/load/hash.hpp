// SPDX-License-Identifier: MIT
#pragma once

#include <base/sha256.hpp>
#include <polycodec/error.hpp>

#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <vector>

namespace polycodec {

/// The SHA-256 digest of all of an open file as 64 lower-case hex digits. Throws Error(Status::io).
inline std::string sha256_of_file(int fd) {
  Sha256 hash;
  std::vector<unsigned char> block(std::size_t{1} << 16);
  for (off_t at = 0;;) {
    const ssize_t n = ::pread(fd, block.data(), block.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      throw Error(Status::io, "cannot read the file: " + std::generic_category().message(errno));
    if (n == 0) break;
    hash.update(block.data(), static_cast<std::size_t>(n));
    at += n;
  }
  return hash.finish();
}

}  // namespace polycodec
