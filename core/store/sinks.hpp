// SPDX-License-Identifier: MIT
// Directories and ZIP archives as sinks of blobs.
#pragma once

#include "core/io/sink.hpp"

#include <filesystem>
#include <memory>

namespace polycodec {

/// A directory with one file for each blob, and deeper directories for names with '/'. All files
/// are written to a temporary directory beside it, which takes its name at finish(). If the
/// directory exists already, the files are moved into it one by one; other files in it stay, and an
/// existing file is replaced or, without options.overwrite, an error (Status::io) before anything
/// is moved. A change replaces and removes what was removed. Symbolic links below the directory
/// are not followed.
class DirectorySink final : public BlobSink {
 public:
  /// Throws Status::io if the directory above is missing or not writable, or `path` is no
  /// directory.
  explicit DirectorySink(const std::filesystem::path& path, const WriteOptions& options = {},
                         std::uint64_t max_bytes = UINT64_MAX,
                         std::shared_ptr<BlobStore> base = nullptr);

 private:
  class State;
};

/// A ZIP archive of stored members, whose content a reader can view in place. The same blobs always
/// give the same bytes: times are fixed.
class ZipSink final : public BlobSink {
 public:
  explicit ZipSink(const std::filesystem::path& path, const WriteOptions& options = {},
                   std::uint64_t max_bytes = UINT64_MAX, std::shared_ptr<BlobStore> base = nullptr);

 private:
  class State;
};

}  // namespace polycodec
