// SPDX-License-Identifier: MIT
// Files that another process of ours can map where this one has them, so that nothing is copied.
#pragma once

#include <polycodec/abi.h>

#include "core/io/posix_file.hpp"

#include <cstdint>
#include <memory>

namespace polycodec::posix {

/// Returns an address for a new mapping of `size` bytes that is most likely free in other processes
/// as well: far from where the system puts things. A hint for mmap(), or null. Throws Status::io if
/// there are no random numbers. [thread-safe]
void* common_place(std::uint64_t size);

/// A mapped file with a descriptor that nobody else uses and nobody can write through.
class MappedFile {
 public:
  /// Opens the file of `fd` once more, all of which is mapped at `bytes`. Null if the system
  /// refuses, or if there are so many that their descriptors could be missed. [thread-safe]
  /// `is_stable`: nobody but this user and root can change the file.
  static std::shared_ptr<const MappedFile> keep(int fd, polycodec_bytes bytes, bool is_stable);
  /// Returns the file that is mapped at exactly these bytes, or null. [thread-safe]
  static std::shared_ptr<const MappedFile> find(polycodec_bytes bytes) noexcept;
  /// Returns that of the file of a source; null for others and for null.
  static std::shared_ptr<const MappedFile> find(const polycodec_file* file) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  int descriptor() const noexcept { return file_.get(); }
  /// Throws Status::io if the file of this input is mapped and has been cut short since: what was
  /// read of it may be zeros.
  static void check(const polycodec_input& input);
  /// Mapped as long as the source whose file it is.
  polycodec_bytes bytes() const noexcept { return bytes_; }
  /// Maps the file of these bytes a second time, in place of memory at `at`, both of pages of 4,096
  /// bytes. What is written there stays there. False, and nothing has changed: they are not all of
  /// a stable file, or the system refuses. Throws std::bad_alloc: the memory is lost. [thread-safe]
  static bool map_again(polycodec_bytes bytes, void* at);
  /// Puts memory of zeros there, before the first mapping ends. False: the system has none, and
  /// nobody may use what is there.
  static bool end_again(void* at, std::size_t size) noexcept;

 private:
  MappedFile(Descriptor file, polycodec_bytes bytes, bool is_stable) noexcept
      : file_(std::move(file)), bytes_(bytes), is_stable_(is_stable) {}
  Descriptor file_;
  polycodec_bytes bytes_;
  bool is_stable_;
};

}  // namespace polycodec::posix
