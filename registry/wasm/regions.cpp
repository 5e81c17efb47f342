// SPDX-License-Identifier: MIT
#include "registry/wasm/regions.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace polycodec::wasm {
namespace {

constexpr std::uint64_t huge_page = std::uint64_t{2} << 20;
/// Pages that are kept of regions without an instance, or that nobody needs, and such regions.
constexpr std::uint64_t most_kept = std::uint64_t{128} << 20;
constexpr std::size_t most_idle_regions = 8;

}  // namespace

bool Region::grow_to(std::uint64_t bytes) noexcept {
  if (bytes > reserved) return false;
  if (bytes > writable) {
    const std::uint64_t next =
        std::min<std::uint64_t>((bytes + huge_page - 1) & ~(huge_page - 1), reserved);
    if (::mprotect(base + writable, next - writable, PROT_READ | PROT_WRITE) != 0) return false;
    writable = next;
  }
  const std::uint64_t from = std::max(size, filled), to = std::min(bytes, stale);
  if (from < to) std::memset(base + from, 0, to - from);
  size = bytes;
  return true;
}

bool Region::map_file(polycodec_bytes bytes, std::uint64_t at) {
  if (home.files == nullptr || file_size != 0) return false;
  file_begin = at, file_size = bytes.size;
  if (home.files->map_again(bytes, base + at)) return true;
  file_size = 0;
  return false;
}

bool Region::end_file() noexcept {
  if (file_size == 0) return true;
  if (!home.files->end_again(base + file_begin, file_size)) return false;
  ::madvise(base + file_begin, file_size, MADV_HUGEPAGE);
  file_size = 0;
  return true;
}

void Regions::serve(Config* config) {
  MemoryCreator creator{this, &make, nullptr};
  api_.wasmtime_config_host_memory_creator_set(config, &creator);
}

Failure* Regions::make(void* env, const void*, std::size_t minimum, std::size_t,
                       std::size_t reserved, std::size_t guard, LinearMemory* to) noexcept {
  auto& all = *static_cast<Regions*>(env);
  Region* const region = all.take(reserved, reserved + guard);
  if (region == nullptr)
    return all.api_.wasmtime_error_new("no address space is left for its linear memory");
  if (!region->grow_to(minimum)) {
    all.give(*region);
    return all.api_.wasmtime_error_new("no memory is left for it");
  }
  to->env = region;
  to->get = [](void* of, std::size_t* size, std::size_t* capacity) {
    const Region& from = *static_cast<Region*>(of);
    *size = from.size;
    *capacity = from.reserved;
    return from.base;
  };
  to->grow = [](void* of, std::size_t size) -> Failure* {
    Region& grown = *static_cast<Region*>(of);
    return grown.grow_to(size) ? nullptr
                               : grown.home.api_.wasmtime_error_new("no memory is left for it");
  };
  to->finalizer = [](void* of) {
    Region& ended = *static_cast<Region*>(of);
    ended.home.give(ended);
  };
  return nullptr;
}

Region* Regions::take(std::size_t reserved, std::size_t mapped) noexcept {
  const std::scoped_lock lock(mutex_);
  for (auto i = idle_.end(); i != idle_.begin();) {
    Region& region = **--i;
    if (region.reserved != reserved || region.mapped != mapped) continue;
    idle_.erase(i);
    kept_ -= region.stale;
    return &region;
  }
  void* const base =
      ::mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return nullptr;
  // Much memory is of huge pages: small ones have a fault each, which takes longer than most work.
  auto* const data = static_cast<std::uint8_t*>(base);
  if (reserved > huge_page) ::madvise(data + huge_page, reserved - huge_page, MADV_HUGEPAGE);
  try {
    return &all_.try_emplace(data, Region{*this, data, reserved, mapped}).first->second;
  } catch (const std::bad_alloc&) {
    ::munmap(base, mapped);
    return nullptr;
  }
}

void Regions::give(Region& region) noexcept {
  const std::scoped_lock lock(mutex_);
  if (std::erase(spares_, &region) != 0) kept_ -= region.spare_end - region.spare_begin;
  region.stale = std::max(region.stale, region.size);
  region.size = region.filled = 0;
  if (!region.end_file() || idle_.size() == most_idle_regions) return unmap(region);
  if (const std::uint64_t room = most_kept - kept_; region.stale > room) {
    const std::uint64_t rest = room & ~(huge_page - 1);
    if (::madvise(region.base + rest, region.stale - rest, MADV_DONTNEED) != 0)
      return unmap(region);
    region.stale = rest;
  }
  try {
    idle_.push_back(&region);
  } catch (const std::bad_alloc&) {
    return unmap(region);
  }
  kept_ += region.stale;
  stir_();
}

void Regions::unmap(Region& region) noexcept {
  ::munmap(region.base, region.mapped);
  all_.erase(region.base);
}

Region& Regions::at(const std::uint8_t* base) {
  const std::scoped_lock lock(mutex_);
  return all_.at(base);
}

void Regions::spare(Region& region, std::uint64_t begin, std::uint64_t end) noexcept {
  if (region.file_size != 0) return static_cast<void>(region.end_file());
  begin = (begin + 4095) & ~std::uint64_t{4095};
  end &= ~std::uint64_t{4095};
  if (begin >= end) return;
  const std::scoped_lock lock(mutex_);
  region.spare_begin = begin;
  region.spare_end = end;
  if (end - begin <= most_kept - kept_) try {
      spares_.push_back(&region);
      kept_ += end - begin;
      return stir_();
    } catch (const std::bad_alloc&) {  // NOLINT: they go at once
    }
  ::madvise(region.base + begin, end - begin, MADV_DONTNEED);
}

Marks Regions::take_marks(std::size_t size) {
  Marks marks;
  {
    const std::scoped_lock lock(mutex_);
    std::swap(marks, marks_);
  }
  if (marks.size >= size) {
    std::memset(marks.data.get(), 0, size);
    return marks;
  }
  marks.data.reset(static_cast<std::uint8_t*>(std::calloc(size, 1)));
  if (marks.data == nullptr) throw std::bad_alloc();
  marks.size = size;
  return marks;
}

void Regions::give_marks(Marks marks) noexcept {
  if (marks.size > most_kept / 8) return;
  const std::scoped_lock lock(mutex_);
  if (marks.size > marks_.size) std::swap(marks, marks_);
}

void Regions::trim() noexcept {
  const std::scoped_lock lock(mutex_);
  marks_ = {};
  for (Region* const region : idle_) unmap(*region);
  for (const Region* const region : spares_)
    ::madvise(region->base + region->spare_begin, region->spare_end - region->spare_begin,
              MADV_DONTNEED);
  idle_.clear(), spares_.clear();
  kept_ = 0;
}

}  // namespace polycodec::wasm
