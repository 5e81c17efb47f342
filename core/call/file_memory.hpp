// SPDX-License-Identifier: MIT
// Memory that lies in a file, for values that are larger than the memory of the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace polycodec {

/// Memory of a file without a name in $TMPDIR, or else in /var/tmp: the system writes it there when
/// it needs the room, and reads it again. Room on the disk is taken first, so that a full disk is
/// no signal later. The file is closed when nobody has memory of it. A process that forks keeps
/// what both processes see, and begins another file. [thread-safe]
class FileMemory {
 public:
  /// That of the process. Never destroyed: values may die in static destructors.
  static FileMemory& instance() noexcept;

  /// `size` bytes at 4096; null, and errno, if the disk has no room for them.
  std::uint8_t* take(std::uint64_t size) noexcept;
  /// Gives back what take() gave.
  void give(std::uint8_t* data) noexcept;
  /// Bytes that are mapped.
  std::uint64_t held_bytes() noexcept;

 private:
  /// A part of the file that is mapped, from which memory is taken until it is full.
  struct Slab {
    std::uint64_t size, offset;
    std::uint64_t file;     // which file it is of
    std::uint64_t used;     // bytes from the front that were taken
    std::uint64_t holders;  // how many were taken and not given back
  };
  using Slabs = std::map<std::uint8_t*, Slab>;

  FileMemory() noexcept;
  bool open();
  void close() noexcept;
  Slabs::iterator map_slab(std::uint64_t size);
  void unmap(Slabs::iterator slab) noexcept;
  /// Lets the process have none of the pages; whoever needs them gets them from the file.
  void release_pages() noexcept;

  std::mutex mutex_;
  int file_ = -1;
  std::uint64_t number_ = 0;  // of the file
  std::uint64_t end_ = 0;     // of the file
  std::uint64_t held_ = 0;    // bytes of slabs
  std::uint64_t since_release_ = 0;
  Slabs slabs_;
  Slabs::iterator current_ = slabs_.end();
};

}  // namespace polycodec
