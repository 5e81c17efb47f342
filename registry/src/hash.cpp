// SPDX-License-Identifier: MIT
#include "hash.hpp"

#include <polycodec/error.hpp>

#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <system_error>
#include <vector>

namespace polycodec {

std::string sha256_of_file(int fd) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1)
    throw Error(Status::internal, "SHA-256 is not available");
  std::vector<unsigned char> block(std::size_t{1} << 16);
  for (off_t at = 0;;) {
    const ssize_t n = ::pread(fd, block.data(), block.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw Error(Status::io, "cannot read the file: " + std::generic_category().message(errno));
    if (n == 0) break;
    if (EVP_DigestUpdate(context.get(), block.data(), static_cast<std::size_t>(n)) != 1)
      throw Error(Status::internal, "SHA-256 failed");
    at += n;
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_DigestFinal_ex(context.get(), digest.data(), &size) != 1) throw Error(Status::internal, "SHA-256 failed");
  std::string hex;
  for (unsigned i = 0; i < size; ++i) {
    hex += "0123456789abcdef"[digest[i] >> 4];
    hex += "0123456789abcdef"[digest[i] & 15];
  }
  return hex;
}

}  // namespace polycodec
