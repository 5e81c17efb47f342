// SPDX-License-Identifier: MIT
#include "core/io/file_lock.hpp"

#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/io/posix_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>
#include <thread>

namespace polycodec {

namespace {

using Clock = std::chrono::steady_clock;

/// A descriptor of a file or directory, or none if nothing is there.
posix::Descriptor open_to_lock(const std::filesystem::path& path) {
  constexpr int flags = O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  // Network file systems lock only what may be written.
  posix::Descriptor file(::open(path.c_str(), flags | O_RDWR));
  if (!file) file = posix::Descriptor(::open(path.c_str(), flags | O_RDONLY));
  if (!file && errno != ENOENT && errno != ENXIO) posix::throw_errno("open", path.native());
  return file;
}

/// Polls, because flock() has no time-out. False: the file system has no locks.
bool lock(int fd, const std::filesystem::path& path, std::uint32_t seconds, Clock::time_point end) {
  auto pause = std::chrono::milliseconds(1);
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return false;
    if (Clock::now() >= end)
      throw Error(Status::io, "cannot change " + quote_path(path.native()) +
                                  ": another program has held its lock for " +
                                  std::to_string(seconds) + " s; try again when it has finished")
          .detail("store.locked");
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::milliseconds(20));
  }
  return true;
}

}  // namespace

std::shared_ptr<const void> lock_path(const std::filesystem::path& path, std::uint32_t seconds) {
  const Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
  for (;;) {
    struct stat before {};
    const bool exists = ::stat(path.c_str(), &before) == 0;
    if (exists && !S_ISREG(before.st_mode) && !S_ISDIR(before.st_mode)) return nullptr;
    auto parent = (path.has_filename() ? path : path.parent_path()).parent_path();
    if (parent.empty()) parent = ".";
    const auto& locked = exists ? path : parent;
    auto held = std::make_shared<posix::Descriptor>(open_to_lock(locked));
    if (!*held && exists) continue;  // it has gone meanwhile
    if (!*held) return nullptr;      // whoever creates the file says what is wrong
    if (!lock(held->get(), path, seconds, end)) return nullptr;
    // Whoever held the lock may have put another file in its place, or the first one.
    struct stat mine {
    }, now{};
    if (::fstat(held->get(), &mine) != 0) posix::throw_errno("examine", locked.native());
    const bool there = ::stat(path.c_str(), &now) == 0;
    if (there ? exists && now.st_ino == mine.st_ino && now.st_dev == mine.st_dev : !exists)
      return held;
  }
}

}  // namespace polycodec
