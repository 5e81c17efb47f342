// SPDX-License-Identifier: MIT
// Where a store gets its blobs from.
#pragma once

#include <base/seeded_hash.hpp>

#include "core/io/source.hpp"
#include "core/value/regions.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// Throws Status::denied with the reason if `name` may not name a blob; see blob_name_fault().
void check_blob_name(std::string_view name);

/// The state of a store: the table for plugins, the names, and the memory that was handed out.
/// Where blobs come from is the derived class's. As Regions it is the names, and the blobs that
/// were read so far.
class BlobStoreState : public Regions {
 public:
  using Entry = BlobStore::Entry;

  /// `label` names the store in messages; `flags`: POLYCODEC_STORE_*.
  explicit BlobStoreState(std::string label, std::uint32_t flags = 0);
  virtual ~BlobStoreState();
  BlobStoreState(const BlobStoreState&) = delete;
  BlobStoreState& operator=(const BlobStoreState&) = delete;

  const polycodec_store& abi() const noexcept { return abi_; }
  std::span<const Entry> entries() const noexcept { return entries_; }
  const Entry* find(std::string_view name) const noexcept;
  std::string_view read(std::string_view name);

  std::string_view region_of(const void* data, std::uint64_t size) const noexcept override;
  /// From now on blobs may lie in a file that others may change.
  void set_unstable() noexcept { stable_.store(false, std::memory_order_relaxed); }

 protected:
  /// Sets what entries() gives, once, before the store is used. Throws Status::malformed if two
  /// names are equal and Status::denied if one is unsafe.
  void set_entries(std::vector<Entry> entries);
  /// The content of entry `index`. Called from any thread; must give the same bytes each time.
  virtual std::string_view do_read(std::size_t index) = 0;
  /// The content of a blob that is not listed; its name is safe. Throws Status::not_found unless
  /// overridden.
  virtual std::string_view do_read_unlisted(std::string_view name);
  [[noreturn]] void throw_not_found(std::string_view name) const;
  const std::string& label() const noexcept { return label_; }

 private:
  struct Thunks;
  bool do_is_stable() const noexcept override { return stable_.load(std::memory_order_relaxed); }
  std::string_view remember(std::string_view blob);
  std::string label_;
  std::atomic<bool> stable_{true};
  std::vector<Entry> entries_;
  SeededMap<std::string_view, std::size_t> index_;  // keys view entries_
  mutable std::mutex mutex_;                        // guards what follows
  std::vector<std::string> unlisted_;  // names that were found, numbered after the entries
  // By address, the sizes of blobs that were read and, once they are asked for, of all names.
  mutable std::map<std::uintptr_t, std::size_t> handed_out_, names_;
  polycodec_store abi_;
};

}  // namespace polycodec
