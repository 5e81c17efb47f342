// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace polycodec {

/// The SHA-256 digest of all of an open file as 64 lower-case hex digits. Throws Error(Status::io).
std::string sha256_of_file(int fd);

}  // namespace polycodec
