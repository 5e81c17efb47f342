// SPDX-License-Identifier: MIT
#include "test_memory.hpp"

#include <polycodec/error.hpp>
#include <polycodec/store.hpp>

#include "case.hpp"
#include "plugin.hpp"

#include <algorithm>
#include <cstdlib>

namespace polycodec::kit {

AdoptedObjects::~AdoptedObjects() {
  for (auto it = objects_.rbegin(); it != objects_.rend(); ++it) it->second(it->first);
}

// -- CountingArena --------------------------------------------------------------------------------------------------

CountingArena::CountingArena(std::uint64_t refuse_from) noexcept
    : abi_{sizeof(polycodec_arena), 0, nullptr, nullptr, &CountingArena::grow, &CountingArena::adopt, this},
      refuse_from_(refuse_from) {}

CountingArena::~CountingArena() {
  for (void* block : blocks_) std::free(block);
}

void* CountingArena::grow(polycodec_arena* arena, std::uint64_t size, std::uint64_t align) {
  auto* self = static_cast<CountingArena*>(arena->host_data);
  constexpr std::uint64_t enough = std::uint64_t{1} << 30;  // no test needs more; a hostile count may ask for it
  if (self->requests_++ >= self->refuse_from_ || size > enough || align > 4096) return nullptr;
  const std::uint64_t unit = std::max<std::uint64_t>(align, sizeof(void*));
  void* block = std::aligned_alloc(unit, std::max((size + unit - 1) / unit * unit, unit));
  if (block != nullptr) self->blocks_.push_back(block);
  return block;
}

std::int32_t CountingArena::adopt(polycodec_arena* arena, void* object, void (*release)(void*)) {
  auto* self = static_cast<CountingArena*>(arena->host_data);
  if (self->requests_++ >= self->refuse_from_) return release(object), POLYCODEC_ERROR_MEMORY;
  return self->adopted_.add(object, release), POLYCODEC_OK;
}

// -- CollectingSink -------------------------------------------------------------------------------------------------

struct CollectingSink::Thunks {
  static CollectingSink& self(polycodec_sink* sink) { return *static_cast<CollectingSink*>(sink->host_data); }

  static std::int32_t grow(polycodec_sink* sink, std::uint64_t need, polycodec_error* error) {
    CollectingSink& s = self(sink);
    s.close_window();
    if (need == 0 || need > POLYCODEC_MAX_WINDOW)
      s.complaint_ = "asked for a window of " + std::to_string(need) + " bytes";
    if (const auto code = s.refuse(error, need)) return code;
    const std::uint64_t size = s.small_windows_ ? need : std::max<std::uint64_t>(need, 65536);
    s.windows_.emplace_back(new std::uint8_t[size]);
    s.window_ = sink->cursor = s.windows_.back().get();
    sink->limit = s.window_ + size;
    return POLYCODEC_OK;
  }
  static std::int32_t reference(polycodec_sink* sink, const void* data, std::uint64_t size, polycodec_error* error) {
    CollectingSink& s = self(sink);
    s.close_window();
    if (data == nullptr && size != 0) s.complaint_ = "referenced bytes at NULL";
    if (const auto code = s.refuse(error, size)) return code;
    s.pieces_.push_back({s.names_.size(), data, size});
    s.written_ += size;
    return POLYCODEC_OK;
  }
  static std::int32_t expect(polycodec_sink* sink, std::uint64_t size, polycodec_error* error) {
    self(sink).close_window();
    return self(sink).refuse(error, size);
  }
  static std::int32_t begin_blob(polycodec_sink* sink, polycodec_bytes name, polycodec_error* error) {
    CollectingSink& s = self(sink);
    s.close_window();
    if (const auto code = s.refuse(error, 0)) return code;
    return guard(error, [&] {
      check_blob_name(to_string_view(name));
      if (std::find(s.names_.begin(), s.names_.end(), to_string_view(name)) != s.names_.end())
        s.complaint_ = "wrote two blobs of the same name";
      s.names_.emplace_back(to_string_view(name));
    });
  }
  static std::int32_t adopt(polycodec_sink* sink, void* object, void (*release)(void*)) {
    CollectingSink& s = self(sink);
    if (s.requests_++ >= s.refuse_from_) return release(object), POLYCODEC_ERROR_MEMORY;
    return s.adopted_.add(object, release), POLYCODEC_OK;
  }
};

CollectingSink::CollectingSink(const CallSettings& settings, bool blobs)
    : abi_{sizeof(polycodec_sink),
           0,
           nullptr,
           nullptr,
           &Thunks::grow,
           &Thunks::reference,
           &Thunks::expect,
           blobs ? &Thunks::begin_blob : nullptr,
           &Thunks::adopt,
           this},
      small_windows_(settings.small_windows),
      blobs_(blobs),
      max_bytes_(settings.limits.max_output_bytes),
      refuse_from_(settings.refuse_memory_from) {}

CollectingSink::~CollectingSink() = default;

void CollectingSink::close_window() {
  if (abi_.cursor == window_) return;
  if (abi_.cursor < window_ || abi_.cursor > abi_.limit) {
    complaint_ = "moved the cursor out of its window";
  } else {
    const auto size = static_cast<std::uint64_t>(abi_.cursor - window_);
    pieces_.push_back({names_.size(), window_, size});
    written_ += size;
  }
  // The rest of the window goes on behind what was written, unless windows are to be small.
  if (small_windows_ || abi_.cursor > abi_.limit) abi_.cursor = abi_.limit = nullptr;
  window_ = abi_.cursor;
}

std::int32_t CollectingSink::refuse(polycodec_error* error, std::uint64_t more) {
  if (written_ > max_bytes_ || more > max_bytes_ - written_)
    return fill_error(error, Status::limit, "the output would be too long");
  if (requests_++ >= refuse_from_) return fill_error(error, Status::memory, "the kit gives no more memory");
  return POLYCODEC_OK;
}

void CollectingSink::check() {
  close_window();
  if (blobs_ && !pieces_.empty() && pieces_.front().part == 0) complaint_ = "wrote bytes before the first blob";
  if (!complaint_.empty()) fail("the encoder " + complaint_);
}

std::vector<std::pair<std::string, std::string>> CollectingSink::take_parts() {
  std::vector<std::pair<std::string, std::string>> parts;
  if (!blobs_) names_.emplace_back();
  for (auto& name : names_) parts.emplace_back(std::move(name), std::string());
  for (const Piece& piece : pieces_)
    parts[blobs_ ? piece.part - 1 : 0].second.append(static_cast<const char*>(piece.data), piece.size);
  return parts;
}

}  // namespace polycodec::kit
