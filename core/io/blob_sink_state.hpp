// SPDX-License-Identifier: MIT
// What a sink of named blobs does with them.
#pragma once

#include "core/io/sink.hpp"
#include "core/value/regions.hpp"

#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec {

class Arena;
class Budget;

/// The state of a sink of blobs: checks names and counts; where blobs go is the derived class's.
/// Not movable (plugins hold the address of its table).
class BlobSinkState {
 public:
  /// `base`: what the store holds before the change, or null for a new one.
  explicit BlobSinkState(std::uint64_t max_bytes, std::shared_ptr<BlobStore> base = nullptr);
  virtual ~BlobSinkState();
  BlobSinkState(const BlobSinkState&) = delete;
  BlobSinkState& operator=(const BlobSinkState&) = delete;

  polycodec_store_writer* abi() noexcept { return &abi_; }
  std::uint64_t size() const noexcept { return before_ + sink_.size(); }
  std::uint64_t max_bytes() const noexcept { return max_bytes_; }
  void set_max_bytes(std::uint64_t max_bytes) noexcept;
  /// As SinkState::set_budget(), over all blobs.
  void set_budget(Budget& budget) noexcept;
  void set_regions(const Regions* regions) noexcept;
  /// Memory for encoders that lives until reset() or destruction.
  Arena& scratch() noexcept { return *scratch_; }

  const std::shared_ptr<BlobStore>& base() const noexcept { return base_; }
  Sink& begin_blob(std::string_view name, std::string_view owner);
  void remove(std::string_view name, std::string_view owner);
  void finish();
  void reset() noexcept;

  /// Keeps a lock until the sink is gone, or takes one when all is written.
  void hold(std::shared_ptr<const void> lock) noexcept { lock_ = std::move(lock); }
  void lock_to_finish(std::function<std::shared_ptr<const void>()> lock) {
    take_lock_ = std::move(lock);
  }

 protected:
  /// Hands what stays of `base` to do_blob(): for containers that are written anew.
  void copy_base();
  const std::set<std::string, std::less<>>& removed() const noexcept { return removed_; }
  /// The same in the order of remove(): what refers to others goes before them.
  const std::vector<const std::string*>& removals() const noexcept { return removals_; }
  /// Takes a blob; the segments are valid during the call.
  virtual void do_blob(const std::string& name, const std::string& owner,
                       std::span<const Segment> segments) = 0;
  virtual void do_remove(const BlobStore::Entry&) {}
  virtual void do_finish() {}
  /// Drops all blobs taken so far. Throws nothing.
  virtual void do_drop() noexcept {}

 private:
  struct Thunks;
  void end_blob();
  void use_budget() noexcept;

  std::shared_ptr<const void> lock_;
  std::function<std::shared_ptr<const void>()> take_lock_;
  polycodec_store_writer abi_;
  std::unique_ptr<Arena> scratch_;
  SegmentSink sink_;
  std::uint64_t max_bytes_;
  Budget* budget_ = nullptr;
  std::uint64_t before_ = 0;  // bytes of the blobs that were written
  std::shared_ptr<BlobStore> base_;
  std::set<std::string, std::less<>> removed_;
  std::vector<const std::string*> removals_;  // in removed_
  std::set<std::string, std::less<>> names_;  // that were written
  std::string name_, owner_;                  // of the blob that is being written
  bool open_ = false;
};

}  // namespace polycodec
