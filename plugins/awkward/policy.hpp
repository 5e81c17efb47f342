// SPDX-License-Identifier: MIT
// Which blobs are compressed on writing, and how.
#pragma once

#include <model/type/type.hpp>
#include <polycodec/codec.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::awkward {

enum class Method : std::uint8_t { none, zlib, lzma };

/// What a blob is before it is compressed.
struct BlobFacts {
  std::uint64_t bytes = 0;
  std::uint32_t dtype = POLYCODEC_DTYPE_NONE;  ///< of the elements
  std::uint32_t item_size = 0;
  std::uint32_t unit = 0;
  std::string_view context;  ///< which argument of which class it is, such as "JaggedArray.counts"
};

/// One rule: it applies to a blob that has at least min_size bytes, elements of one of the types,
/// and a context that one of the patterns fits.
struct CompressionRule {
  std::uint64_t min_size = 0;
  std::vector<type::Type> types;      ///< patterns; empty: all
  std::vector<std::string> contexts;  ///< shell patterns; empty: all
  Method method = Method::zlib;
  int level = 6;
  std::vector<std::string> decompressor;  ///< what the schema calls, such as zlib, decompress
};

/// Rules in order: the first that applies to a blob decides.
class CompressionPolicy {
 public:
  /// The format's own default: booleans, integers and spans of time of 8192 bytes and more with
  /// zlib.
  CompressionPolicy();

  /// From the option `compression`: true (everything with zlib), false or null (nothing), the name
  /// of a method, a pair of compressor and decompressor, a rule, or a list of these. Throws
  /// Error(option).
  static CompressionPolicy from(NodeView option);

  /// The rule for a blob; null: leave it as it is.
  const CompressionRule* choose(const BlobFacts& facts) const;

 private:
  std::vector<CompressionRule> rules_;
};

/// `bytes`, compressed as the rule says: an RFC 1950 stream or an .xz container. Throws
/// Error(memory).
std::vector<std::byte> compress(const CompressionRule& rule, std::string_view bytes);

}  // namespace polycodec::awkward
