// SPDX-License-Identifier: MIT
// An arena and a sink in a range of memory that both processes have.
#pragma once

#include <polycodec/abi.h>

#include "registry/isolation/copy_value.hpp"

#include <cstdint>
#include <vector>

namespace polycodec::isolation {

/// An arena over a range. It grows to the end of the range and no further. For one thread; not
/// movable.
class RangeArena final : public Regions {
 public:
  RangeArena() noexcept;
  RangeArena(const RangeArena&) = delete;
  RangeArena& operator=(const RangeArena&) = delete;
  ~RangeArena() { release(); }

  /// Starts over in another range, after release().
  void use(std::uint64_t begin, std::uint64_t end) noexcept;
  /// Releases what was adopted.
  void release() noexcept;
  polycodec_arena* abi() noexcept { return &abi_; }
  std::uint64_t used_end() const noexcept;
  /// What was adopted.
  std::string_view region_of(const void* data, std::uint64_t size) const noexcept override;

 private:
  struct Adopted {
    void* object;
    void (*release)(void*);
  };
  static std::int32_t grow(polycodec_arena*, std::uint64_t, std::uint64_t, void**,
                           polycodec_error*);
  static std::int32_t resize(polycodec_arena*, void**, std::uint64_t, std::uint64_t, std::uint64_t,
                             polycodec_error*);
  static std::int32_t adopt(polycodec_arena*, void*, void (*)(void*), const polycodec_bytes*,
                            std::uint64_t, polycodec_error*);

  polycodec_arena abi_{};
  std::vector<Adopted> adopted_;
  std::vector<std::string_view> extents_;
};

/// A sink over a range: bytes are copied there, and large parts that both processes have are
/// referenced. For one thread; not movable.
class RangeSink {
 public:
  /// `shared`: what may be referenced, unless the sink is contiguous.
  RangeSink(std::uint64_t begin, std::uint64_t end, Range shared, bool contiguous) noexcept;
  RangeSink(const RangeSink&) = delete;
  RangeSink& operator=(const RangeSink&) = delete;
  ~RangeSink();

  polycodec_sink* abi() noexcept { return &abi_; }
  /// All that was written, in order.
  const std::vector<polycodec_bytes>& finish();
  std::uint64_t used_end() const noexcept;

 private:
  struct Adopted {
    void* object;
    void (*release)(void*);
  };
  static std::int32_t grow(polycodec_sink*, std::uint64_t, polycodec_error*);
  static std::int32_t reference(polycodec_sink*, const void*, std::uint64_t, polycodec_error*);
  static std::int32_t adopt(polycodec_sink*, void*, void (*)(void*), const polycodec_bytes*,
                            std::uint64_t, polycodec_error*);
  void end_run();

  polycodec_sink abi_{};
  std::uint8_t* begin_;
  std::uint8_t* run_;  // where the bytes begin that are not in segments_ yet
  Range shared_;
  std::vector<polycodec_bytes> segments_;
  std::vector<Adopted> adopted_;
};

}  // namespace polycodec::isolation
