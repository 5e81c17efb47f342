// SPDX-License-Identifier: MIT
// What is written, as segments: windows of memory, and references between them.
#pragma once

#include "core/io/sink_state.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace polycodec {

class SegmentState : public SinkState {
 public:
  explicit SegmentState(std::uint64_t max_bytes) noexcept;
  /// What was written, and not dropped since.
  std::span<const Segment> segments();

 protected:
  void do_grow(std::uint64_t need) override;
  void do_reference(const void* data, std::uint64_t size) override;
  /// Drops the segments: their memory is used for new windows.
  void do_reset() noexcept override;
  /// A window of at least `need` bytes. New ones grow up to `most`, if that is enough.
  void add_window(std::uint64_t need, std::size_t most);
  /// Below this, copying is cheaper than one more segment.
  static constexpr std::uint64_t least_reference = 512;

 private:
  void close_window();

  /// Gives a block back: large ones are of the pool, whose pages are huge.
  struct Give {
    std::size_t size;
    void operator()(std::uint8_t* data) const noexcept;
  };
  struct Block {
    std::unique_ptr<std::uint8_t[], Give> data;
    std::size_t size;
  };
  std::vector<Block> blocks_;
  std::size_t next_block_ = 0;
  std::vector<Segment> segments_;
};

}  // namespace polycodec
