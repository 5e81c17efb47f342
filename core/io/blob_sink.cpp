// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/call/call_scope.hpp"
#include "core/io/blob_sink_state.hpp"
#include "core/io/blob_store_state.hpp"
#include "core/io/sink_state.hpp"
#include "core/value/arena.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec {

struct BlobSinkState::Thunks {
  static BlobSinkState& of(polycodec_store_writer* self) noexcept {
    return *static_cast<BlobSinkState*>(self->private_data);
  }
  static std::int32_t begin_blob(polycodec_store_writer* self, polycodec_call* call,
                                 polycodec_bytes name, polycodec_bytes owner, polycodec_sink** sink,
                                 polycodec_error* error) {
    return guard(error, [&] {
      const CallScope scope(call);  // the blob before is written now
      *sink = of(self).begin_blob(to_string_view(name), to_string_view(owner)).abi();
    });
  }
  static std::int32_t remove(polycodec_store_writer* self, polycodec_call*, std::uint64_t i,
                             polycodec_bytes owner, polycodec_error* error) {
    return guard(error, [&] {
      const BlobStore* const base = of(self).base_.get();
      if (base == nullptr || i >= base->entries().size())
        throw Error(Status::not_found, "no blob of the store has the number " + std::to_string(i));
      of(self).remove(base->entries()[static_cast<std::size_t>(i)].name, to_string_view(owner));
    });
  }
  static std::int32_t commit(polycodec_store_writer* self, polycodec_call*,
                             polycodec_error* error) {
    return guard(error, [&] { of(self).finish(); });
  }
  static void release(polycodec_store_writer*) {}
};

BlobSinkState::BlobSinkState(std::uint64_t max_bytes, std::shared_ptr<BlobStore> base)
    : abi_{sizeof(polycodec_store_writer),
           base == nullptr ? 0 : base->abi().flags & POLYCODEC_STORE_OWNERS,
           base == nullptr ? nullptr : &base->abi(),
           this,
           &Thunks::begin_blob,
           &Thunks::remove,
           &Thunks::commit,
           &Thunks::release},
      scratch_(std::make_unique<Arena>()),
      sink_(max_bytes),
      max_bytes_(max_bytes),
      base_(std::move(base)) {}

BlobSinkState::~BlobSinkState() = default;

void BlobSinkState::set_max_bytes(std::uint64_t max_bytes) noexcept {
  max_bytes_ = max_bytes;
  budget_ = nullptr;
  sink_.set_max_bytes(max_bytes - std::min(max_bytes, before_));
}

void BlobSinkState::set_budget(Budget& budget) noexcept {
  budget_ = &budget;
  use_budget();
}

void BlobSinkState::use_budget() noexcept {
  if (budget_ != nullptr) sink_.state().set_budget(*budget_, before_);
}

void BlobSinkState::set_regions(const Regions* regions) noexcept {
  sink_.state().set_regions(regions);
}

Sink& BlobSinkState::begin_blob(std::string_view name, std::string_view owner) {
  check_blob_name(name);
  end_blob();
  const bool stays = base_ != nullptr && base_->find(name) != nullptr && !removed_.contains(name);
  if (stays || !names_.emplace(name).second)
    throw Error(Status::invalid, "two blobs are called " + quote(name))
        .detail("store.duplicate_name");
  name_ = name;
  owner_ = owner;
  open_ = true;
  return sink_;
}

void BlobSinkState::end_blob() {
  if (!open_) return;
  do_blob(name_, owner_, sink_.segments());
  open_ = false;
  before_ += sink_.size();
  sink_.reset(max_bytes_ - std::min(max_bytes_, before_));
  use_budget();
}

void BlobSinkState::remove(std::string_view name, std::string_view owner) {
  const BlobStore::Entry* const entry = base_ == nullptr ? nullptr : base_->find(name);
  if (entry == nullptr || removed_.contains(name))
    throw Error(Status::not_found, "no blob " + quote(name) + " to remove")
        .detail("store.no_such_blob");
  if (!entry->owner.empty() && entry->owner != owner)
    throw Error(Status::denied, "the blob " + quote(name) + " belongs to " + quote(entry->owner) +
                                    ", not to " + quote(owner))
        .detail("store.owner");
  end_blob();
  do_remove(*entry);
  removals_.push_back(&*removed_.emplace(name).first);
}

void BlobSinkState::copy_base() {
  if (base_ == nullptr) return;
  for (const BlobStore::Entry& entry : base_->entries()) {
    if (removed_.contains(entry.name)) continue;
    const std::string_view content = base_->read(entry.name);
    const Segment segment{content.data(), content.size()};
    do_blob(entry.name, entry.owner, {&segment, content.empty() ? 0u : 1u});
  }
}

void BlobSinkState::reset() noexcept {
  names_.clear();
  removed_.clear();
  removals_.clear();
  open_ = false;
  before_ = 0;
  budget_ = nullptr;
  sink_.reset(max_bytes_);
  scratch_->reset(UINT64_MAX);
  do_drop();
}

void BlobSinkState::finish() {
  end_blob();
  if (take_lock_) lock_ = take_lock_();
  do_finish();
  lock_.reset();
}

BlobSink::BlobSink(std::unique_ptr<BlobSinkState> state) noexcept : state_(std::move(state)) {}
BlobSink::~BlobSink() = default;

polycodec_store_writer* BlobSink::abi() noexcept {
  return state_->abi();
}

std::uint64_t BlobSink::size() const noexcept {
  return state_->size();
}

std::uint64_t BlobSink::max_bytes() const noexcept {
  return state_->max_bytes();
}

void BlobSink::set_max_bytes(std::uint64_t max_bytes) noexcept {
  state_->set_max_bytes(max_bytes);
}

const std::shared_ptr<BlobStore>& BlobSink::base() const noexcept {
  return state_->base();
}

Sink& BlobSink::begin_blob(std::string_view name, std::string_view owner) {
  return state_->begin_blob(name, owner);
}

void BlobSink::remove(std::string_view name, std::string_view owner) {
  state_->remove(name, owner);
}

void BlobSink::finish() {
  state_->finish();
}

void BlobSink::reset() noexcept {
  state_->reset();
}

namespace {

class MemoryState final : public BlobSinkState {
 public:
  using BlobSinkState::BlobSinkState;
  const auto& blobs() const noexcept { return blobs_; }

 private:
  void do_blob(const std::string& name, const std::string&,
               std::span<const Segment> segments) override {
    std::size_t size = 0;
    for (const Segment& segment : segments) size += segment.size;
    std::string content;
    content.reserve(size);
    for (const Segment& segment : segments)
      content.append(static_cast<const char*>(segment.data), segment.size);
    blobs_.emplace_back(name, std::move(content));
  }
  void do_drop() noexcept override { blobs_.clear(); }

  std::vector<std::pair<std::string, std::string>> blobs_;
};

}  // namespace

MemoryBlobs::MemoryBlobs(std::uint64_t max_bytes)
    : BlobSink(std::make_unique<MemoryState>(max_bytes)) {}

const std::vector<std::pair<std::string, std::string>>& MemoryBlobs::blobs() const noexcept {
  return static_cast<const MemoryState&>(state()).blobs();
}

}  // namespace polycodec
