// SPDX-License-Identifier: MIT
// An open file of this process.
#pragma once

#include <unistd.h>

namespace polycodec::page {

/// Owns a descriptor; negative: none.
class OpenedFile {
 public:
  explicit OpenedFile(int fd) noexcept : fd_(fd) {}
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;
  ~OpenedFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const noexcept { return fd_; }
  explicit operator bool() const noexcept { return fd_ >= 0; }

 private:
  int fd_;
};

}  // namespace polycodec::page
