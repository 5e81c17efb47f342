// SPDX-License-Identifier: MIT
#include "memory.hpp"

#include <polycodec/error.hpp>

#include "case.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace polycodec::kit {

void Regions::add(const void* data, std::uint64_t size) {
  if (size != 0) ranges_.push_back({data, size});
}

void Regions::add(const Regions& others) {
  ranges_.insert(ranges_.end(), others.ranges_.begin(), others.ranges_.end());
}

bool Regions::contains(const void* data, std::uint64_t size) const noexcept {
  return size == 0 || std::any_of(ranges_.begin(), ranges_.end(), [&](const auto& range) {
           const auto from = reinterpret_cast<std::uintptr_t>(data) -
                             reinterpret_cast<std::uintptr_t>(range.data);
           return from < range.size && size <= range.size - from;
         });
}

Adopted::~Adopted() {
  for (auto it = objects_.rbegin(); it != objects_.rend(); ++it) it->second(it->first);
}

std::int32_t Adopted::take(std::int32_t code, void* object, void (*release)(void*),
                           const polycodec_bytes* extents, std::uint64_t n) {
  if (code != POLYCODEC_OK) return release(object), code;
  objects_.emplace_back(object, release);
  for (std::uint64_t i = 0; i < n; ++i) regions_.add(to_string_view(extents[i]));
  return POLYCODEC_OK;
}

// -- the arena ------------------------------------------------------------------------------------

struct TestArena::Thunks {
  static TestArena& of(polycodec_arena* arena) {
    return *static_cast<TestArena*>(arena->private_data);
  }
  static std::int32_t refuse(TestArena& a, std::uint64_t size, polycodec_error* error) {
    constexpr std::uint64_t enough = std::uint64_t{1} << 30;  // no test needs more
    if (size > enough || size > a.max_bytes_ - a.used_)
      return fill_error(error, Status::limit, "more memory than max_memory_bytes allows");
    if (a.requests_.refused())
      return fill_error(error, Status::memory, "the kit gives no more memory");
    return POLYCODEC_OK;
  }
  static std::int32_t grow(polycodec_arena* arena, std::uint64_t size, std::uint64_t align,
                           void** memory, polycodec_error* error) {
    TestArena& a = of(arena);
    if (align == 0 || (align & (align - 1)) != 0 || align > 4096)
      return fill_error(error, Status::plugin, "the alignment is not a power of two up to 4096");
    if (const auto code = refuse(a, size, error)) return code;
    constexpr std::uint64_t chunk = 65536;
    const std::uint64_t unit = std::max<std::uint64_t>(align, sizeof(void*));
    const std::uint64_t whole = std::max(a.exact_ ? size : std::max(size, chunk), unit);
    auto* block =
        static_cast<std::uint8_t*>(std::aligned_alloc(unit, (whole + unit - 1) / unit * unit));
    if (block == nullptr) return fill_error(error, Status::memory, "no memory");
    std::memset(block, 0xa5, whole);
    a.used_ += size;
    if (!a.blocks_.empty() && arena->cursor != nullptr)
      a.blocks_.back().size = static_cast<std::uint64_t>(arena->cursor - a.blocks_.back().data);
    a.blocks_.push_back({block, size});
    arena->cursor = a.exact_ ? nullptr : block + size;
    arena->limit = a.exact_ ? nullptr : block + whole;
    *memory = block;
    return POLYCODEC_OK;
  }
  static std::int32_t resize(polycodec_arena* arena, void** memory, std::uint64_t old_size,
                             std::uint64_t size, std::uint64_t align, polycodec_error* error) {
    void* fresh = nullptr;
    TestArena& a = of(arena);
    // From the window where it has room: a plugin may resize many small blocks.
    const bool has_room =
        !a.exact_ && arena->cursor != nullptr &&
        static_cast<std::uint64_t>(arena->limit - arena->cursor) / 2 >= std::max(size, align);
    const auto code = has_room ? refuse(a, size, error) : grow(arena, size, align, &fresh, error);
    if (code != POLYCODEC_OK) return code;
    if (has_room) fresh = polycodec_arena_alloc(arena, size, align, error);
    if (std::min(old_size, size) != 0) std::memcpy(fresh, *memory, std::min(old_size, size));
    if (old_size != 0) std::memset(*memory, 0xdd, old_size);
    *memory = fresh;
    return POLYCODEC_OK;
  }
  static std::int32_t adopt(polycodec_arena* arena, void* object, void (*release)(void*),
                            const polycodec_bytes* extents, std::uint64_t n,
                            polycodec_error* error) {
    return of(arena).adopted_.take(refuse(of(arena), 0, error), object, release, extents, n);
  }
};

TestArena::TestArena(std::uint64_t max_bytes, std::uint64_t refuse_from, bool exact) noexcept
    : abi_{sizeof abi_, 0, nullptr, nullptr, this, &Thunks::grow, &Thunks::resize, &Thunks::adopt},
      max_bytes_(max_bytes),
      requests_{refuse_from, true},  // who does not look at one gets the next
      exact_(exact) {}

TestArena::~TestArena() {
  for (const Block& block : blocks_) std::free(block.data);
}

std::uint64_t TestArena::size_of(const Block& block) const noexcept {
  const bool open = &block == &blocks_.back() && abi_.cursor != nullptr;
  return open ? static_cast<std::uint64_t>(abi_.cursor - block.data) : block.size;
}

Regions TestArena::regions() const {
  Regions regions = adopted_.regions();
  for (const Block& block : blocks_) regions.add(block.data, size_of(block));
  return regions;
}

std::uint64_t TestArena::size() const noexcept {
  std::uint64_t all = 0;
  for (const Block& block : blocks_) all += size_of(block);
  return all;
}

void TestArena::check() const {
  const bool inside =
      blocks_.empty() || abi_.cursor == nullptr
          ? abi_.cursor == nullptr
          : abi_.cursor >= blocks_.back().data + blocks_.back().size && abi_.cursor <= abi_.limit;
  require(inside, "the plugin moved the arena's cursor out of its window");
}

// -- the sink -------------------------------------------------------------------------------------

struct TestSink::Thunks {
  static TestSink& of(polycodec_sink* sink) { return *static_cast<TestSink*>(sink->private_data); }

  static std::int32_t grow(polycodec_sink* sink, std::uint64_t need, polycodec_error* error) {
    TestSink& s = of(sink);
    if (!s.settings_.contiguous) s.close_window();
    if (need == 0 || (need > POLYCODEC_MAX_WINDOW && !s.settings_.contiguous))
      s.complaint_ = "asked for a window of " + std::to_string(need) + " bytes";
    if (const auto code = s.refuse(error, need)) return code;
    // A contiguous window moves each time, so it doubles.
    const std::uint64_t kept = s.settings_.contiguous ? s.open_bytes() : 0;
    const std::uint64_t wide = std::min(s.left(), std::max<std::uint64_t>(kept, 65536));
    s.open_window(s.settings_.small_windows ? need : std::max(need, wide));
    return POLYCODEC_OK;
  }
  static std::int32_t reference(polycodec_sink* sink, const void* data, std::uint64_t size,
                                polycodec_error* error) {
    TestSink& s = of(sink);
    if (data == nullptr && size != 0) s.complaint_ = "referenced bytes at NULL";
    if (s.settings_.contiguous) return polycodec_sink_put(sink, data, size, error);
    s.close_window();
    if (const auto code = s.refuse(error, size)) return code;
    s.pieces_.push_back({data, size, true});
    s.written_ += size;
    // The rest of the window is not wider than what may still be written.
    if (s.left() < static_cast<std::uint64_t>(sink->limit - sink->cursor))
      sink->limit = sink->cursor + s.left();
    return POLYCODEC_OK;
  }
  static std::int32_t expect(polycodec_sink* sink, std::uint64_t size, polycodec_error* error) {
    // A window of fixed size has room for it already.
    const bool fits =
        of(sink).settings_.fixed_size != never && size <= of(sink).settings_.fixed_size;
    return fits ? POLYCODEC_OK : of(sink).refuse(error, size);
  }
  static std::int32_t adopt(polycodec_sink* sink, void* object, void (*release)(void*),
                            const polycodec_bytes* extents, std::uint64_t n,
                            polycodec_error* error) {
    return of(sink).adopted_.take(of(sink).refuse(error, 0), object, release, extents, n);
  }
};

TestSink::TestSink(const SinkSettings& settings)
    : abi_{sizeof abi_,
           settings.contiguous ? POLYCODEC_SINK_CONTIGUOUS : 0,
           nullptr,
           nullptr,
           this,
           &Thunks::grow,
           &Thunks::reference,
           &Thunks::expect,
           &Thunks::adopt},
      settings_(settings),
      requests_{settings.refuse_from} {
  if (settings.fixed_size != never) open_window(settings.fixed_size);
}

/// Makes a window of `size` bytes. A contiguous one begins after what was written, which moves.
void TestSink::open_window(std::uint64_t size) {
  const std::uint64_t kept = settings_.contiguous && window_ != nullptr
                                 ? static_cast<std::uint64_t>(abi_.cursor - window_)
                                 : 0;
  windows_.emplace_back(new std::uint8_t[kept + size + 1]);
  if (kept != 0) {
    std::memcpy(windows_.back().get(), window_, kept);
    std::memset(window_, 0xdd, kept);
  }
  window_ = windows_.back().get();
  abi_.cursor = window_ + kept;
  abi_.limit = abi_.cursor + size;
}

void TestSink::close_window() {
  if (abi_.cursor == window_) return;
  if (abi_.cursor < window_ || abi_.cursor > abi_.limit) {
    complaint_ = "moved the cursor out of its window";
  } else {
    const auto size = static_cast<std::uint64_t>(abi_.cursor - window_);
    pieces_.push_back({window_, size, false});
    written_ += size;
  }
  // The rest of the window is used after what was written, unless windows are to be small.
  if (settings_.small_windows || abi_.cursor > abi_.limit) abi_.cursor = abi_.limit = nullptr;
  window_ = abi_.cursor;
}

std::uint64_t TestSink::open_bytes() const noexcept {
  return window_ == nullptr || abi_.cursor < window_
             ? 0
             : static_cast<std::uint64_t>(abi_.cursor - window_);
}

std::uint64_t TestSink::left() const noexcept {
  return settings_.max_bytes - std::min(settings_.max_bytes, written_ + open_bytes());
}

std::int32_t TestSink::refuse(polycodec_error* error, std::uint64_t more) {
  const bool refused_before = std::exchange(has_refused_, true);
  if (settings_.fixed_size != never && more != 0)
    return fill_error(error, Status::malformed, "more bytes than expected_size says");
  if (more > left())
    return fill_error(error, Status::limit, "more output than max_output_bytes allows");
  if (requests_.refused()) return fill_error(error, Status::memory, "the kit gives no more memory");
  has_refused_ = refused_before;
  return POLYCODEC_OK;
}

void TestSink::check(const Regions& regions) {
  close_window();
  for (const Piece& piece : pieces_)
    if (piece.referenced && !regions.contains(piece.data, piece.size) &&
        !adopted_.regions().contains(piece.data, piece.size))
      complaint_ = "referenced " + std::to_string(piece.size) +
                   " bytes that are neither of the value nor of the call";
  if (!complaint_.empty()) fail("the plugin " + complaint_);
}

std::uint64_t TestSink::copied() const noexcept {
  std::uint64_t all = 0;
  for (const Piece& piece : pieces_)
    if (!piece.referenced) all += piece.size;
  return all;
}

std::string TestSink::bytes() const {
  std::string all;
  for (const Piece& piece : pieces_)
    all.append(static_cast<const char*>(piece.data), static_cast<std::size_t>(piece.size));
  return all;
}

}  // namespace polycodec::kit
