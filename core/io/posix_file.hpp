// SPDX-License-Identifier: MIT
// Descriptors, and the content of files in memory. Private to core
// and registry.
#pragma once

#include "core/call/limits.hpp"
#include "core/io/source.hpp"

#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace polycodec::posix {

/// Throws Status::io: "cannot <what> '<name>': <text of error>".
[[noreturn]] void throw_errno(std::string_view what, std::string_view name, int error = errno,
                              std::string_view advice = {});

/// Owns a descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) noexcept : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();
  int get() const noexcept { return fd_; }
  explicit operator bool() const noexcept { return fd_ >= 0; }
  int release() noexcept {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }

 private:
  int fd_;
};

/// The content of a file. Either a mapping or memory of its own; immovable so that bytes() stays
/// put.
class Content {
 public:
  Content() = default;
  Content(const Content&) = delete;
  Content& operator=(const Content&) = delete;
  ~Content();
  std::string_view bytes() const noexcept { return bytes_; }
  bool is_mapped() const noexcept { return mapping_ != nullptr; }
  /// True if nobody but this user and root can change the bytes.
  bool is_stable() const noexcept { return stable_; }
  /// Bytes on the disk: less than the size for a file with holes.
  std::uint64_t physical_bytes() const noexcept { return physical_; }
  /// The file and its version; zeros: unknown.
  const std::array<std::uint8_t, 16>& identity() const noexcept { return identity_; }

 private:
  friend std::unique_ptr<const Content> load(int fd, std::string_view name, const Limits& limits,
                                             FileAccess access);
  std::string memory_;
  std::string name_;  // of a mapping that is guarded
  void* mapping_ = nullptr;
  std::string_view bytes_;
  std::array<std::uint8_t, 16> identity_{};
  std::uint64_t physical_ = 0;
  bool stable_ = true;
};

/// Reads or maps what `fd` has from its current position on (mapping: from its start); `fd` may be
/// closed afterwards.
std::unique_ptr<const Content> load(int fd, std::string_view name, const Limits& limits,
                                    FileAccess access);

/// Appends what `fd` has from its current position on to `text`; stops behind `most` bytes in all.
/// `step`: bytes of a call. Returns an errno, or 0.
int append_rest(int fd, std::string& text, std::uint64_t most = UINT64_MAX,
                std::size_t step = 16384);

/// Which file it is: the first half of Content::identity().
inline std::uint64_t file_number(const struct stat& status) noexcept {
  return status.st_ino ^ (static_cast<std::uint64_t>(status.st_dev) << 48);
}

/// The name that the system has for what an open descriptor refers to.
std::filesystem::path name_in_proc(int fd);
/// True if the system lets this process name files by their descriptors: looked at until it does.
bool can_name(int fd);

/// A name in `directory` that nothing has, so far: hidden, and not to be guessed.
std::filesystem::path temporary_name(const std::filesystem::path& directory);

/// The path without links, "." and ".."; `error` says why there is none. A lack of memory is
/// std::bad_alloc: it must not pass for a missing file.
std::filesystem::path canonical(const std::filesystem::path& path, std::error_code& error);

/// Waits until the names in a directory are on the disk. `name` is for messages.
void sync_directory(const std::filesystem::path& directory, std::string_view name);

/// Opens a file for reading.
Descriptor open_for_reading(const std::filesystem::path& path);
/// The same for a regular file, also through links; of anything else it waits for nothing and
/// throws Status::io.
Descriptor open_regular(const std::filesystem::path& path);
/// Opens `name` below the directory `root` for reading, one part after another. Follows no symbolic
/// link and waits for no pipe. On failure: no descriptor, and `error` says why (ELOOP, ENOTDIR: a
/// link or a file on the way).
Descriptor open_below(int root, std::string_view name, int& error);

}  // namespace polycodec::posix
