// SPDX-License-Identifier: MIT
#include <base/hex.hpp>
#include <base/sha256.hpp>
#include <polycodec/error.hpp>

#include <openssl/evp.h>

namespace polycodec {

namespace {

void check(int done) {
  if (done != 1) throw Error(Status::internal, "SHA-256 is not available");
}

EVP_MD_CTX* context_of(void* context) noexcept {
  return static_cast<EVP_MD_CTX*>(context);
}

}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  reset();
}

Sha256::~Sha256() {
  EVP_MD_CTX_free(context_of(context_));
}

void Sha256::reset() {
  check(context_ == nullptr ? 0 : EVP_DigestInit_ex(context_of(context_), EVP_sha256(), nullptr));
}

void Sha256::update(const void* data, std::size_t size) {
  check(EVP_DigestUpdate(context_of(context_), data, size));
}

std::string Sha256::finish() {
  char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  check(EVP_DigestFinal_ex(context_of(context_), reinterpret_cast<unsigned char*>(digest), &size));
  reset();
  return to_hex({digest, size});
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes.data(), bytes.size());
  return hash.finish();
}

}  // namespace polycodec
