// SPDX-License-Identifier: MIT
#include "core/io/process.hpp"

#include <sys/auxv.h>

#include <cstdlib>

namespace polycodec {

bool is_privileged() noexcept {
  return ::getauxval(AT_SECURE) != 0;
}

const char* trusted_environment(const char* name) {
  return is_privileged() ? nullptr : ::secure_getenv(name);
}

}  // namespace polycodec
