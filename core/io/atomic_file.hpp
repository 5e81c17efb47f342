// SPDX-License-Identifier: MIT
// A file that appears when it is complete.
#pragma once

#include <polycodec/sink.hpp>

#include <span>
#include <string>

namespace polycodec {

/// A file in the making: bytes go to a temporary file in the same directory, which takes the
/// target's name at commit(). Without a commit the destructor removes it and the target is
/// untouched. A target that exists keeps its permission bits, and a symbolic link keeps being one:
/// the file that it points to is replaced. A target that exists and is no regular file (a pipe,
/// /dev/null) is written to directly. For one thread. All errors are Status::io with the system's
/// reason.
class POLYCODEC_API AtomicFile {
 public:
  /// Opens the temporary file. Throws if the directory is missing or not writable, or if `path`
  /// names a directory.
  explicit AtomicFile(const std::string& path, const WriteOptions& options = {});
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends the segments in order.
  void write(std::span<const Segment> segments);
  /// Puts the file in place. To be called once, as the last thing.
  void commit();

  /// The open descriptor, for libraries that write and seek themselves. Owned by this object.
  int descriptor() const noexcept { return fd_; }
  /// False if the target is written to directly and so cannot be sought in.
  bool is_seekable() const noexcept { return !temporary_.empty(); }

 private:
  // `temporary_` is empty if the target is written to directly.
  std::string target_, temporary_;
  WriteOptions options_;
  int fd_ = -1;
};

}  // namespace polycodec
