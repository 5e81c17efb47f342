// SPDX-License-Identifier: MIT
// Where a file or directory is written. Private to core.
#pragma once

#include "core/io/posix_file.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <string>

namespace polycodec::posix {

/// The path of a file or directory in the making. Below a root (WriteOptions::root) its directory
/// is held open, so that what others do to the names above it has no effect.
class Place {
 public:
  /// Makes missing directories between `root` and `path`. No root: the path as it is. Throws
  /// Status::invalid for a path that is not below the root, Status::denied for a symbolic link or a
  /// file between them, and Status::io.
  Place(const std::filesystem::path& path, const std::string& root);

  /// What system calls take.
  const std::filesystem::path& path() const noexcept { return path_; }
  /// What the caller called it, for messages.
  const std::string& name() const noexcept { return name_; }
  bool has_root() const noexcept { return static_cast<bool>(directory_); }

  /// What is there now; false: nothing. Below a root a symbolic link, a pipe and a device are
  /// Status::denied; otherwise links are followed. Throws Status::io.
  bool examine(struct stat& status) const;
  /// Puts what the path leads to in its place, over all symbolic links; nothing below a root.
  void resolve();

 private:
  std::filesystem::path path_;
  std::string name_;
  Descriptor directory_;
};

}  // namespace polycodec::posix
