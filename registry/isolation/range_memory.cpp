// SPDX-License-Identifier: MIT
#include "registry/isolation/range_memory.hpp"

#include <polycodec/error.hpp>

#include "core/call/border.hpp"
#include "registry/isolation/protocol.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec::isolation {
namespace {

/// Parts from this size on are referenced.
constexpr std::uint64_t least_reference = 4096;

std::int32_t refuse(polycodec_error* error, std::uint64_t size, const char* limit) {
  return fill_error(error, Status::limit,
                    "the call would take " + std::to_string(size) +
                        " bytes more than its memory in the sandbox holds: raise " + limit);
}

}  // namespace

RangeArena::RangeArena() noexcept {
  abi_.struct_size = sizeof abi_;
  abi_.private_data = this;
  abi_.grow = &grow;
  abi_.resize = &resize;
  abi_.adopt = &adopt;
}

void RangeArena::use(std::uint64_t begin, std::uint64_t end) noexcept {
  abi_.cursor = pointer<std::uint8_t>(begin);
  abi_.limit = pointer<std::uint8_t>(end);
}

void RangeArena::release() noexcept {
  while (!adopted_.empty()) {
    const Adopted last = adopted_.back();
    adopted_.pop_back();
    give_back([&] { last.release(last.object); });
  }
  extents_.clear();
}

std::string_view RangeArena::region_of(const void* data, std::uint64_t size) const noexcept {
  for (const std::string_view extent : extents_)
    if (const auto found = region_around(extent, data, size); !found.empty()) return found;
  return {};
}

std::uint64_t RangeArena::used_end() const noexcept {
  return number(abi_.cursor);
}

std::int32_t RangeArena::grow(polycodec_arena*, std::uint64_t size, std::uint64_t, void**,
                              polycodec_error* error) {
  return refuse(error, size, "max_memory_bytes");
}

std::int32_t RangeArena::resize(polycodec_arena* self, void** memory, std::uint64_t old_size,
                                std::uint64_t size, std::uint64_t align, polycodec_error* error) {
  auto* const block = static_cast<std::uint8_t*>(*memory);
  if (block != nullptr && block + old_size == self->cursor &&
      size <= static_cast<std::uint64_t>(self->limit - block)) {
    self->cursor = block + size;
    return POLYCODEC_OK;
  }
  if (block != nullptr && size <= old_size) return POLYCODEC_OK;
  void* const fresh = polycodec_arena_alloc(self, size, align, error);
  if (fresh == nullptr) return error->code;
  if (old_size != 0) std::memcpy(fresh, block, static_cast<std::size_t>(old_size));
  *memory = fresh;
  return POLYCODEC_OK;
}

std::int32_t RangeArena::adopt(polycodec_arena* self, void* object, void (*release)(void*),
                               const polycodec_bytes* extents, std::uint64_t n,
                               polycodec_error* error) {
  const auto code = guard(error, [&] {
    auto& arena = *static_cast<RangeArena*>(self->private_data);
    arena.extents_.reserve(arena.extents_.size() + static_cast<std::size_t>(n));
    arena.adopted_.push_back({object, release});
    for (std::uint64_t i = 0; i < n; ++i) arena.extents_.push_back(to_string_view(extents[i]));
  });
  if (code != POLYCODEC_OK) give_back([&] { release(object); });
  return code;
}

RangeSink::RangeSink(std::uint64_t begin, std::uint64_t end, Range shared, bool contiguous) noexcept
    : begin_(pointer<std::uint8_t>(begin)), run_(begin_), shared_(shared) {
  abi_.struct_size = sizeof abi_;
  abi_.flags = contiguous ? POLYCODEC_SINK_CONTIGUOUS : 0;
  abi_.cursor = begin_;
  abi_.limit = pointer<std::uint8_t>(end);
  abi_.private_data = this;
  abi_.grow = &grow;
  abi_.reference = &reference;
  abi_.expect = [](polycodec_sink* self, std::uint64_t size, polycodec_error* error) {
    return size <= static_cast<std::uint64_t>(self->limit - self->cursor)
               ? std::int32_t{POLYCODEC_OK}
               : refuse(error, size, "max_output_bytes");
  };
  abi_.adopt = &adopt;
}

RangeSink::~RangeSink() {
  for (const Adopted& one : adopted_) give_back([&] { one.release(one.object); });
}

void RangeSink::end_run() {
  if (run_ != abi_.cursor)
    segments_.push_back({run_, static_cast<std::uint64_t>(abi_.cursor - run_)});
  run_ = abi_.cursor;
}

const std::vector<polycodec_bytes>& RangeSink::finish() {
  end_run();
  return segments_;
}

std::uint64_t RangeSink::used_end() const noexcept {
  return number(abi_.cursor);
}

std::int32_t RangeSink::grow(polycodec_sink* self, std::uint64_t need, polycodec_error* error) {
  return need <= static_cast<std::uint64_t>(self->limit - self->cursor)
             ? std::int32_t{POLYCODEC_OK}
             : refuse(error, need, "max_output_bytes");
}

std::int32_t RangeSink::reference(polycodec_sink* self, const void* data, std::uint64_t size,
                                  polycodec_error* error) {
  return guard(error, [&] {
    auto& sink = *static_cast<RangeSink*>(self->private_data);
    if ((self->flags & POLYCODEC_SINK_CONTIGUOUS) == 0 && size >= least_reference &&
        sink.shared_.holds(data, size)) {
      sink.end_run();
      sink.segments_.push_back({data, size});
      return;
    }
    if (auto code = grow(self, size, error); code != POLYCODEC_OK) throw to_error(code, *error);
    if (size != 0) std::memcpy(self->cursor, data, static_cast<std::size_t>(size));
    self->cursor += size;
  });
}

std::int32_t RangeSink::adopt(polycodec_sink* self, void* object, void (*release)(void*),
                              const polycodec_bytes*, std::uint64_t, polycodec_error* error) {
  const auto code = guard(error, [&] {
    static_cast<RangeSink*>(self->private_data)->adopted_.push_back({object, release});
  });
  if (code != POLYCODEC_OK) give_back([&] { release(object); });
  return code;
}

}  // namespace polycodec::isolation
