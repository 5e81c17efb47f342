// SPDX-License-Identifier: MIT
// Owns an open descriptor.
#pragma once

#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace polycodec::cli {

/// Throws Status::io: "cannot <what> '<path>': <text of error>".
[[noreturn]] inline void throw_errno(const std::string& what, const std::string& path,
                                     int error = errno) {
  throw Error(Status::io, "cannot " + what + " " + quote_path(path) + ": " +
                              std::generic_category().message(error));
}

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) noexcept : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const noexcept { return fd_; }
  explicit operator bool() const noexcept { return fd_ >= 0; }

 private:
  int fd_;
};

}  // namespace polycodec::cli
