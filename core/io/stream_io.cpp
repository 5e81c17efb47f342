// SPDX-License-Identifier: MIT
#include "core/io/stream_io.hpp"

#include "core/io/posix_file.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace polycodec {

std::size_t read_some(int fd, std::span<char> window, std::string_view name) {
  for (;;) {
    const ssize_t got =
        ::read(fd, window.data(), std::min<std::size_t>(window.size(), std::size_t{1} << 30));
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) posix::throw_errno("read", name);
    pollfd ready{fd, POLLIN, 0};
    if (::poll(&ready, 1, -1) < 0 && errno != EINTR) posix::throw_errno("wait for", name);
  }
}

bool is_readable_now(int fd) noexcept {
  pollfd ready{fd, POLLIN, 0};
  return ::poll(&ready, 1, 0) > 0;
}

}  // namespace polycodec
