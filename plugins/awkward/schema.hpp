// SPDX-License-Identifier: MIT
// The JSON of a schema, read and written, which arrays a store holds, and which blobs belong to
// each.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>
#include <polycodec/codec.hpp>
#include <polycodec/node_view.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::awkward {

/// Parses JSON into nodes of the arena. Throws Error with the byte offset: Status::malformed
/// (syntax, a key twice, a number that no type holds), Status::truncated, Status::limit (nesting,
/// nodes). Not recursive.
const polycodec_node* parse_schema(Builder& out, std::string_view text,
                                   const polycodec_limits& limits);

/// Where `part`, which is one of the nodes below `root`, stands: `$.schema.args[0]`. "$" if it is
/// nowhere.
std::string path_to(const polycodec_node& root, const polycodec_node* part);

/// Collects JSON text. The caller sees to brackets.
class SchemaText {
 public:
  /// Text that is JSON already.
  SchemaText& raw(std::string_view json) {
    text_ += json;
    return *this;
  }
  /// Begins a value, or the name of a member: after a comma, unless it is the first of a list or
  /// object, or the value of a member.
  SchemaText& begin(std::string_view json = {}) {
    if (!text_.empty() && std::string_view("[{ ").find(text_.back()) == std::string_view::npos)
      text_ += ", ";
    return raw(json);
  }
  SchemaText& number(std::uint64_t value);
  /// A string in quotes, with \uXXXX (and surrogate pairs) for all that is not printable ASCII.
  /// `value` is UTF-8.
  SchemaText& string(std::string_view value);
  /// A list of strings.
  SchemaText& strings(std::initializer_list<std::string_view> values);
  /// A null, boolean, integer, finite float of up to 64 bits, or string.
  SchemaText& scalar(const polycodec_node& node);

  const std::string& text() const noexcept { return text_; }
  std::string take() noexcept { return std::move(text_); }

 private:
  std::string text_;
};

/// True if scalar() can write `node` such that reading gives a number or text of the same value.
bool is_json_scalar(const polycodec_node& node) noexcept;

/// An array of a store.
struct ArrayName {
  std::string name;         ///< may be empty
  std::string_view schema;  ///< the blob with its schema
};

/// The arrays of a store, in its order: blobs called `name` + suffix. Without a suffix these are
/// `.json` and
/// `/schema.json` (directly below a group, as the Python library lists them, or anywhere if
/// `nested`: it reads and writes those that are asked for by name); if there are none, blobs that
/// begin as a schema does, which are called what the array is.
std::vector<ArrayName> list_arrays(const Store& store, const std::optional<std::string>& suffix,
                                   bool nested = false);

/// True if the text begins as a schema does: an object whose first key is the signature.
bool looks_like_schema(std::string_view text) noexcept;

/// The arrays of a store as polycodec_instance.list wants them, without evaluating one. The first
/// blob of each is its schema, the others are those that its expressions read; "filter" is the
/// function that a blob is handed to at once. Throws Error for a schema that is not a JSON object.
Node list(const Call& call, const Store& store, const std::optional<std::string>& schema_suffix,
          Builder& out);

/// The group, with a '/' after it unless it is the whole store, that the names in the schema blob
/// `schema` are relative to: the one that h5py's users opened to write or read the array.
std::string group_of(std::string_view schema, std::string_view prefix);

/// A number that follows `prefix` in the name of no blob, nor does any above it.
std::uint64_t free_id(const Store& store, std::string_view prefix);

}  // namespace polycodec::awkward
