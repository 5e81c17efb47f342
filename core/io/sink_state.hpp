// SPDX-License-Identifier: MIT
// What a sink of bytes does with what is written.
#pragma once

#include "core/io/sink.hpp"
#include "core/value/regions.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace polycodec {

class Arena;
class Budget;

/// The state of a sink: counts, limits and adopts; what is done with the bytes is the derived
/// class's. Not movable (plugins hold the address of its table).
class SinkState {
 public:
  /// `flags`: POLYCODEC_SINK_*.
  explicit SinkState(std::uint64_t max_bytes, std::uint32_t flags = 0) noexcept;
  virtual ~SinkState();
  SinkState(const SinkState&) = delete;
  SinkState& operator=(const SinkState&) = delete;

  polycodec_sink* abi() noexcept { return &abi_; }
  std::uint64_t size() const noexcept;
  void reset(std::uint64_t max_bytes) noexcept;
  std::uint64_t max_bytes() const noexcept { return max_bytes_; }
  void set_max_bytes(std::uint64_t max_bytes, const char* option) noexcept {
    max_bytes_ = most_bytes_ = max_bytes;
    option_ = option;
    budget_ = nullptr;
  }
  /// Also bounds it by the output that `budget` allows, less what was written elsewhere. The budget
  /// is asked again when more is written, as it may earn more. Until set_max_bytes() or reset().
  void set_budget(Budget& budget, std::uint64_t elsewhere = 0) noexcept;
  /// Memory for encoders that lives until reset().
  Arena& scratch();
  /// While this is not null: memory that is referenced must lie there or have been adopted, else
  /// reference() fails with Status::plugin.
  void set_regions(const Regions* regions) noexcept { regions_ = regions; }
  /// What the C interface finds again from the table: its own object, or null.
  void set_owner(void* owner) noexcept { owner_ = owner; }
  void* owner() const noexcept { return owner_; }

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
  void check_total(std::uint64_t more) {
    if (more > max_bytes_ - std::min(max_bytes_, size())) [[unlikely]]
      ask_for(more);
  }
  void ask_for(std::uint64_t more);
  void use_budget() noexcept;
  void check_region(const void* data, std::uint64_t size) const;

  std::uint8_t* window_ = nullptr;
  std::uint64_t before_window_ = 0;  // bytes that were written before the current window
  std::uint64_t max_bytes_;          // of the moment
  std::uint64_t most_bytes_;         // whatever the budget allows
  Budget* budget_ = nullptr;
  std::uint64_t elsewhere_ = 0;  // bytes of the budget's output
  const char* option_ = "max_output_bytes";
  const Regions* regions_ = nullptr;
  void* owner_ = nullptr;
  std::unique_ptr<Arena> scratch_;
  std::vector<Adopted> adopted_;
  std::vector<std::string_view> extents_;  // of what was adopted
};

}  // namespace polycodec
