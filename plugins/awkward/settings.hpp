// SPDX-License-Identifier: MIT
// The options: of reading, of writing, and which blobs are compressed on writing, and how.
#pragma once

#include <model/type/type.hpp>
#include <polycodec/codec.hpp>

#include <array>
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

/// What blobs are called: array name, delimiter, number, suffix; and array name, schema suffix.
struct BlobNames {
  std::string delimiter = "-";
  std::string suffix = ".raw";
  std::string schema_suffix = ".json";
};

struct WriteSettings {
  std::string array;           ///< name of the array; it may be empty
  bool members = false;        ///< each member of an object becomes an array of its own
  std::uint64_t first_id = 0;  ///< where the numbers of blobs begin
  BlobNames names;
  CompressionPolicy compression;

  static WriteSettings from(const Options& options);
};

struct ReadSettings {
  std::optional<std::string> array;  ///< read this one alone
  std::optional<std::string> schema_suffix;
  bool check = true;  ///< look at what index buffers hold

  static ReadSettings from(const Options& options);
};

}  // namespace polycodec::awkward
