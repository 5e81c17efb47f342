// SPDX-License-Identifier: MIT
// Memory of values that are gone, kept for the next ones.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

namespace polycodec {

/// Chunks and blocks of freed arenas, by size: touching fresh pages costs several times more than
/// decoding into them. Keeps up to calm_bytes as long as the process lives. What is more goes back
/// to the system when nobody has taken or given a chunk for idle_time: a thread watches the pool as
/// long as it holds so much. It ends before a fork, which gives that memory back too. [thread-safe]
class ChunkPool {
 public:
  static constexpr std::uint64_t calm_bytes = std::uint64_t{8} << 20;
  static constexpr std::uint32_t idle_milliseconds = 250;

  /// Chunks of this size and more are whole pages, which may be moved and unmapped in parts.
  static constexpr std::uint64_t least_mapped = std::uint64_t{1} << 20;

  /// The pool of the process. Never destroyed: values may die in static destructors.
  static ChunkPool& instance() noexcept;

  /// A chunk of this size, kept or new, at 64 bytes at least; null if the machine has none.
  std::uint8_t* take(std::uint64_t size) noexcept;
  /// A kept chunk of `size` bytes or somewhat more, at least least_mapped, and its size; null if
  /// none fits.
  std::uint8_t* take_kept(std::uint64_t& size) noexcept;
  void give(std::uint8_t* data, std::uint64_t size) noexcept;
  /// The most that is kept.
  void set_keep(std::uint64_t bytes) noexcept;
  /// Gives all back.
  void trim() noexcept;
  std::uint64_t held_bytes() noexcept;
  /// True while a thread watches.
  bool is_watched() noexcept;

 private:
  struct Chunk {
    std::uint8_t* data;
    std::uint64_t size;
  };
  struct Released;
  struct AtEnd;

  ChunkPool() noexcept;
  std::uint8_t* take_out(std::size_t i) noexcept;
  /// Takes chunks out until at most `bytes` are held.
  void release(std::uint64_t bytes, Released& to) noexcept;
  /// True if a thread watches from now on.
  bool begin_watch() noexcept;
  /// Waits until none does.
  void end_watch(std::unique_lock<std::mutex>& lock) noexcept;
  void watch() noexcept;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::array<Chunk, 64> chunks_{};
  std::size_t count_ = 0;
  std::uint64_t held_ = 0;
  // The chunks of a document of some two million nodes.
  std::uint64_t keep_ = std::uint64_t{128} << 20;
  std::uint64_t uses_ = 0;  // how often a chunk was taken or given
  std::thread watcher_;
  bool is_watched_ = false, ends_ = false;
  bool may_watch_ = false;  // false at the end of the process, and where forks cannot be seen
};

}  // namespace polycodec
