// SPDX-License-Identifier: MIT
// The manifests of a directory as an earlier process has read them.
#pragma once

#include <polycodec/value.hpp>

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace polycodec {

/// What tells one state of a file from all others.
struct FileStamp {
  std::uint64_t device = 0, inode = 0, size = 0;
  std::int64_t modified = 0, changed = 0;  // nanoseconds

  explicit FileStamp(const struct stat& status) noexcept;
  FileStamp() = default;
  bool operator==(const FileStamp&) const = default;
};

/// Checked manifests of one directory, in a file of this user alone. It spares opening, parsing and
/// checking; whether a file may be used, and what the policy says, is asked without it. A cache
/// that is damaged, of another version, or not surely this user's is like none, and is replaced.
/// For one thread; a file is only ever replaced as a whole.
class ManifestCache {
 public:
  /// With fewer manifests than this, reading them takes less than a cache is worth.
  static constexpr std::size_t least_manifests = 64;

  /// The file in the directory that the environment names (POLYCODEC_CACHE_DIR, XDG_CACHE_HOME,
  /// HOME) for the manifests in `directory`; empty: none is to be used.
  static std::string path_for(const std::filesystem::path& directory);
  /// Reads the file. `path` may be empty.
  explicit ManifestCache(std::string path, const std::filesystem::path& directory);

  /// The manifest of a file in this state, as a document; nothing if it is not known.
  std::optional<Value> find(const std::string& name, const FileStamp& stamp);
  /// The manifest of this file was read and checked.
  void add(const std::string& name, const FileStamp& stamp, std::shared_ptr<const Value> document);
  /// Replaces the file if more is known than it has. Without success, nothing is lost.
  void write() const noexcept;

 private:
  struct Entry {
    FileStamp stamp;
    NodeView document;
    std::shared_ptr<const Value> owner;
  };
  void read(const std::string& path);
  Value whole() const;

  std::string path_, directory_;
  std::unordered_map<std::string, Entry> known_;
  std::vector<std::string> used_;  // of known_, which then are all that is written
  std::size_t added_ = 0;
};

}  // namespace polycodec
