// SPDX-License-Identifier: MIT
// Parts of a large file that are read at the same time.
#pragma once

#include <base/fresh_pages.hpp>
#include <base/threads.hpp>
#include <polycodec/call.hpp>

#include "codec.hpp"
#include "indices.hpp"
#include "model.hpp"
#include "reader.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace polycodec::obj {

/// Files with fewer bytes are read at once.
inline constexpr std::uint64_t least_for_chunks = 1 << 20;

/// Reads chunks of whole lines at the same time, each into a model of its own, and adds these to
/// the model of the file in their order. Few are on the way at a time, so that their memory stays
/// in the cache.
class Chunks {
 public:
  /// What the whole file is read with.
  struct Whole {
    Model& model;
    Indices& indices;
    Reader& reader;
    /// Reads the statements of `text`, in order and into the model.
    std::function<void(const Call& call, std::string_view text)> read;
  };

  Chunks(const Settings& settings, const Call& call, bool wants_faces, const Whole& whole);
  ~Chunks();

  /// Reads from the start of `text` on, where a line begins; maybe not all of it. Returns where the
  /// rest begins. This thread reads the chunk that comes next into the model of the file: alone, it
  /// needs no other models.
  const char* read(std::string_view text);

 private:
  struct Part;
  /// A chunk that a thread reads, or has read.
  struct Chunk {
    std::string_view text;
    std::unique_ptr<Part> part;  // what was read
    bool has_failed = false;     // it could not be read alone
  };
  /// What was read, with its place in the model.
  struct Placed {
    std::unique_ptr<Part> part;
    Model::Place at;
  };
  using Lock = std::unique_lock<Mutex>;

  Chunk& chunk(std::uint64_t i) noexcept {
    return chunks_[static_cast<std::size_t>(i % chunks_.size())];
  }
  std::unique_ptr<Part> take_part();
  void read_part(const Call& call, Chunk& chunk, Lock& lock);
  void read_directly(const Call& call, Lock& lock);
  bool is_read(const Chunk& chunk) const noexcept;
  void read_again(const Call& call, Lock& lock);
  void add_all(const Call* call, Lock& lock);
  void add_rest();
  Placed place_next();
  void copy_next(bool has_grown, Lock& lock);

  const Settings& settings_;
  const Call& call_;
  const bool wants_faces_;
  const Whole whole_;
  Mutex mutex_;
  std::vector<Chunk> chunks_;                // the last ones that were taken
  std::vector<std::unique_ptr<Part>> free_;  // what was used last comes next: it is in the cache
  std::array<FreshPages, Model::long_columns> fresh_;
  std::uint64_t taken_ = 0, next_ = 0;  // chunks that were taken, and that are in the model
  std::uint64_t copying_ = 0;           // chunks that have their place, at this moment
  bool is_growing_ = false;             // the model has got memory that nobody has touched yet
};

}  // namespace polycodec::obj
