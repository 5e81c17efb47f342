// SPDX-License-Identifier: MIT
#include "chunks.hpp"

#include <base/line_chunks.hpp>
#include <base/scratch_arena.hpp>

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

namespace polycodec::obj {
namespace {

constexpr std::uint64_t chunk_bytes = 1 << 16;
static_assert(chunk_bytes < relative_bias);  // a chunk has fewer rows
// Chunks of each thread that are on the way.
constexpr std::size_t most_chunks = 4;
// Chunks of a loop, at whose end threads wait for each other.
constexpr std::uint64_t loop_chunks = 1024;

}  // namespace

struct Chunks::Part {
  explicit Part(std::uint64_t max_bytes) : arena(max_bytes), out(arena.abi()), model(out) {}

  void read(const Settings& settings, bool wants_faces, std::string_view text) {
    model.clear();
    lexer.emplace(text, settings.float32);
    indices.emplace(*lexer, model, true);
    Corners corners(*lexer, *indices, settings.strict);
    Reader reader(settings, wants_faces, *lexer, model, *indices, corners, nullptr);
    while (!lexer->at_end()) reader.statement();
    unknown = reader.unknown();
  }

  ScratchArena arena;
  Builder out;
  Model model;
  std::optional<Lexer> lexer;
  std::optional<Indices> indices;
  Unknown unknown;
};

Chunks::Chunks(const Settings& settings, const Call& call, bool wants_faces, const Whole& whole)
    : settings_(settings),
      call_(call),
      wants_faces_(wants_faces),
      whole_(whole),
      chunks_(most_chunks * call.threads()) {
  free_.reserve(chunks_.size());
}

Chunks::~Chunks() = default;

const char* Chunks::read(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  bool is_over = false;
  const ThreadId self = this_thread();
  const auto next_chunk = [&](Call& child) {
    const bool is_self = this_thread() == self;
    Lock lock(mutex_);
    // One that comes next is late: all wait for it at the end of the loop.
    if (taken_ - next_ == chunks_.size()) is_over = true;
    if (is_over || at == end) return;
    Chunk& taken = chunk(taken_);
    const char* const begin = std::exchange(at, cut_lines(at, end, chunk_bytes, '\\'));
    taken.text = {begin, static_cast<std::size_t>(at - begin)};
    if (taken_++ == next_ && is_self && copying_ == 0)
      read_directly(child, lock);
    else
      read_part(child, taken, lock);
    add_all(is_self ? &child : nullptr, lock);
  };
  call_.parallel_for(std::min(text.size() / chunk_bytes + 1, loop_chunks), 1,
                     [&](Call& child, std::uint64_t from, std::uint64_t to) {
                       for (std::uint64_t i = from; i < to; ++i) next_chunk(child);
                     });
  add_rest();
  return at;
}

std::unique_ptr<Chunks::Part> Chunks::take_part() {
  if (free_.empty())
    return std::make_unique<Part>(call_.limits().max_memory_bytes / chunks_.size());
  std::unique_ptr<Part> part = std::move(free_.back());
  free_.pop_back();
  return part;
}

void Chunks::read_part(const Call& call, Chunk& chunk, Lock& lock) {
  std::unique_ptr<Part> part;
  bool is_read = false;
  try {
    part = take_part();
  } catch (const Error&) {
  } catch (const std::bad_alloc&) {
  }
  lock.unlock();
  call.tick(chunk.text.size());  // about a unit for each byte of text
  try {
    if (part != nullptr) part->read(settings_, wants_faces_, chunk.text);
    is_read = part != nullptr;
  } catch (const Error&) {  // also if the chunk needs much memory
  } catch (const NeedsWholeFile&) {
  } catch (const std::bad_alloc&) {
  }
  lock.lock();
  chunk.has_failed = !is_read;
  if (is_read)
    chunk.part = std::move(part);
  else if (part != nullptr)
    free_.push_back(std::move(part));
}

// The chunk that comes next. Nobody copies to the model meanwhile.
void Chunks::read_directly(const Call& call, Lock& lock) {
  const std::string_view text = chunk(next_).text;
  lock.unlock();
  whole_.read(call, text);
  lock.lock();
  ++next_;
}

bool Chunks::is_read(const Chunk& chunk) const noexcept {
  return chunk.part != nullptr && whole_.indices.has_rows_of(*chunk.part->indices);
}

// What is wrong with the chunk that comes next is found again, in its place among all others.
void Chunks::read_again(const Call& call, Lock& lock) {
  Chunk& first = chunk(next_);
  if (first.part != nullptr) free_.push_back(std::move(first.part));
  first.has_failed = false;
  read_directly(call, lock);
}

// Adds the chunks that come next, up to one that is being read. Only the thread of the call, which
// gives a call, makes columns larger and reads directly, and only when no other copies.
void Chunks::add_all(const Call* call, Lock& lock) {
  while (next_ != taken_ && !is_growing_) {
    const Chunk& first = chunk(next_);
    if (first.part == nullptr && !first.has_failed) return;
    const bool has_room = is_read(first) && whole_.model.has_room(first.part->model);
    if (!has_room && (call == nullptr || copying_ != 0)) return;
    if (!is_read(first)) {
      read_again(*call, lock);
      continue;
    }
    is_growing_ = !has_room;
    copy_next(!has_room, lock);
  }
}

// The same after a loop, where this thread may not have come by.
void Chunks::add_rest() {
  Lock lock(mutex_);
  while (next_ != taken_) {
    std::vector<Placed> all;
    while (next_ != taken_ && is_read(chunk(next_))) all.push_back(place_next());
    call_.parallel_for(all.size(), 1, [&](const Call&, std::uint64_t from, std::uint64_t to) {
      for (std::uint64_t i = from; i < to; ++i)
        whole_.model.copy(all[static_cast<std::size_t>(i)].at,
                          all[static_cast<std::size_t>(i)].part->model);
    });
    for (Placed& placed : all) free_.push_back(std::move(placed.part));
    if (next_ != taken_) read_again(call_, lock);
  }
}

Chunks::Placed Chunks::place_next() {
  Placed placed{std::move(chunk(next_++).part), {}};
  const Part& part = *placed.part;
  placed.at = whole_.model.make_room(part.model, part.indices->has_relative());
  whole_.indices.add(*part.indices);
  whole_.reader.add_unknown(part.unknown);
  return placed;
}

// `has_grown`: the columns move, and nobody has touched their room yet.
void Chunks::copy_next(bool has_grown, Lock& lock) {
  Placed placed = place_next();
  std::array<FreshPages::Piece, Model::long_columns> pieces;
  whole_.model.each_long_column([&](std::size_t i, const auto& column) {
    constexpr std::size_t item = sizeof *column.data();
    pieces[i] = fresh_[i].next(column.data(), column.size() * item, column.capacity() * item);
  });
  ++copying_;
  lock.unlock();
  std::ranges::for_each(pieces, touch);
  if (has_grown) {
    lock.lock();
    is_growing_ = false;
    lock.unlock();
  }
  whole_.model.copy(placed.at, placed.part->model);
  lock.lock();
  --copying_;
  free_.push_back(std::move(placed.part));
}

}  // namespace polycodec::obj
