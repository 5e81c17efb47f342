// SPDX-License-Identifier: MIT
// Linear memory of instances, kept with its pages for the next ones: a fresh page takes longer than
// the work on it.
#pragma once

#include "registry/wasm/modules.hpp"
#include "registry/wasm/wasmtime.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace polycodec::wasm {

class Regions;

/// One linear memory. Its instance sees zeros where it has not written: what is left of an instance
/// before it is cleared as the memory grows.
struct Region {
  Regions& home;
  std::uint8_t* base;
  std::size_t reserved, mapped;  // bytes that it may have, and those with its guard
  std::uint64_t size = 0;        // bytes that the instance has
  std::uint64_t writable = 0;
  std::uint64_t stale = 0;   // bytes that an instance before it may have written
  std::uint64_t filled = 0;  // up to here the host writes at once what the memory grows by
  std::uint64_t spare_begin = 0, spare_end = 0;  // bytes that nobody needs any more
  std::uint64_t file_begin = 0, file_size = 0;   // where a file is mapped in place of memory

  /// False if the machine has no memory.
  bool grow_to(std::uint64_t bytes) noexcept;
  /// Maps the file of these bytes at an address; see MappedFile::map_again().
  bool map_file(polycodec_bytes bytes, std::uint64_t at);
  /// Puts zeros there. False if the machine has no memory: nothing may run here.
  bool end_file() noexcept;
};

/// Bytes that are 0 at first.
struct Marks {
  std::unique_ptr<std::uint8_t[], void (*)(void*)> data{nullptr, &std::free};
  std::size_t size = 0;
};

/// All regions of the process. [thread-safe]
class Regions {
 public:
  /// `stir` is called when there is something to trim later.
  Regions(const Wasmtime& api, const Files* host, std::function<void()> stir)
      : files(host), api_(api), stir_(std::move(stir)) {}

  const Files* const files;

  /// Has engines of `config` take their memory here.
  void serve(Config* config);
  /// The region that begins here.
  Region& at(const std::uint8_t* base);
  /// The instance does not run again, and nobody reads these bytes: their pages may go.
  void spare(Region& region, std::uint64_t begin, std::uint64_t end) noexcept;
  /// Throws std::bad_alloc.
  Marks take_marks(std::size_t size);
  void give_marks(Marks marks) noexcept;
  /// Gives all pages that nobody uses back to the system.
  void trim() noexcept;
  /// Nothing changes between the two: for a fork, since a thread of its own calls trim().
  void hold() noexcept { mutex_.lock(); }
  void release() noexcept { mutex_.unlock(); }

 private:
  static Failure* make(void* env, const void* type, std::size_t minimum, std::size_t maximum,
                       std::size_t reserved, std::size_t guard, LinearMemory* to) noexcept;
  Region* take(std::size_t reserved, std::size_t mapped) noexcept;
  void give(Region& region) noexcept;
  void unmap(Region& region) noexcept;

  const Wasmtime& api_;
  const std::function<void()> stir_;
  std::mutex mutex_;
  std::map<const std::uint8_t*, Region> all_;
  std::vector<Region*> idle_, spares_;
  std::uint64_t kept_ = 0;  // bytes of pages of both
  Marks marks_;
};

}  // namespace polycodec::wasm
