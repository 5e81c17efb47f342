// SPDX-License-Identifier: MIT
// The files of a conversion of many: those that are named, and those in directories.
#pragma once

#include "common/descriptor.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::cli {

/// A file to convert.
struct InputFile {
  std::string path;  ///< to open it by
  std::string name;  ///< below the directory that was searched, with slashes; of a named file, its
                     ///< last part
  bool is_found = false;     ///< a directory was searched for it; nobody named it
  std::string problem = {};  ///< why it is not read; or empty
  /// Of a file that was found: the directory that was searched, and the path below it without
  /// links. Who can write there may have put a link into its place since.
  std::shared_ptr<const Descriptor> top = {};
  std::string below = {};
};

/// Where files are searched, and which.
struct FileSearch {
  bool is_recursive = false;         ///< search the directories among the inputs
  std::vector<std::string> include;  ///< patterns of names; none: all. See fnmatch(3)
  std::vector<std::string> exclude;  ///< patterns of names that are left out
  std::vector<std::string> outputs;  ///< files and directories that are not inputs
};

/// The files of `inputs`, in the order of their names below each directory. Hidden files are left
/// out, and so are links to directories. A link to a file that is not below the same directory has
/// a problem, and so has one that leads nowhere: who can write into a directory may not choose what
/// else is read. Throws Status::io for a directory that cannot be read, and
/// Status::option for standard input.
std::vector<InputFile> list_files(const std::vector<std::string>& inputs, const FileSearch& search);

/// Opens a file that was found, over no link. Throws Status::denied for one that has been put there
/// since, and Status::io.
Descriptor open_found(const InputFile& file);

/// A part of the files: those whose names hash to it.
struct Shard {
  std::uint32_t number = 1;  ///< 1 to `count`
  std::uint32_t count = 1;
  /// True if a file of this name belongs to the part. The first 8 bytes of the name's SHA-256
  /// digest, as a big-endian number, modulo `count`, are the part's number less one.
  bool contains(std::string_view name) const;
};

/// Reads `I/N`, such as "3/16". Throws Status::option.
Shard parse_shard(std::string_view text);

}  // namespace polycodec::cli
