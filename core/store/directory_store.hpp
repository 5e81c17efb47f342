// SPDX-License-Identifier: MIT
// A directory as a store of blobs.
#pragma once

#include "core/io/source.hpp"

#include <filesystem>
#include <memory>

namespace polycodec {

/// The regular files below a directory. Symbolic links are neither listed nor followed, in no part
/// of a name, so that nothing outside the directory can be read; other special files likewise.
/// Files whose names are unsafe are not listed.
class DirectoryStore final : public BlobStore {
 public:
  /// Lists the directory, deeper directories included. `path` itself may be a symbolic link. Files
  /// are mapped or read as `access` says, at first use. Throws Status::io, and Status::limit if
  /// there are more than `max_entries` files or directories, more nesting than limits.max_depth, or
  /// (when read) more bytes than limits.max_input_bytes.
  explicit DirectoryStore(const std::filesystem::path& path, const Limits& limits = {},
                          FileAccess access = FileAccess::map,
                          std::uint64_t max_entries = 1u << 20);

  /// The files beside another one: nothing is listed (it may be anybody's home directory), files
  /// are found by name only, and names with a part that begins with '.' are refused.
  static std::shared_ptr<DirectoryStore> companions(const std::filesystem::path& directory,
                                                    const Limits& limits = {},
                                                    FileAccess access = FileAccess::map);

  /// True if the file of this name in the directory, or what a link of this name leads to, is that
  /// of a source; also if nobody knows whether it is.
  bool has_file_of(const polycodec_input& source, const std::filesystem::path& name) const noexcept;

 private:
  class State;
  explicit DirectoryStore(std::unique_ptr<State> state) noexcept;
};

}  // namespace polycodec
