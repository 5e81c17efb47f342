// SPDX-License-Identifier: MIT
// Elements of ascii bodies. Rows of large ones are read in chunks at the same time where each row
// is a line.
#include <base/line_chunks.hpp>
#include <base/scratch_arena.hpp>
#include <base/threads.hpp>

#include "ascii_reader.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

namespace polycodec::ply {
namespace {

// Each thread reads several chunks between two times that all wait for each other.
constexpr std::size_t chunks_a_thread = 8, least_chunks = 32, most_chunks = 128;
constexpr std::uint64_t chunk_bytes = 1 << 17;
// So much is read first, to see how long lists are.
constexpr std::uint64_t first_bytes = 4096;
// Shorter text is read at once.
constexpr std::uint64_t least_for_chunks = 1 << 20;

/// Lines of an element.
struct Chunk {
  std::string_view text;
  std::uint64_t row = 0;
  Element element;  // of as many rows as there are lines
  std::unique_ptr<ScratchArena> arena;
  std::unique_ptr<Builder> out;
  std::unique_ptr<Decoding> decoding;
  std::unique_ptr<AsciiReader> reader;
  std::uint64_t complete = 0;
  AsciiColumns::Places places;
  bool is_read = false;

  void read(const Decoding& whole, const Call& call, const Chosen& chosen, AsciiReader& to,
            std::uint64_t max_bytes) {
    is_read = false;
    arena = std::make_unique<ScratchArena>(max_bytes);
    out = std::make_unique<Builder>(arena->abi());
    decoding.reset(new Decoding{whole.settings, call, text, whole.header, *out, 0, element.count,
                                whole.notes, complete});
    try {
      reader = std::make_unique<AsciiReader>(*decoding, element, chosen, 0);
      reader->read_lines(to, row);
      is_read = true;
    } catch (const Error&) {  // also if the chunk needs much memory
    } catch (const std::bad_alloc&) {
    }
  }
};

class Chunks {
 public:
  Chunks(const Decoding& decoding, const Element& element, const Chosen& chosen, AsciiReader& to)
      : d_(decoding),
        element_(element),
        chosen_(chosen),
        to_(to),
        chunks_(std::clamp(chunks_a_thread * decoding.call.threads(), least_chunks, most_chunks)) {
    for (Chunk& chunk : chunks_) chunk.element = element;
  }

  /// Reads rows up to one that is not a line, or has an error, or to the last ones. Returns its
  /// number; the reader is there.
  std::uint64_t read() {
    if (!d_.settings.strict) to_.skip_spaces();  // such as the end of the line before
    row_ = to_.read(d_.call, 0, to_.position() + first_bytes);
    const std::uint64_t max_bytes = d_.call.limits().max_memory_bytes / chunks_.size();
    while (row_ < element_.count && to_.left() > chunk_bytes) {
      const std::size_t chunks = cut();
      const std::size_t first = direct_;
      if (to_.position() != cuts_[first]) break;  // rows are not lines
      make_room(first, chunks);
      d_.call.parallel_for(chunks - first, 1,
                           [&](Call& child, std::uint64_t from, std::uint64_t to) {
                             for (std::uint64_t i = from; i < to; ++i)
                               chunk(first + i).read(d_, child, chosen_, to_, max_bytes);
                           });
      const std::size_t joined = join(first, chunks);
      d_.call.parallel_for(joined - first, 1, [&](Call&, std::uint64_t from, std::uint64_t to) {
        for (std::uint64_t i = first + from; i < first + to; ++i)
          to_.columns().copy_lists(chunk(i).row, chunk(i).reader->columns(), chunk(i).places);
      });
      if (joined != first) row_ = chunks_[joined - 1].row + chunks_[joined - 1].element.count;
      if (joined != chunks) break;
    }
    return row_;
  }

 private:
  Chunk& chunk(std::uint64_t i) noexcept { return chunks_[static_cast<std::size_t>(i)]; }

  // Cuts the next chunks and finds out which rows they have. This thread reads its chunks on the
  // way, as long as it comes to them in order: alone, it needs no others. Returns how many chunks
  // there are with rows of the element.
  std::size_t cut() {
    cuts_ = cut_lines({to_.position(), static_cast<std::size_t>(to_.left())}, chunk_bytes,
                      chunks_.size());
    direct_ = 0;
    const ThreadId self = this_thread();
    const std::size_t all = cuts_.size() - 1;
    d_.call.parallel_for(all, 1, [&](Call& child, std::uint64_t from, std::uint64_t to) {
      for (std::uint64_t i = from; i < to; ++i) {
        if (this_thread() == self && i == direct_) {
          row_ = to_.read(child, row_, cuts_[++direct_]);
        } else {
          count(i, child);
        }
      }
    });
    std::uint64_t row = row_;
    for (std::size_t i = direct_; i < all; ++i) {
      if (row == element_.count) return i;
      Chunk& made = chunks_[i];
      made.row = row;
      if (made.element.count > element_.count - row) end_at(made, element_.count - row);
      row += made.element.count;
    }
    return all;
  }

  // The lines of a chunk.
  void count(std::uint64_t i, const Call& call) {
    const char* const begin = cuts_[static_cast<std::size_t>(i)];
    const char* const end = cuts_[static_cast<std::size_t>(i) + 1];
    Chunk& made = chunk(i);
    made.text = {begin, static_cast<std::size_t>(end - begin)};
    call.tick(made.text.size() / 16);
    made.element.count = count_newlines(made.text) + (end[-1] != '\n' ? 1 : 0);
  }

  // The rows of the element end in this chunk.
  static void end_at(Chunk& chunk, std::uint64_t rows) {
    std::size_t at = 0;
    for (std::uint64_t i = 0; i < rows; ++i) at = chunk.text.find('\n', at) + 1;
    chunk.text = chunk.text.substr(0, at);
    chunk.element.count = rows;
  }

  // Room for the lists of chunks, if they are as long as those before them.
  void make_room(std::size_t first, std::size_t chunks) {
    std::uint64_t rows = 0;
    for (std::size_t i = first; i < chunks; ++i) rows += chunks_[i].element.count;
    if (rows != 0) to_.columns().make_room(row_, rows, (to_.left() + 1) / 2);
  }

  // Makes room for the lists of chunks from `i` up to one that was not read; returns its number.
  std::size_t join(std::size_t i, std::size_t chunks) {
    const std::size_t first = i;
    while (i < chunks && chunks_[i].is_read) ++i;
    chunks = i;
    for (i = first; i < chunks; ++i) {
      Chunk& chunk = chunks_[i];
      // Lists that are where they belong stay there, and others must not be written over them.
      if (!to_.columns().are_in_place(chunk.row, chunk.reader->columns()))
        for (std::size_t k = i; k < chunks; ++k)
          chunks_[k].reader->columns().leave(to_.columns(), chunks_[k].row);
      chunk.places =
          to_.columns().make_room(chunk.row, chunk.reader->columns(), (to_.left() + 1) / 2);
      to_.move_to(chunk.text.data() + chunk.text.size());
    }
    return i;
  }

  const Decoding& d_;
  const Element& element_;
  const Chosen& chosen_;
  AsciiReader& to_;
  std::vector<Chunk> chunks_;
  std::vector<const char*> cuts_;
  std::uint64_t row_ = 0;   // where to_ is
  std::size_t direct_ = 0;  // chunks that to_ has read; only its thread looks at it
};

}  // namespace

Columns decode_ascii_element(const Decoding& decoding, const Element& element, const Chosen& chosen,
                             std::uint64_t& offset) {
  AsciiReader reader(decoding, element, chosen, offset);
  reader.begin();
  std::uint64_t row = 0;
  if (!decoding.settings.tolerant && !element.properties.empty() &&
      reader.left() >= least_for_chunks)
    row = Chunks(decoding, element, chosen, reader).read();
  static_cast<void>(reader.read(decoding.call, row));
  offset = reader.offset();
  return reader.columns().finish();
}

}  // namespace polycodec::ply
