// SPDX-License-Identifier: MIT
// Arrow structures that are being filled, and who frees them.
#pragma once

#include "core/arrow/arrow.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

/// A schema to be handed out.
struct SchemaDraft {
  std::string format;
  std::string name;
  std::vector<std::pair<std::string, std::string>> metadata;
  bool nullable = false;
  std::vector<SchemaDraft> children;
  std::vector<SchemaDraft> dictionary;  ///< none or one
};

/// An array to be handed out. Buffers point into memory that the owner keeps.
struct ArrayDraft {
  std::int64_t length = 0;
  std::int64_t null_count = 0;
  std::vector<const void*> buffers;
  std::vector<ArrayDraft> children;
  std::vector<ArrayDraft> dictionary;  ///< none or one
};

/// Fills `out`, whose release function frees what this allocates. Throws std::bad_alloc; `out` is
/// then released.
void finish_schema(SchemaDraft draft, ArrowSchema& out);
/// The same; the array and all of its children keep `owner` alive.
void finish_array(ArrayDraft draft, const std::shared_ptr<const void>& owner, ArrowArray& out);

/// Key-value pairs as ArrowSchema::metadata has them.
std::string metadata_text(const std::vector<std::pair<std::string, std::string>>& pairs);
using MetadataPairs = std::vector<std::pair<std::string_view, std::string_view>>;
/// The pairs of these. `metadata` may be null.
MetadataPairs metadata_pairs(const char* metadata);
/// The value of a key, or nothing.
std::string_view find_metadata(const MetadataPairs& pairs, std::string_view key);
/// The same. `metadata` may be null.
std::string_view find_metadata(const char* metadata, std::string_view key);

/// The key of the name under which a type is known that Arrow itself does not have.
inline constexpr std::string_view extension_key = "ARROW:extension:name";
/// The key of what that type has beside its name.
inline constexpr std::string_view extension_metadata_key = "ARROW:extension:metadata";
/// The key of an array's attributes, in typed JSON.
inline constexpr std::string_view attributes_key = "polycodec.metadata";
/// The attribute of timestamps that has their time zone; without it they have none.
inline constexpr std::string_view zone_key = "timezone";

}  // namespace polycodec
