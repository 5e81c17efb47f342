// SPDX-License-Identifier: MIT
// Who could have put a file where it is: owners and permissions of files and of the directories
// above them.
#pragma once

#include "registry/load/plugins.hpp"

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace polycodec {

/// A descriptor that is closed with its owner, unless it is released.
class FileHandle {
 public:
  FileHandle() = default;
  explicit FileHandle(int fd) noexcept : fd_(fd) {}
  FileHandle(FileHandle&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileHandle();
  int get() const noexcept { return fd_; }
  int release() noexcept { return std::exchange(fd_, -1); }
  bool is_open() const noexcept { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

/// Checks files and directories: each must belong to root, the effective user or one of the trusted
/// owners, and nobody else may be able to replace it.
class PathTrust {
 public:
  explicit PathTrust(std::vector<std::uint32_t> trusted_owners);

  /// Why `directory` (canonical: absolute, without symbolic links) or one of those above it is not
  /// to be trusted; empty if all are. A directory that all may write to passes only with the sticky
  /// bit.
  std::string directory_problem(const std::filesystem::path& directory) const;

  /// Opens `directory / name` for reading. `directory` is canonical. Symbolic links are followed,
  /// but the file must lie inside the directory and be regular, owned as above, and not writable by
  /// others, or by a group other than the owner's private one (which is what a umask of 002 is
  /// for). `path` becomes the file's canonical path. If it may not be used, the handle is not open
  /// and `problem` says why.
  FileHandle open(const std::filesystem::path& directory, const std::string& name,
                  std::filesystem::path& path, std::string& problem) const;
  bool trusts(std::uint32_t owner) const noexcept;

 private:
  /// Why a file in this state may not be used; empty if it may.
  std::string file_problem(const struct ::stat& status) const;

  std::vector<std::uint32_t> owners_;
};

/// The users, in order and each once, who own `path` or a directory above it and whom `policy` does
/// not trust yet.
std::vector<std::uint32_t> untrusted_owners(const Policy& policy,
                                            const std::filesystem::path& path);

/// The names in a directory, in order. `problem` becomes why they cannot be listed. Throws
/// std::bad_alloc, which ends the process in std::filesystem::directory_iterator.
std::vector<std::string> names_in(const std::filesystem::path& directory, std::string& problem);

}  // namespace polycodec
