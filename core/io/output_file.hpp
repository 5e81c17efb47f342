// SPDX-License-Identifier: MIT
// A file in the making as plugins write it.
#pragma once

#include <polycodec/abi.h>

#include "core/io/atomic_file.hpp"
#include "core/io/sink.hpp"

#include <filesystem>

namespace polycodec {

/// An AtomicFile with the table that plugins get. Not movable: they hold its address.
class OutputFile {
 public:
  /// Empty, or with the content of the file at `path` if `copy`. Throws Status::io, also for what
  /// cannot be sought in.
  OutputFile(const std::filesystem::path& path, const WriteOptions& options, bool copy);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  polycodec_output_file* abi() noexcept { return &abi_; }
  /// See AtomicFile::commit().
  void commit() { file_.commit(); }

 private:
  struct Thunks;
  void copy_from(const std::filesystem::path& path);

  AtomicFile file_;
  polycodec_file read_{};
  polycodec_output_file abi_{};
};

}  // namespace polycodec
