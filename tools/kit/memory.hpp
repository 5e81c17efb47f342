// SPDX-License-Identifier: MIT
// The arena and the sink that the kit gives to a plugin: without room to spare, and refusing on
// demand.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/bytes.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::kit {

inline constexpr std::uint64_t never = UINT64_MAX;

/// The memory that a pointer of a value or of a sink may point into.
class Regions {
 public:
  void add(const void* data, std::uint64_t size);
  void add(std::string_view bytes) { add(bytes.data(), bytes.size()); }
  void add(const Regions& others);
  /// True if [data, data + size) lies in one region. Of size 0 every pointer does.
  bool contains(const void* data, std::uint64_t size) const noexcept;
  std::span<const polycodec_bytes> all() const noexcept { return ranges_; }

 private:
  std::vector<polycodec_bytes> ranges_;
};

/// Counts the requests of one call, and refuses those from a given one on, or that one alone.
struct Requests {
  std::uint64_t refuse_from = never;
  bool only_one = false;
  std::uint64_t count = 0;
  bool refused() noexcept {
    const std::uint64_t number = count++;
    return only_one ? number == refuse_from : number >= refuse_from;
  }
};

/// Objects that a plugin handed over, with what they own. Releases them in reverse order.
class Adopted {
 public:
  Adopted() = default;
  ~Adopted();
  Adopted(const Adopted&) = delete;
  Adopted& operator=(const Adopted&) = delete;
  /// Takes the object, or releases it if `code` is an error. Returns `code`.
  std::int32_t take(std::int32_t code, void* object, void (*release)(void*),
                    const polycodec_bytes* extents, std::uint64_t n);
  const Regions& regions() const noexcept { return regions_; }

 private:
  std::vector<std::pair<void*, void (*)(void*)>> objects_;
  Regions regions_;
};

/// An arena. Blocks are filled with 0xa5; resize() always moves and spoils the old block.
class TestArena {
 public:
  /// `exact`: each allocation is a block of its own, so that every one is a request.
  TestArena(std::uint64_t max_bytes, std::uint64_t refuse_from, bool exact) noexcept;
  ~TestArena();
  TestArena(const TestArena&) = delete;
  TestArena& operator=(const TestArena&) = delete;
  polycodec_arena* abi() noexcept { return &abi_; }
  std::uint64_t requests() const noexcept { return requests_.count; }
  /// What was given out so far.
  Regions regions() const;
  /// Its bytes, without objects that were adopted.
  std::uint64_t size() const noexcept;
  /// Throws Failure if the plugin moved the cursor out of its window.
  void check() const;

 private:
  struct Thunks;
  struct Block {
    std::uint8_t* data;
    std::uint64_t size;
  };
  /// What was given out of the block.
  std::uint64_t size_of(const Block& block) const noexcept;
  polycodec_arena abi_;
  std::uint64_t max_bytes_;
  std::uint64_t used_ = 0;
  Requests requests_;
  bool exact_;
  std::vector<Block> blocks_;  // the window is at the end of the last one
  Adopted adopted_;
};

/// How a sink behaves, where it differs from the plain way.
struct SinkSettings {
  std::uint64_t max_bytes = never;
  std::uint64_t refuse_from = never;
  bool small_windows = false;  ///< windows of just the size that is asked for
  bool contiguous = false;
  std::uint64_t fixed_size = never;  ///< contiguous: the window is this large, and never grows
};

/// A sink that keeps references until the plugin has returned, as a host does that writes with
/// writev, and that sees when a plugin writes outside of its window.
class TestSink {
 public:
  explicit TestSink(const SinkSettings& settings);
  TestSink(const TestSink&) = delete;
  TestSink& operator=(const TestSink&) = delete;
  polycodec_sink* abi() noexcept { return &abi_; }
  std::uint64_t requests() const noexcept { return requests_.count; }
  bool has_refused() const noexcept { return has_refused_; }
  /// Throws Failure if the plugin broke the contract of the sink, or referenced memory outside of
  /// `regions` and of what the sink adopted.
  void check(const Regions& regions);
  /// Everything that was written.
  std::string bytes() const;
  /// How many of these bytes went through windows.
  std::uint64_t copied() const noexcept;

 private:
  struct Thunks;
  void close_window();
  std::int32_t refuse(polycodec_error* error, std::uint64_t more);
  void open_window(std::uint64_t size);
  std::uint64_t open_bytes() const noexcept;  ///< bytes written to the open window
  std::uint64_t left() const noexcept;        ///< bytes that may still be written

  polycodec_sink abi_;
  SinkSettings settings_;
  Requests requests_;
  bool has_refused_ = false;
  std::uint64_t written_ = 0;
  std::uint8_t* window_ = nullptr;
  std::string complaint_;
  std::vector<std::unique_ptr<std::uint8_t[]>> windows_;
  struct Piece {
    const void* data;
    std::uint64_t size;
    bool referenced;
  };
  std::vector<Piece> pieces_;
  Adopted adopted_;
};

}  // namespace polycodec::kit
