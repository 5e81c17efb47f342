// SPDX-License-Identifier: MIT
// Parts of a large file that are read at the same time.
#pragma once

#include <polycodec/call.hpp>

#include "codec.hpp"
#include "indices.hpp"
#include "model.hpp"
#include "reader.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace polycodec::obj {

/// Files with fewer bytes are read at once.
inline constexpr std::uint64_t least_for_chunks = 1 << 20;

/// Reads chunks of whole lines, each into a model of its own, and puts the models together. Which
/// chunks there are depends on the text alone.
class Chunks {
 public:
  Chunks(const Settings& settings, const Call& call, bool wants_faces);
  ~Chunks();

  /// Reads what is before `end`, in order and into the model of the file.
  using ReadOn = std::function<void(const Call& call, const char* end)>;
  /// Reads chunks from the start of `text` on, where a line begins; maybe not all of it. This
  /// thread reads its chunks by `read_on`, as long as it comes to them in order: alone, it needs no
  /// other models. Returns how many chunks it has read so.
  std::size_t read(std::string_view text, const ReadOn& read_on);
  /// How many chunks were read.
  std::size_t size() const noexcept { return cuts_.size() - 1; }
  /// Where a chunk begins; of size(): where the last one ends.
  const char* begin(std::size_t i) const noexcept { return cuts_[i]; }
  /// Adds what chunk `i` and those after it have, up to one that cannot be read without what is
  /// before it, or has an error. Returns its number, or size().
  std::size_t add_to(Model& model, Indices& indices, Reader& reader, std::size_t i);

 private:
  struct Chunk;

  const Settings& settings_;
  const Call& call_;
  const bool wants_faces_;
  std::vector<Chunk> chunks_;
  std::vector<const char*> cuts_;
};

}  // namespace polycodec::obj
