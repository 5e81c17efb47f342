// SPDX-License-Identifier: MIT
// A file as a sink, which is written while an encoder works.
#pragma once

#include "core/io/sink.hpp"

#include <string>

namespace polycodec {

/// A sink whose bytes become the whole content of a file, as those of write_file(). Long text goes
/// to the file while it is made, so that it takes little memory; references go there at finish().
/// The file appears then, and without finish() nothing remains. Where the target is written to
/// directly, or there are many references in little text, all is kept until finish().
class FileSink final : public Sink {
 public:
  explicit FileSink(const std::string& path, const WriteOptions& options = {},
                    std::uint64_t max_bytes = UINT64_MAX);

  /// Writes the rest and puts the file in place. To be called once, after encoding. Throws
  /// Status::io.
  void finish();
};

}  // namespace polycodec
