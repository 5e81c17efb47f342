// SPDX-License-Identifier: MIT
// Memory that the host and the workers of isolated plugins have at the same addresses.
#pragma once

#include "registry/load/path_check.hpp"

#include <cstdint>
#include <map>
#include <mutex>

namespace polycodec::isolation {

/// A part of the address space that this process keeps free for segments, so that the sandbox can
/// have them where the host does. [thread-safe]
class Window {
 public:
  /// The window of this process, which is reserved when first wanted and never given back. Throws
  /// Status::memory.
  static Window& instance();
  /// Reserves the same part in a sandbox. False if something is there.
  static bool reserve_at(std::uint64_t base, std::uint64_t size) noexcept;

  std::uint64_t base() const noexcept { return base_; }
  std::uint64_t size() const noexcept { return size_; }

  /// Takes a range, a multiple of the page size. Throws Status::memory.
  std::uint64_t take(std::uint64_t size);
  /// Unmaps and gives back a range or a part of one.
  void give(std::uint64_t begin, std::uint64_t size) noexcept;

 private:
  Window();
  std::uint64_t base_ = 0, size_ = 0;
  std::mutex mutex_;
  std::map<std::uint64_t, std::uint64_t> free_;  // begin -> size
};

/// The most bytes of a segment, a power of two: RLIMIT_FSIZE bounds all files of this process.
std::uint64_t largest_segment() noexcept;

/// So many bytes at the begin of a segment of a worker keep their pages after small calls.
inline constexpr std::uint64_t small_begin = std::uint64_t{32} << 10;

/// Who writes to a segment.
enum class Writer : std::uint8_t { host, worker };

/// Memory that one side writes and the other one reads: a file without a name, mapped at one
/// address in both.
class Segment {
 public:
  /// A new one in the host. Pages cost memory only when they are touched. `directory`: where the
  /// file is made, for workers that cannot open or cut it; -1: the file is sealed, and has small
  /// pages. Throws Status::memory.
  Segment(Writer writer, std::uint64_t size, int directory);
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;
  ~Segment();

  Writer writer() const noexcept { return writer_; }
  std::uint64_t begin() const noexcept { return begin_; }
  std::uint64_t size() const noexcept { return size_; }
  /// No two segments of this process have the same number.
  std::uint64_t number() const noexcept { return number_; }
  bool holds(std::uint64_t at, std::uint64_t bytes) const noexcept {
    return at - begin_ < size_ && bytes <= size_ - (at - begin_);
  }
  /// A descriptor with which the worker maps it, as its side may.
  FileHandle share() const;
  /// The same one each time, until stop_sharing(). Owner: this object. Throws Status::memory.
  int share_again();
  /// Only workers that have it already can write to it from now on.
  void stop_sharing() noexcept;
  /// True if no process can write to it any more: none has it open or mapped for writing. The
  /// answer stays right, because the descriptors of the host are the only way to it.
  bool is_sealed() noexcept;
  /// Gives back all addresses and pages but the first `used` bytes; it cannot be used again then.
  void shrink(std::uint64_t used) noexcept;
  bool is_whole() const noexcept { return is_whole_; }
  /// Makes all bytes zero, so that a new worker learns nothing of earlier calls. False if the
  /// kernel refuses: it must not be used again then.
  bool clear() noexcept;
  /// The first bytes of the arena, and all bytes, that were ever used: they have pages.
  std::uint64_t arena_touched = 0, touched = 0;
  /// The first bytes that the host has written since the last clear().
  std::uint64_t dirty = 0;

 private:
  void make_file(int directory);
  bool clear_begin() noexcept;
  std::uint64_t used_bytes() const noexcept;
  Writer writer_;
  std::uint64_t number_;
  std::uint64_t begin_ = 0, size_ = 0;
  FileHandle file_;                 // not counted as a writer
  FileHandle shared_;               // as share() gives it
  void* begin_to_clear_ = nullptr;  // the first small_begin bytes, mapped for writing
  bool is_whole_ = true;
};

/// Maps a segment in a worker. False if that fails.
bool map_segment(int descriptor, std::uint64_t begin, std::uint64_t size, bool writable) noexcept;
/// Maps a file of the host for reading where the host has it; nothing that is mapped there is
/// replaced. False if that fails. Owner: the caller, who calls unmap_file().
bool map_file(int descriptor, std::uint64_t begin, std::uint64_t size) noexcept;
void unmap_file(std::uint64_t begin, std::uint64_t size) noexcept;
/// Takes the pages that a mapping for writing is going to touch, all at once. They have their
/// content; where the kernel does not know how, nothing happens.
void populate_pages(std::uint64_t begin, std::uint64_t bytes) noexcept;
/// Lets the begin of a mapping have pages of 4 KiB, for a result that is going to be small.
void use_small_pages(std::uint64_t begin, std::uint64_t size) noexcept;
/// Takes a segment out of a worker's memory; its place stays reserved.
void unmap_segment(std::uint64_t begin, std::uint64_t size) noexcept;

}  // namespace polycodec::isolation
