// SPDX-License-Identifier: MIT
// The blobs of an array.
#pragma once

#include <polycodec/codec.hpp>

#include "settings.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::awkward {

/// Writes the blobs of one array, those that are to be compressed several at a time.
class BlobWriter {
 public:
  /// `name`: of the array; blobs have it as prefix.
  BlobWriter(const Call& call, const WriteSettings& settings, std::string name, Writer& out);

  const std::string& prefix() const noexcept { return prefix_; }
  /// A number that no blob before has.
  std::uint64_t next_id() noexcept { return id_++; }
  /// The name of a blob without the prefix, as expressions have it.
  std::string short_name(std::uint64_t id) const;
  /// Begins a blob, which the caller writes.
  Writer& begin(std::uint64_t id);
  /// A blob of the bytes, which belong to the value or to `owned`, as the rule compresses them.
  void compress_later(std::uint64_t id, const CompressionRule& rule, std::string_view bytes,
                      std::vector<std::byte> owned);
  /// Writes the blobs that wait, and the schema as the last one.
  void finish(std::string_view schema);

 private:
  /// A blob that waits for others to be compressed with.
  struct Waiting {
    std::uint64_t id;
    const CompressionRule* rule;
    std::string_view bytes;        // of the value or of `owned`
    std::vector<std::byte> owned;  // then the compressed bytes
  };

  /// Writes the blobs that wait, which threads compress side by side.
  void write_compressed();

  const Call& call_;
  const WriteSettings& settings_;
  const std::string name_;
  const std::string prefix_;
  Writer& out_;
  std::uint64_t id_;
  std::vector<Waiting> waiting_;
  std::uint64_t waiting_bytes_ = 0;
};

}  // namespace polycodec::awkward
