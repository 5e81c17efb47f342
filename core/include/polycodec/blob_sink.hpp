// SPDX-License-Identifier: MIT
// Where encoders write named blobs.
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/sink.hpp>
#include <polycodec/source.hpp>

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

class Arena;

/// Host side of polycodec_store_writer: a new store of named blobs, or a change of one. Each blob
/// goes to the container when the next one begins or finish() is called; memory that the encoder
/// references must live until finish(). What is on the disk is complete, or as it was: without
/// finish(), nothing remains. For one thread.
class POLYCODEC_API BlobSink {
 public:
  virtual ~BlobSink();
  BlobSink(const BlobSink&) = delete;
  BlobSink& operator=(const BlobSink&) = delete;

  /// What is handed to plugins; valid as long as the sink. Its release() does nothing.
  polycodec_store_writer* abi() noexcept { return &abi_; }
  /// Bytes written so far, over all blobs.
  std::uint64_t size() const noexcept { return before_ + sink_.size(); }
  /// The most bytes that the sink takes, over all blobs.
  std::uint64_t max_bytes() const noexcept { return max_bytes_; }
  void set_max_bytes(std::uint64_t max_bytes) noexcept;
  void set_regions(const Regions* regions) noexcept { sink_.set_regions(regions); }
  /// Memory for encoders that lives until reset() or destruction.
  Arena& scratch() noexcept { return *scratch_; }

  /// What the store holds before the change; null for a new one.
  const std::shared_ptr<BlobStore>& base() const noexcept { return base_; }
  /// Starts a blob of the named value `owner` (or of none); write it to what is returned, until the
  /// next begin_blob() or finish(). Throws Status::denied for an unsafe name, Status::invalid if it
  /// is taken, Status::io.
  Sink& begin_blob(std::string_view name, std::string_view owner = {});
  /// Removes a blob of the store that is changed; its name is free again. Throws Status::not_found,
  /// and Status::denied if the store marks it as that of another owner.
  void remove(std::string_view name, std::string_view owner = {});
  /// Writes the last blob and puts the container in place. To be called once, after encoding.
  /// Throws Status::io.
  void finish();
  /// Drops what was written.
  void reset() noexcept;

 protected:
  /// `base`: what the store holds before the change, or null for a new one.
  explicit BlobSink(std::uint64_t max_bytes, std::shared_ptr<BlobStore> base = nullptr);
  /// Hands what stays of `base` to do_blob(): for containers that are written anew.
  void copy_base();
  const std::set<std::string, std::less<>>& removed() const noexcept { return removed_; }
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

  polycodec_store_writer abi_;
  std::unique_ptr<Arena> scratch_;
  SegmentSink sink_;
  std::uint64_t max_bytes_;
  std::uint64_t before_ = 0;  // bytes of the blobs that were written
  std::shared_ptr<BlobStore> base_;
  std::set<std::string, std::less<>> removed_;
  std::set<std::string, std::less<>> names_;  // that were written
  std::string name_, owner_;                  // of the blob that is being written
  bool open_ = false;
};

/// Blobs in memory, in the order in which they were begun.
class POLYCODEC_API MemoryBlobs final : public BlobSink {
 public:
  explicit MemoryBlobs(std::uint64_t max_bytes = UINT64_MAX);
  ~MemoryBlobs() override;
  /// Name and content of each blob; complete after finish().
  const std::vector<std::pair<std::string, std::string>>& blobs() const noexcept { return blobs_; }
  /// The blobs as a store to decode from.
  std::shared_ptr<MemoryStore> to_store() const { return std::make_shared<MemoryStore>(blobs_); }

 private:
  void do_blob(const std::string& name, const std::string& owner,
               std::span<const Segment> segments) override;
  void do_drop() noexcept override { blobs_.clear(); }
  std::vector<std::pair<std::string, std::string>> blobs_;
};

}  // namespace polycodec
