// SPDX-License-Identifier: MIT
// Where encoders write: segments ready for writev, or one contiguous buffer.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/export.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

class Arena;
class Regions;

/// Host side of polycodec_sink: counts, limits and adopts; what is done with the bytes is the
/// derived class's. For one thread; not movable (plugins hold its address).
class POLYCODEC_API Sink {
 public:
  /// `flags`: POLYCODEC_SINK_*.
  explicit Sink(std::uint64_t max_bytes, std::uint32_t flags = 0) noexcept;
  virtual ~Sink();
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  /// What is handed to plugins and writers; valid as long as the sink.
  polycodec_sink* abi() noexcept { return &abi_; }
  /// Bytes written so far.
  std::uint64_t size() const noexcept;
  /// Drops what was written and releases what was adopted; keeps memory for the next encode.
  void reset(std::uint64_t max_bytes) noexcept;
  void reset() noexcept { reset(max_bytes_); }
  /// The most bytes that the sink takes.
  std::uint64_t max_bytes() const noexcept { return max_bytes_; }
  /// Changes that; what was written stays. `option`: a literal that names what raises the bound.
  void set_max_bytes(std::uint64_t max_bytes, const char* option = "max_output_bytes") noexcept {
    max_bytes_ = max_bytes;
    option_ = option;
  }
  /// Memory for encoders that lives until reset().
  Arena& scratch();
  /// While this is not null: memory that is referenced must lie there or have been adopted, else
  /// reference() fails with Status::plugin.
  void set_regions(const Regions* regions) noexcept { regions_ = regions; }

 protected:
  /// Gives a window [abi().cursor, abi().limit) of at least `need` bytes, after taking over the
  /// bytes written so far.
  virtual void do_grow(std::uint64_t need) = 0;
  virtual void do_reference(const void* data, std::uint64_t size) = 0;
  virtual void do_expect(std::uint64_t size);
  virtual void do_reset() noexcept = 0;
  /// Sets the window that the encoder writes to.
  void set_window(std::uint8_t* begin, std::uint8_t* end) noexcept;
  /// The bytes that were written to the current window.
  std::span<const std::uint8_t> written() const noexcept { return {window_, abi_.cursor}; }
  /// The window is now [begin, end) with the bytes up to `cursor` written already; nothing before
  /// `begin` counts.
  void move_window(std::uint8_t* begin, std::uint8_t* cursor, std::uint8_t* end) noexcept;
  /// Counts bytes that were written past the window.
  void add_before(std::uint64_t bytes) noexcept { before_window_ += bytes; }
  void release_adopted() noexcept;

  polycodec_sink abi_;

 private:
  struct Adopted {
    void* object;
    void (*release)(void*);
  };
  struct Thunks;
  void check_total(std::uint64_t more) const;
  void check_region(const void* data, std::uint64_t size) const;

  std::uint8_t* window_ = nullptr;
  std::uint64_t before_window_ = 0;  // bytes that were written before the current window
  std::uint64_t max_bytes_;
  const char* option_ = "max_output_bytes";
  const Regions* regions_ = nullptr;
  std::unique_ptr<Arena> scratch_;
  std::vector<Adopted> adopted_;
  std::vector<std::string_view> extents_;  // of what was adopted
};

/// One piece of encoded output, either memory of the sink or memory of the value that was encoded.
struct Segment {
  const void* data;
  std::size_t size;
};

/// Collects segments. Large arrays are referenced, not copied: keep the value alive until the
/// segments are written.
class POLYCODEC_API SegmentSink final : public Sink {
 public:
  explicit SegmentSink(std::uint64_t max_bytes = UINT64_MAX) noexcept;
  ~SegmentSink() override;

  /// The output in order; valid until reset() or destruction. The layout of Segment is that of
  /// `struct iovec`.
  std::span<const Segment> segments();
  /// All segments, copied into one string.
  std::string to_string();

 private:
  void do_grow(std::uint64_t need) override;
  void do_reference(const void* data, std::uint64_t size) override;
  void do_reset() noexcept override;
  void close_window();

  struct Block {
    std::unique_ptr<std::uint8_t[]> data;
    std::size_t size;
  };
  std::vector<Block> blocks_;
  std::size_t next_block_ = 0;
  std::vector<Segment> segments_;
};

/// Writes into one contiguous buffer that grows; reset() keeps it, so that encoding again touches
/// no fresh memory.
class POLYCODEC_API BufferSink final : public Sink {
 public:
  explicit BufferSink(std::uint64_t max_bytes = UINT64_MAX) noexcept;
  ~BufferSink() override;

  /// The output; valid until the next write, reset() or destruction.
  std::string_view view() const noexcept;

 private:
  void do_grow(std::uint64_t need) override;
  void do_reference(const void* data, std::uint64_t size) override;
  void do_expect(std::uint64_t size) override;
  void do_reset() noexcept override;
  void reserve(std::uint64_t total);

  std::uint8_t* data_ = nullptr;
  std::uint64_t capacity_ = 0;
};

}  // namespace polycodec
