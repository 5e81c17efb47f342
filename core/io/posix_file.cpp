// SPDX-License-Identifier: MIT
#include "core/io/posix_file.hpp"

#include <base/hex.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/io/mapped_file.hpp"
#include "core/io/mapping_guard.hpp"
#include "core/io/random_bytes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

namespace polycodec::posix {

namespace {

constexpr std::uint64_t map_from = std::uint64_t{64}
                                   << 10;  // below, reading beats page faults and costs no mapping

[[noreturn]] void throw_too_large(std::string_view name, std::uint64_t limit, const char* which) {
  throw Error(Status::limit, quote_path(name) + " has more bytes than " + which + " (" +
                                 std::to_string(limit) + ")");
}

std::string read_to_end(int fd, std::string_view name, std::uint64_t expected,
                        const Limits& limits) {
  const std::uint64_t memory = limits.memory_for(UINT64_MAX);
  const bool input_is_less = limits.max_input_bytes <= memory;
  const std::uint64_t limit = input_is_less ? limits.max_input_bytes : memory;
  const char* which = input_is_less ? "max_input_bytes" : "max_memory_bytes";
  if (expected > limit) throw_too_large(name, limit, which);
  const std::uint64_t most = limit == UINT64_MAX ? limit : limit + 1;
  std::string all;
  // One byte more than expected, so that the end is seen without growing.
  all.resize(static_cast<std::size_t>(std::max<std::uint64_t>(expected + 1, 4096)));
  std::size_t used = 0;
  for (;;) {
    if (used == all.size())
      all.resize(static_cast<std::size_t>(std::min<std::uint64_t>(all.size() * 2, most)));
    const ssize_t got = ::read(fd, all.data() + used,
                               std::min<std::size_t>(all.size() - used, std::size_t{1} << 30));
    if (got < 0) {
      if (errno == EINTR) continue;
      throw_errno("read", name);
    }
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    if (used > limit) throw_too_large(name, limit, which);
    // A file that has just what its system says needs no second call.
    if (used == expected) break;
  }
  all.resize(used);
  return all;
}

/// True if a mapping of the file can't be changed by other users: they could change a process of
/// this user as well.
bool is_stable(int fd, const struct stat& status) {
  const int seals = ::fcntl(fd, F_GET_SEALS);
  if (seals >= 0 && (seals & F_SEAL_WRITE) != 0 && (seals & F_SEAL_SHRINK) != 0) return true;
  struct statvfs mount;
  if (::fstatvfs(fd, &mount) == 0 && (mount.f_flag & ST_RDONLY) != 0) return true;
  return (status.st_uid == ::geteuid() || status.st_uid == 0) &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Throws that the file cannot be opened.
[[noreturn]] void throw_unopened(const std::filesystem::path& path) {
  const bool is_address = errno == ENOENT && path.native().find("://") != std::string::npos;
  throw_errno("open", path.native(), errno,
              is_address ? ": this is an address, not a file: download it first" : "");
}

}  // namespace

void throw_errno(std::string_view what, std::string_view name, int error, std::string_view advice) {
  throw Error(Status::io, "cannot " + std::string(what) + " " + quote_path(name) + ": " +
                              std::generic_category().message(error) + std::string(advice));
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = other.release();
  }
  return *this;
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

Content::~Content() {
  if (mapping_ == nullptr) return;
  end_guard(mapping_);
  ::munmap(mapping_, bytes_.size());
}

int append_rest(int fd, std::string& text, std::uint64_t most, std::size_t step) {
  while (text.size() <= most) {
    const std::size_t used = text.size();
    text.resize(used + step);
    const ssize_t got = ::read(fd, text.data() + used, step);
    const int error = errno;
    text.resize(used + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && error != EINTR) return error;
    if (got == 0) break;
  }
  return 0;
}

std::unique_ptr<const Content> load(int fd, std::string_view name, const Limits& limits,
                                    FileAccess access) {
  struct stat status;
  if (::fstat(fd, &status) != 0) throw_errno("examine", name);
  if (S_ISDIR(status.st_mode)) throw_errno("read", name, EISDIR);
  auto content = std::make_unique<Content>();
  if (S_ISREG(status.st_mode)) {
    const std::uint64_t words[] = {
        file_number(status), static_cast<std::uint64_t>(status.st_mtim.tv_sec) * 1'000'000'000 +
                                 static_cast<std::uint64_t>(status.st_mtim.tv_nsec) +
                                 static_cast<std::uint64_t>(status.st_size)};
    std::memcpy(content->identity_.data(), words, sizeof words);
  }
  // Some file systems report size 0 for files that have content, so small regular files are read to
  // their end too.
  const std::uint64_t size =
      S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  if (size > limits.max_input_bytes)
    throw_too_large(name, limits.max_input_bytes, "max_input_bytes");
  if (access != FileAccess::read && size > map_from && size <= SIZE_MAX) {
    void* mapping =
        ::mmap(common_place(size), static_cast<std::size_t>(size), PROT_READ, MAP_PRIVATE, fd, 0);
    if (mapping == MAP_FAILED) {
      if (errno != ENODEV && errno != EACCES)
        throw_errno("map", name);  // otherwise: not mappable here, so read it
    } else {
      content->mapping_ = mapping;
      content->name_ = name;
      content->bytes_ = {static_cast<const char*>(mapping), static_cast<std::size_t>(size)};
      content->physical_ = std::min(size, static_cast<std::uint64_t>(status.st_blocks) * 512);
      content->stable_ = access == FileAccess::map_stable || is_stable(fd, status);
      if (begin_guard(mapping, static_cast<std::size_t>(size), content->name_, fd)) return content;
      ::munmap(std::exchange(content->mapping_, nullptr), static_cast<std::size_t>(size));
      content->stable_ = true;
    }
  }
  content->memory_ = read_to_end(fd, name, size, limits);
  content->bytes_ = content->memory_;
  content->physical_ = content->bytes_.size();
  return content;
}

std::filesystem::path name_in_proc(int fd) {
  return "/proc/self/fd/" + std::to_string(fd);
}

bool can_name(int fd) {
  static std::atomic<bool> is_known{false};
  if (is_known.load(std::memory_order_relaxed)) return true;
  struct stat made {};
  struct stat named {};
  if (::fstat(fd, &made) != 0 || ::stat(name_in_proc(fd).c_str(), &named) != 0 ||
      made.st_ino != named.st_ino)
    return false;
  is_known.store(true, std::memory_order_relaxed);
  return true;
}

std::filesystem::path temporary_name(const std::filesystem::path& directory) {
  std::array<std::uint8_t, 8> random;
  random_bytes(random);
  std::string leaf = ".polycodec-";
  for (const std::uint8_t byte : random) append_hex(leaf, byte, 2);
  return directory / (leaf + ".tmp");
}

std::filesystem::path canonical(const std::filesystem::path& path, std::error_code& error) {
  std::filesystem::path result = std::filesystem::canonical(path, error);
  if (error == std::errc::not_enough_memory) throw std::bad_alloc();
  return result;
}

void sync_directory(const std::filesystem::path& directory, std::string_view name) {
  const Descriptor open(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!open || ::fsync(open.get()) != 0) throw_errno("flush the directory of", name);
}

Descriptor open_for_reading(const std::filesystem::path& path) {
  int fd;
  do {
    fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) throw_unopened(path);
  return Descriptor(fd);
}

Descriptor open_below(int root, std::string_view name, int& error) {
  Descriptor directory;
  for (std::size_t at = 0;;) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    const std::string part(name.substr(at, end - at));
    const bool last = end == name.size();
    // O_NONBLOCK: opening a pipe that somebody has put there must not wait; regular files ignore
    // it.
    const int flags =
        O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | (last ? 0 : O_DIRECTORY);
    int fd;
    do {
      fd = ::openat(directory ? directory.get() : root, part.c_str(), flags);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0) {
      error = errno;
      return Descriptor();
    }
    directory = Descriptor(fd);
    if (last) return directory;
    at = end + 1;
  }
}

Descriptor open_regular(const std::filesystem::path& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  struct stat status;
  if (!file) throw_unopened(path);
  if (::fstat(file.get(), &status) != 0) throw_errno("examine", path.native());
  if (S_ISDIR(status.st_mode)) throw_errno("read", path.native(), EISDIR);
  if (!S_ISREG(status.st_mode))
    throw Error(Status::io, "cannot read " + quote_path(path.native()) +
                                ": it is a pipe or a device; name a regular file");
  return file;
}

}  // namespace polycodec::posix
