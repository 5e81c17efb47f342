// SPDX-License-Identifier: MIT
// Writing files so that nobody ever sees half of one.
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/sink.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace polycodec {

/// How a file is replaced.
struct WriteOptions {
  bool overwrite = true;  ///< false: an existing file is an error (Status::io)
  bool sync = false;      ///< true: wait until the content and the name are on the disk (fsync)
};

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

/// Writes `segments` as the whole content of the file `path`, or leaves what was there; see
/// AtomicFile.
POLYCODEC_API void write_file(const std::string& path, std::span<const Segment> segments,
                              const WriteOptions& options = {});
/// Likewise with bytes in one piece.
POLYCODEC_API void write_file(const std::string& path, std::string_view bytes,
                              const WriteOptions& options = {});

/// Writes `segments` to an open descriptor, such as standard output (1), as many at a time as the
/// system takes. Waits where a non-blocking descriptor is not ready. `name` is for messages. A
/// reader that has gone away is an error only if the program ignores SIGPIPE.
POLYCODEC_API void write_descriptor(int fd, std::span<const Segment> segments,
                                    std::string_view name);

}  // namespace polycodec
