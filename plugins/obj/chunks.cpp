// SPDX-License-Identifier: MIT
#include "chunks.hpp"

#include <base/line_chunks.hpp>
#include <base/scratch_arena.hpp>
#include <base/threads.hpp>

#include <algorithm>
#include <memory>
#include <new>
#include <optional>

namespace polycodec::obj {
namespace {

// Each thread reads several chunks between two times that all wait for each other.
constexpr std::size_t chunks_a_thread = 8, least_chunks = 16, most_chunks = 128;
constexpr std::uint64_t chunk_bytes = 1 << 17;
static_assert(chunk_bytes < relative_bias);  // a chunk has fewer rows

}  // namespace

struct Chunks::Chunk {
  std::unique_ptr<ScratchArena> arena;
  std::unique_ptr<Builder> out;
  std::unique_ptr<Model> model;
  std::unique_ptr<Lexer> lexer;
  std::optional<Indices> indices;
  Unknown unknown;
  Model::Place place{};
  bool is_read = false;

  void read(const Settings& settings, bool wants_faces, std::string_view text,
            std::uint64_t max_bytes) {
    if (model == nullptr) {
      arena = std::make_unique<ScratchArena>(max_bytes);
      out = std::make_unique<Builder>(arena->abi());
      model = std::make_unique<Model>(*out);
    }
    model->clear();
    lexer = std::make_unique<Lexer>(text, settings.float32);
    indices.emplace(*lexer, *model, true);
    Corners corners(*lexer, *indices, settings.strict);
    Reader reader(settings, wants_faces, *lexer, *model, *indices, corners, nullptr);
    while (!lexer->at_end()) reader.statement();
    unknown = reader.unknown();
  }
};

Chunks::Chunks(const Settings& settings, const Call& call, bool wants_faces)
    : settings_(settings),
      call_(call),
      wants_faces_(wants_faces),
      chunks_(std::clamp(chunks_a_thread * call.threads(), least_chunks, most_chunks)) {}

Chunks::~Chunks() = default;

std::size_t Chunks::read(std::string_view text, const ReadOn& read_on) {
  cuts_ = cut_lines(text, chunk_bytes, chunks_.size(), '\\');
  const std::uint64_t max_bytes = call_.limits().max_memory_bytes / chunks_.size();
  const ThreadId self = this_thread();
  std::size_t direct = 0;  // only this thread looks at it
  call_.parallel_for(size(), 1, [&](Call& child, std::uint64_t from, std::uint64_t to) {
    for (auto i = static_cast<std::size_t>(from); i < to; ++i) {
      Chunk& chunk = chunks_[i];
      chunk.is_read = false;
      if (this_thread() == self && i == direct) {
        read_on(child, cuts_[++direct]);
        continue;
      }
      const std::string_view lines(cuts_[i], static_cast<std::size_t>(cuts_[i + 1] - cuts_[i]));
      child.tick(lines.size());  // about a unit for each byte of text
      try {
        chunk.read(settings_, wants_faces_, lines, max_bytes);
        chunk.is_read = true;
      } catch (const Error&) {  // also if the chunk needs much memory
      } catch (const NeedsWholeFile&) {
      } catch (const std::bad_alloc&) {
      }
    }
  });
  return direct;
}

std::size_t Chunks::add_to(Model& model, Indices& indices, Reader& reader, std::size_t i) {
  const std::size_t first = i;
  for (; i < size() && chunks_[i].is_read && indices.has_rows_of(*chunks_[i].indices); ++i) {
    Chunk& chunk = chunks_[i];
    chunk.place = model.place();
    model.make_room(*chunk.model);
    indices.add(*chunk.indices);
    reader.add_unknown(chunk.unknown);
  }
  call_.parallel_for(i - first, 1, [&](Call&, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t k = first + from; k < first + to; ++k)
      model.copy(chunks_[static_cast<std::size_t>(k)].place,
                 *chunks_[static_cast<std::size_t>(k)].model);
  });
  return i;
}

}  // namespace polycodec::obj
