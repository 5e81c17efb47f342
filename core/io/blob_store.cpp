// SPDX-License-Identifier: MIT
#include <base/blob_name.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/call/call_scope.hpp"
#include "core/call/call_state.hpp"
#include "core/io/blob_store_state.hpp"

#include <algorithm>
#include <iterator>
#include <new>

namespace polycodec {

void check_blob_name(std::string_view name) {
  if (const char* reason = blob_name_fault(name))
    throw Error(Status::denied, quote(name) + " may not name a blob: " + reason)
        .detail("store.unsafe_name");
}

struct BlobStoreState::Thunks {
  static BlobStoreState& of(const polycodec_store* self) noexcept {
    return *static_cast<BlobStoreState*>(self->private_data);
  }
  static std::uint64_t count(const polycodec_store* self) { return of(self).entries_.size(); }
  static std::int32_t entry(const polycodec_store* self, polycodec_call*, std::uint64_t i,
                            polycodec_store_entry* entry, polycodec_error* error) {
    return guard(error, [&] {
      const auto entries = of(self).entries();
      if (i >= entries.size())
        throw Error(Status::range,
                    "no blob " + std::to_string(i) + " of " + std::to_string(entries.size()));
      const Entry& e = entries[static_cast<std::size_t>(i)];
      entry->name = to_bytes(e.name);
      entry->owner = to_bytes(e.owner);
      entry->size = e.size;
    });
  }
  static std::int32_t find(const polycodec_store* self, polycodec_call*, polycodec_bytes bytes,
                           std::uint64_t* i, polycodec_error* error) {
    return guard(error, [&] {
      BlobStoreState& store = of(self);
      const std::string_view name = to_string_view(bytes);
      check_blob_name(name);
      const auto found = store.index_.find(name);
      if (found != store.index_.end()) {
        *i = found->second;
        return;
      }
      store.do_read_unlisted(name);
      const std::scoped_lock lock(store.mutex_);
      auto& known = store.unlisted_;
      const auto at = std::ranges::find(known, name);
      *i = store.entries_.size() + static_cast<std::uint64_t>(at - known.begin());
      if (at == known.end()) known.emplace_back(name);
    });
  }
  static std::int32_t read(const polycodec_store* self, polycodec_call* call, std::uint64_t i,
                           std::uint64_t offset, std::uint64_t size, polycodec_bytes* content,
                           polycodec_error* error) {
    return guard(error, [&] {
      const CallScope scope(call);
      BlobStoreState& store = of(self);
      std::string name;
      const std::uint64_t listed = store.entries_.size();
      if (i >= listed) {
        const std::scoped_lock lock(store.mutex_);
        if (i - listed >= store.unlisted_.size())
          throw Error(Status::range, "no blob has the number " + std::to_string(i));
        name = store.unlisted_[static_cast<std::size_t>(i - listed)];
      }
      const std::string_view all = store.remember(
          i < listed ? store.do_read(static_cast<std::size_t>(i)) : store.do_read_unlisted(name));
      const auto from = static_cast<std::size_t>(std::min<std::uint64_t>(offset, all.size()));
      const std::string_view part = all.substr(from, static_cast<std::size_t>(size));
      count_input(call, all.data(), from, part.size(), all.size());
      *content = to_bytes(part);
    });
  }
  static void release(const polycodec_store*) {}
};

BlobStoreState::BlobStoreState(std::string label, std::uint32_t flags)
    : Regions(false),
      label_(std::move(label)),
      abi_{sizeof(polycodec_store), flags,         this,          &Thunks::count,
           &Thunks::entry,          &Thunks::find, &Thunks::read, &Thunks::release} {}

BlobStoreState::~BlobStoreState() = default;

void BlobStoreState::set_entries(std::vector<Entry> entries) {
  entries_ = std::move(entries);
  index_.clear();
  index_.reserve(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    check_blob_name(entries_[i].name);
    if (!index_.emplace(entries_[i].name, i).second)
      throw Error(Status::malformed,
                  "two blobs of " + quote_path(label_) + " are called " + quote(entries_[i].name))
          .detail("store.duplicate_name");
  }
}

const BlobStore::Entry* BlobStoreState::find(std::string_view name) const noexcept {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &entries_[found->second];
}

std::string_view BlobStoreState::read(std::string_view name) {
  check_blob_name(name);
  const auto found = index_.find(name);
  return remember(found != index_.end() ? do_read(found->second) : do_read_unlisted(name));
}

std::string_view BlobStoreState::remember(std::string_view blob) {
  if (blob.empty()) return blob;
  const std::scoped_lock lock(mutex_);
  std::size_t& size = handed_out_[reinterpret_cast<std::uintptr_t>(blob.data())];
  size = std::max(size, blob.size());
  return blob;
}

std::string_view BlobStoreState::region_of(const void* data, std::uint64_t size) const noexcept
    try {
  const auto at = reinterpret_cast<std::uintptr_t>(data);
  const auto in = [&](const auto& extents) -> std::string_view {
    const auto after = extents.upper_bound(at);
    if (after == extents.begin()) return {};
    const auto& [begin, bytes] = *std::prev(after);
    if (at - begin >= bytes || size > bytes - (at - begin)) return {};
    return {reinterpret_cast<const char*>(begin), bytes};
  };
  const std::scoped_lock lock(mutex_);
  if (const auto found = in(handed_out_); !found.empty()) return found;
  if (names_.empty())  // few values view names: they are not listed before one does
    for (const Entry& entry : entries_)
      for (const std::string* text : {&entry.name, &entry.owner})
        if (!text->empty())
          names_.emplace(reinterpret_cast<std::uintptr_t>(text->data()), text->size());
  return in(names_);
} catch (const std::bad_alloc&) {
  return {};
}

std::string_view BlobStoreState::do_read_unlisted(std::string_view name) {
  throw_not_found(name);
}

void BlobStoreState::throw_not_found(std::string_view name) const {
  throw Error(Status::not_found, "no blob " + quote(name) + " in " + quote_path(label_))
      .detail("store.no_such_blob");
}

BlobStore::BlobStore(std::unique_ptr<BlobStoreState> state) noexcept : state_(std::move(state)) {}
BlobStore::~BlobStore() = default;

const polycodec_store& BlobStore::abi() const noexcept {
  return state_->abi();
}

std::span<const BlobStore::Entry> BlobStore::entries() const noexcept {
  return state_->entries();
}

const BlobStore::Entry* BlobStore::find(std::string_view name) const noexcept {
  return state_->find(name);
}

std::string_view BlobStore::read(std::string_view name) {
  return state_->read(name);
}

namespace {

class MemoryStoreState final : public BlobStoreState {
 public:
  MemoryStoreState(std::vector<std::pair<std::string, std::string>> blobs, std::string label)
      : BlobStoreState(std::move(label)), blobs_(std::move(blobs)) {
    std::vector<Entry> entries;
    entries.reserve(blobs_.size());
    for (const auto& [name, content] : blobs_) entries.push_back({name, content.size(), {}});
    set_entries(std::move(entries));
  }

 private:
  std::string_view do_read(std::size_t index) override { return blobs_[index].second; }
  std::vector<std::pair<std::string, std::string>> blobs_;
};

}  // namespace

MemoryStore::MemoryStore(std::vector<std::pair<std::string, std::string>> blobs, std::string label)
    : BlobStore(std::make_unique<MemoryStoreState>(std::move(blobs), std::move(label))) {}

}  // namespace polycodec
