// SPDX-License-Identifier: MIT
// A file that appears when it is complete.
#pragma once

#include "core/io/place.hpp"
#include "core/io/sink.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace polycodec {

/// A file in the making: bytes go to a file without a name in the same directory, or, where the
/// file system has none, to a temporary file. It takes the target's name at commit(). Without a
/// commit nothing remains and the target is untouched. A temporary file that a dead writer left is
/// removed by the next writer that replaces the same target, or has a temporary file itself. A
/// target that exists keeps its permission bits, and a symbolic link keeps being one: the file that
/// it points to is replaced. A target that exists and is not a regular file (a pipe, /dev/null) is
/// written to directly; below WriteOptions::root both are Status::denied. For one thread. All other
/// errors are Status::io with the system's reason.
class AtomicFile {
 public:
  /// Opens the temporary file. Throws if the directory is missing or not writable, or if `path`
  /// names a directory.
  /// `may_be_unnamed`: false for tests of file systems without unnamed files.
  explicit AtomicFile(const std::string& path, const WriteOptions& options = {},
                      bool may_be_unnamed = true);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends the segments in order.
  void write(std::span<const Segment> segments);
  /// The next write() begins at this byte of the file, which is_seekable(). Gaps are zeros.
  void seek(std::uint64_t offset);
  /// Puts the file in place. To be called once, as the last thing.
  void commit();

  /// The open descriptor, for libraries that write and seek themselves. Owned by this object.
  int descriptor() const noexcept { return fd_; }
  /// False if the target is written to directly and so cannot be sought in.
  bool is_seekable() const noexcept { return !is_direct_; }

 private:
  void put_in_place();
  /// Lets the system write what the file has to the disk, where commit() would wait for that: when
  /// a file is replaced, ext4 does, so that the new one is there after a crash.
  void start_writeback() noexcept;

  posix::Place place_;
  std::string temporary_;  // empty while the file has no name
  WriteOptions options_;
  bool is_direct_ = true;  // the target is written to directly
  bool is_new_ = false;    // the target did not exist
  int fd_ = -1;
  std::uint64_t written_ = 0,
                started_ = 0;  // bytes in the file, and bytes on their way to the disk
};

}  // namespace polycodec
