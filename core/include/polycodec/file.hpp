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

/// Writes `segments` as the whole content of the file `path`, or leaves what was there: a temporary
/// file takes its name. A file that exists keeps its permissions, a symbolic link stays one, and a
/// pipe or device is written to directly. Throws Status::io with the reason of the system.
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
