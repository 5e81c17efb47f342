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
  static std::shared_ptr<const MappedFile> keep(int fd, polycodec_bytes bytes);
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

 private:
  MappedFile(Descriptor file, polycodec_bytes bytes) noexcept
      : file_(std::move(file)), bytes_(bytes) {}
  Descriptor file_;
  polycodec_bytes bytes_;
};

}  // namespace polycodec::posix
