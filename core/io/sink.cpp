// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>

#include "core/call/border.hpp"
#include "core/call/budget.hpp"
#include "core/call/chunk_pool.hpp"
#include "core/call/pages.hpp"
#include "core/io/segment_state.hpp"
#include "core/value/arena.hpp"

#include <sys/uio.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace polycodec {

static_assert(sizeof(Segment) == sizeof(iovec) &&
              offsetof(Segment, data) == offsetof(iovec, iov_base) &&
              offsetof(Segment, size) == offsetof(iovec, iov_len));

struct SinkState::Thunks {
  static SinkState& self(polycodec_sink* sink) noexcept {
    return *static_cast<SinkState*>(sink->private_data);
  }

  static std::int32_t grow(polycodec_sink* sink, std::uint64_t need, polycodec_error* error) {
    return guard(error, [&] {
      if (need > POLYCODEC_MAX_WINDOW && (sink->flags & POLYCODEC_SINK_CONTIGUOUS) == 0)
        throw Error(Status::plugin, "a window of more than POLYCODEC_MAX_WINDOW was asked for");
      self(sink).check_total(need);
      self(sink).do_grow(need);
    });
  }
  static std::int32_t reference(polycodec_sink* sink, const void* data, std::uint64_t size,
                                polycodec_error* error) {
    return guard(error, [&] {
      if (size == 0) return;
      self(sink).check_region(data, size);
      self(sink).check_total(size);
      self(sink).do_reference(data, size);
    });
  }
  static std::int32_t expect(polycodec_sink* sink, std::uint64_t size, polycodec_error* error) {
    return guard(error, [&] {
      self(sink).check_total(size);
      self(sink).do_expect(size);
    });
  }
  static std::int32_t adopt(polycodec_sink* sink, void* object, void (*release)(void*),
                            const polycodec_bytes* extents, std::uint64_t n_extents,
                            polycodec_error* error) {
    const auto code = guard(error, [&] {
      SinkState& at = self(sink);
      at.adopted_.reserve(at.adopted_.size() + 1);
      for (std::uint64_t i = 0; i < n_extents; ++i)
        at.extents_.push_back(to_string_view(extents[i]));
      at.adopted_.push_back({object, release});
    });
    if (code != POLYCODEC_OK) give_back([&] { release(object); });
    return code;
  }
};

SinkState::SinkState(std::uint64_t max_bytes, std::uint32_t flags) noexcept
    : abi_{sizeof(polycodec_sink), flags,           nullptr,       nullptr, this, &Thunks::grow,
           &Thunks::reference,     &Thunks::expect, &Thunks::adopt},
      max_bytes_(max_bytes),
      most_bytes_(max_bytes) {}

SinkState::~SinkState() {
  release_adopted();
}

std::uint64_t SinkState::size() const noexcept {
  return before_window_ + static_cast<std::uint64_t>(abi_.cursor - window_);
}

void SinkState::reset(std::uint64_t max_bytes) noexcept {
  release_adopted();
  before_window_ = 0;
  window_ = abi_.cursor = abi_.limit = nullptr;
  max_bytes_ = most_bytes_ = max_bytes;
  budget_ = nullptr;
  do_reset();
}

void SinkState::set_budget(Budget& budget, std::uint64_t elsewhere) noexcept {
  budget_ = &budget;
  elsewhere_ = elsewhere;
  use_budget();
}

void SinkState::use_budget() noexcept {
  const std::uint64_t most = budget_->max_output();
  max_bytes_ = std::min(most_bytes_, most - std::min(most, elsewhere_));
}

void SinkState::ask_for(std::uint64_t more) {
  const std::uint64_t now = size();
  const auto fits = [&] {
    if (budget_ != nullptr) use_budget();
    return now <= max_bytes_ && more <= max_bytes_ - now;
  };
  if (!fits() && (budget_ == nullptr || !budget_->earn() || !fits()))
    throw Error(
        Status::limit,
        "the output would exceed " + std::string(option_) + " (" + std::to_string(max_bytes_) + ")",
        now)
        .detail("limit." + std::string(option_));
}

void SinkState::check_region(const void* data, std::uint64_t size) const {
  if (regions_ == nullptr || regions_->contains(data, size)) return;
  const auto at = reinterpret_cast<std::uintptr_t>(data);
  for (const auto& extent : extents_) {
    const std::uintptr_t from = at - reinterpret_cast<std::uintptr_t>(extent.data());
    if (from < extent.size() && size <= extent.size() - from) return;
  }
  throw Error(Status::plugin,
              "stray reference to " + std::to_string(size) +
                  " bytes: output refers to memory that is of the value or of the call, or to "
                  "adopted memory; use call->arena or adopt()",
              this->size());
}

void SinkState::set_window(std::uint8_t* begin, std::uint8_t* end) noexcept {
  before_window_ = size();
  window_ = abi_.cursor = begin;
  abi_.limit = end;
}

void SinkState::move_window(std::uint8_t* begin, std::uint8_t* cursor, std::uint8_t* end) noexcept {
  before_window_ = 0;
  window_ = begin;
  abi_.cursor = cursor;
  abi_.limit = end;
}

void SinkState::do_expect(std::uint64_t) {}

void SinkState::release_adopted() noexcept {
  while (!adopted_.empty()) {
    const Adopted last = adopted_.back();
    adopted_.pop_back();
    give_back([&] { last.release(last.object); });
  }
  extents_.clear();
  // After what was adopted, which may be of a plugin that it keeps.
  if (scratch_) scratch_->reset(UINT64_MAX);
}

Arena& SinkState::scratch() {
  if (!scratch_) scratch_ = std::make_unique<Arena>();
  return *scratch_;
}

Sink::Sink(std::unique_ptr<SinkState> state) noexcept : state_(std::move(state)) {}
Sink::~Sink() = default;

polycodec_sink* Sink::abi() noexcept {
  return state_->abi();
}

std::uint64_t Sink::size() const noexcept {
  return state_->size();
}

void Sink::reset(std::uint64_t max_bytes) noexcept {
  state_->reset(max_bytes);
}

std::uint64_t Sink::max_bytes() const noexcept {
  return state_->max_bytes();
}

void Sink::set_max_bytes(std::uint64_t max_bytes, const char* option) noexcept {
  state_->set_max_bytes(max_bytes, option);
}

// -- SegmentSink --

SegmentState::SegmentState(std::uint64_t max_bytes) noexcept : SinkState(max_bytes) {}

void SegmentState::close_window() {
  const auto bytes = written();
  if (bytes.empty()) return;
  // Bytes that follow the last segment in memory continue it.
  if (!segments_.empty() &&
      static_cast<const std::uint8_t*>(segments_.back().data) + segments_.back().size ==
          bytes.data())
    segments_.back().size += bytes.size();
  else
    segments_.push_back({bytes.data(), bytes.size()});
}

void SegmentState::do_grow(std::uint64_t need) {
  add_window(need, huge_page);
}

void SegmentState::Give::operator()(std::uint8_t* data) const noexcept {
  if (size >= ChunkPool::least_mapped) return ChunkPool::instance().give(data, size);
  delete[] data;  // NOLINT
}

void SegmentState::add_window(std::uint64_t need, std::size_t most) {
  close_window();
  while (next_block_ < blocks_.size()) {
    const Block& block = blocks_[next_block_++];
    if (block.size >= need) return set_window(block.data.get(), block.data.get() + block.size);
  }
  const std::size_t wish =
      blocks_.empty() ? std::size_t{4} << 10 : std::min(blocks_.back().size * 4, most);
  const auto size = static_cast<std::size_t>(round_up(std::max<std::uint64_t>(wish, need), 4096));
  std::unique_ptr<std::uint8_t[], Give> data(
      size >= ChunkPool::least_mapped ? ChunkPool::instance().take(size) : new std::uint8_t[size],
      Give{size});
  if (data == nullptr) throw std::bad_alloc();
  blocks_.push_back({std::move(data), size});
  next_block_ = blocks_.size();
  set_window(blocks_.back().data.get(), blocks_.back().data.get() + size);
}

void SegmentState::do_reference(const void* data, std::uint64_t size) {
  if (size < least_reference) {
    if (static_cast<std::uint64_t>(abi_.limit - abi_.cursor) < size) do_grow(size);
    std::memcpy(abi_.cursor, data, static_cast<std::size_t>(size));
    abi_.cursor += size;
    return;
  }
  close_window();
  segments_.push_back({data, static_cast<std::size_t>(size)});
  // The rest of the window continues after the reference; the referenced bytes count as written
  // before it.
  std::uint8_t* rest = abi_.cursor;
  std::uint8_t* end = abi_.limit;
  set_window(rest, end);
  add_before(size);
}

std::span<const Segment> SegmentState::segments() {
  close_window();
  set_window(abi_.cursor, abi_.limit);
  return segments_;
}

void SegmentState::do_reset() noexcept {
  segments_.clear();
  next_block_ = 0;
}

SegmentSink::SegmentSink(std::uint64_t max_bytes)
    : Sink(std::make_unique<SegmentState>(max_bytes)) {}

std::span<const Segment> SegmentSink::segments() {
  return static_cast<SegmentState&>(state()).segments();
}

std::string SegmentSink::to_string() {
  std::string all;
  all.reserve(static_cast<std::size_t>(size()));
  for (const Segment& s : segments()) all.append(static_cast<const char*>(s.data), s.size);
  return all;
}

// -- BufferSink --

namespace {

class BufferState final : public SinkState {
 public:
  explicit BufferState(std::uint64_t max_bytes) noexcept
      : SinkState(max_bytes, POLYCODEC_SINK_CONTIGUOUS) {}
  ~BufferState() override { std::free(data_); }
  std::string_view view() const noexcept {
    return {reinterpret_cast<const char*>(data_), static_cast<std::size_t>(size())};
  }

 private:
  void do_grow(std::uint64_t need) override { reserve(size() + need); }
  void do_reference(const void* data, std::uint64_t size) override;
  void do_expect(std::uint64_t size) override;
  void do_reset() noexcept override;
  void reserve(std::uint64_t total);

  std::uint8_t* data_ = nullptr;
  std::uint64_t capacity_ = 0;
};

void BufferState::reserve(std::uint64_t total) {
  const std::uint64_t used = size();
  if (total > capacity_) {
    const std::uint64_t wish = std::max(total, std::max<std::uint64_t>(capacity_ * 2, 4096));
    // realloc moves pages instead of copying them, and does not touch what nothing was written to.
    void* p = std::realloc(data_, static_cast<std::size_t>(wish));
    if (p == nullptr) throw std::bad_alloc();
    data_ = static_cast<std::uint8_t*>(p);
    capacity_ = wish;
  }
  move_window(data_, data_ + used, data_ + capacity_);
}

void BufferState::do_reference(const void* data, std::uint64_t size_) {
  if (static_cast<std::uint64_t>(abi_.limit - abi_.cursor) < size_) reserve(size() + size_);
  std::memcpy(abi_.cursor, data, static_cast<std::size_t>(size_));
  abi_.cursor += size_;
}

void BufferState::do_expect(std::uint64_t more) {
  constexpr std::uint64_t trust = std::uint64_t{1} << 30;  // beyond this, let the data prove itself
  if (more <= trust) reserve(size() + more);
}

void BufferState::do_reset() noexcept {
  if (data_ != nullptr) move_window(data_, data_, data_ + capacity_);
}

}  // namespace

BufferSink::BufferSink(std::uint64_t max_bytes) : Sink(std::make_unique<BufferState>(max_bytes)) {}

std::string_view BufferSink::view() const noexcept {
  return static_cast<const BufferState&>(state()).view();
}

}  // namespace polycodec
