// SPDX-License-Identifier: MIT
#include "hash.hpp"

#include <polycodec/error.hpp>

#include "print.hpp"

#include <openssl/evp.h>

namespace polycodec::fastbin {

std::string schema_hash(const Schema& schema) {
  const std::string text = canonical_text(schema);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha256(), nullptr) != 1)
    throw Error(Status::internal, "the hash of the schema could not be computed");
  constexpr char digits[] = "0123456789abcdef";
  std::string hex;
  for (unsigned i = 0; i < size; ++i) {
    hex += digits[digest[i] >> 4];
    hex += digits[digest[i] & 15u];
  }
  return hex;
}

}  // namespace polycodec::fastbin
