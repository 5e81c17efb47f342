// SPDX-License-Identifier: MIT
// The sink of one blob: kept until its size is known, because a contiguous dataset needs it.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/error.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace polycodec::hdf5 {

/// Collects the bytes of one blob after another, in blocks that it uses again. For one thread.
class BlobBuffer {
 public:
  BlobBuffer() noexcept;
  ~BlobBuffer() { drop(); }
  BlobBuffer(const BlobBuffer&) = delete;
  BlobBuffer& operator=(const BlobBuffer&) = delete;

  /// The sink, empty. `max_bytes`: what it may hold.
  polycodec_sink* begin(std::uint64_t max_bytes) noexcept;
  /// All that was written, in order; valid until begin() or drop().
  std::span<const std::string_view> segments();
  /// Forgets what was written and releases what was adopted.
  void drop() noexcept;

 private:
  struct Sink : polycodec_sink {
    BlobBuffer* owner;
  };
  struct Block {
    std::unique_ptr<std::uint8_t[]> data;
    std::uint64_t size;
  };
  struct Adopted {
    void* object;
    void (*release)(void* object);
  };
  static BlobBuffer& of(polycodec_sink* sink) noexcept { return *static_cast<Sink*>(sink)->owner; }
  void close_window();
  void grow(std::uint64_t need);
  void check(std::uint64_t more) const;

  Sink sink_{};
  std::vector<Block> blocks_;
  std::vector<std::string_view> segments_;
  std::vector<Adopted> adopted_;
  std::size_t next_block_ = 0;
  std::uint8_t* start_ = nullptr;  // of the window
  std::uint64_t size_ = 0;         // of all segments
  std::uint64_t max_bytes_ = 0;
};

}  // namespace polycodec::hdf5
