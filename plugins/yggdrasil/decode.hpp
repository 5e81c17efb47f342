// SPDX-License-Identifier: MIT
// Bodies to values.
#pragma once

#include <base/json_index.hpp>
#include <base/wanted.hpp>
#include <polycodec/abi.h>
#include <polycodec/builder.hpp>
#include <polycodec/codec.hpp>

#include "codec.hpp"
#include "leaf.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::yggdrasil {

/// A stack of nodes. The reader keeps the top in a register and says where it is before it calls
/// others.
class NodeStack {
 public:
  polycodec_node* begin() noexcept { return nodes_.get(); }
  const polycodec_node* begin() const noexcept { return nodes_.get(); }
  polycodec_node* limit() noexcept { return nodes_.get() + capacity_; }
  std::size_t size() const noexcept { return size_; }
  void set_size(std::size_t size) noexcept { size_ = size; }
  std::size_t capacity() const noexcept { return capacity_; }

  /// Room for `more` nodes behind the first size() ones.
  void reserve(std::size_t more) {
    if (capacity_ - size_ >= more) return;
    const std::size_t capacity = (capacity_ + more) * 2;
    std::unique_ptr<polycodec_node[]> larger(new polycodec_node[capacity]);
    if (size_ != 0)
      std::memcpy(static_cast<void*>(larger.get()), nodes_.get(), size_ * sizeof(polycodec_node));
    nodes_ = std::move(larger);
    capacity_ = capacity;
  }

 private:
  std::unique_ptr<polycodec_node[]> nodes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// A text that is (part of) the input, or was decoded from base64 in it.
struct Origin {
  std::uint64_t start = 0;  ///< offset of the first byte, or of its base64
  bool base64 = false;
  bool exact = true;  ///< false: only `start` is known

  /// The offset in the input of byte `at` of the text.
  std::uint64_t offset(std::uint64_t at) const noexcept {
    if (!exact) return start;
    return start + (base64 ? at / 3 * 4 + at % 3 : at);
  }
};

/// Decodes a body in one pass. Strings without escapes are views into the input; the data of arrays
/// goes from base64 straight to the memory of the value. One object a call.
class Decoder {
 public:
  Decoder(const Settings& settings, const Call& call, Builder& out);

  /// All of the input: one JSON value.
  const polycodec_node* all(std::string_view input);

 private:
  /// How a text of JSON is read.
  struct Mode {
    bool typed = true;     // strings may be typed leaves
    bool lenient = false;  // strings need not be UTF-8
  };
  /// A container that is not closed yet. Its nodes are those of the stack from `first` on.
  struct Frame {
    std::size_t first;
    bool object;
    const Datatype* type;  // what a header says about it, or NULL
    const char* label;     // a JSON text inside of a leaf: its name in paths; otherwise NULL
    const Wanted* wanted = nullptr;  // its members that are; NULL: everything
    const char* start = nullptr;     // its first character, where some members are wanted
  };
  /// A schema that was read already: many leaves have the same one.
  struct Schema {
    std::string base64;
    Leaf leaf;
    NodeView object;                           // all of it
    std::string_view text;                     // as JSON
    const polycodec_node* metadata = nullptr;  // what does not follow from the node; NULL: nothing
    const polycodec_node* mark =
        nullptr;  // attributes of a node that would otherwise be written without a schema
    std::uint64_t nodes = 0;  // of the attributes
    std::uint32_t levels = 0;
  };
  /// A typed leaf that was found: its parts, and where they are.
  struct Found {
    const Schema* schema;
    std::string_view data;  // base64
    std::uint64_t data_at;  // offset of the data
    std::uint64_t start;    // offset of the string
    std::uint32_t depth;
    bool exact;        // the offset of each character is known
    bool raw = false;  // the data are the bytes themselves
  };

  /// What a reader expects next.
  enum class Next { value, name, after_value };
  /// Where a reader is.
  struct Place {
    const char* p;
    polycodec_node* top;
    polycodec_node* limit;
    std::size_t first;  // of the container
    std::uint32_t depth;
    bool object;
    Next next;
  };

  // decode_quick.cpp
  void quick(Place& place, bool typed, std::size_t base_frames);

  // decode_json.cpp
  polycodec_node parse(std::string_view text, const Origin& origin, Mode mode, const Datatype* type,
                       std::uint32_t depth);
  bool has_wanted(const Frame& frame) const;
  const char* pass_value(std::string_view text, const char* p) const;
  polycodec_node close_container(polycodec_node* nodes, bool object, std::size_t count,
                                 std::uint64_t offset);
  void check_keys(polycodec_node* members, std::uint64_t& count, std::uint64_t offset) const;
  const char* real(const char* p, const char* q, const char* end, polycodec_node* node,
                   const Origin& origin, const char* begin);
  const char* number(const char* p, const char* end, polycodec_node* node, const Origin& origin,
                     const char* begin);
  polycodec_node long_integer(std::string_view digits);
  const char* escaped_string(const char* p, const char* end, const Origin& origin,
                             const char* begin, Mode mode, polycodec_node* node);
  void check_text(std::string_view text, bool lenient, polycodec_node* node,
                  std::uint64_t offset) const;

  // decode_leaf.cpp
  const char* quick_leaf(const char* p, const char* end, const Origin& origin, const char* begin,
                         std::uint32_t depth, polycodec_node* node);
  polycodec_node whole_leaf(std::string_view text, std::uint64_t at, bool exact,
                            std::uint32_t depth);
  const Schema* same_schema(const char* p, const char* end) const noexcept;
  const Schema& take_schema(const Schema& known, std::uint64_t at, std::uint32_t depth);
  const Schema& schema(std::string_view base64, std::uint64_t at, bool exact, std::uint32_t depth);
  void find_attributes(Schema& schema);
  polycodec_node leaf(const Found& found);
  polycodec_node scalar(const Found& found);
  polycodec_node text_scalar(const Found& found);
  polycodec_node array(const Found& found);
  polycodec_node with_attributes(const Found& found, const polycodec_node& node, bool plain);
  std::span<std::byte> data(const Found& found, std::uint64_t alignment);
  void fill(const Found& found, void* to, std::uint64_t size) const;
  [[noreturn, gnu::cold]] void fail_data(const Found& found, std::uint64_t size) const;
  void check_array_texts(const Found& found, const std::byte* elements) const;

  // decode_other.cpp
  polycodec_node name(const Found& found, std::string_view extension);
  polycodec_node json(const Found& found, std::string_view extension);
  polycodec_node geometry(const Found& found, std::string_view codec);
  polycodec_node geometry_text(std::string_view text, std::string_view codec);
  polycodec_node described(const Datatype& type, const polycodec_node& text, std::uint64_t at,
                           std::uint32_t depth);
  polycodec_node described_object(const Datatype& type, const polycodec_node& object,
                                  std::uint64_t at, std::uint32_t depth);
  void take_shape_from_data(Leaf& leaf, std::uint64_t size, std::uint64_t at) const;
  polycodec_node unknown(const Found& found);

  // Instances: decode.cpp
  polycodec_node arguments(const Found& found, const polycodec_node& instance);
  polycodec_node argument(NodeView schema, const polycodec_node& value, const Found& found,
                          std::uint32_t depth, std::string& place);
  void check_plain_texts(const polycodec_node& node, std::uint64_t at) const;
  polycodec_node typed_argument(NodeView schema, const polycodec_node& text, const Found& found,
                                std::uint32_t depth);

  // Words of our own: decode_scalar.cpp
  polycodec_node own(const Found& found);
  polycodec_node own_value(const Found& found, OwnKind kind);
  polycodec_node own_list(const polycodec_node* nodes, std::uint64_t count, std::uint64_t offset);
  polycodec_node table(const polycodec_node* nodes, std::uint64_t count);
  static bool is_marker(const polycodec_node& node) noexcept;
  static bool is_table(const polycodec_node* nodes, std::uint64_t count);

  void take_nodes(std::uint64_t count, std::uint64_t offset);
  void take_levels(std::uint64_t depth, std::uint64_t offset);
  std::string path() const;
  [[noreturn, gnu::cold]] void fail(Status status, const char* detail, std::string message,
                                    std::uint64_t offset) const;
  /// Adds what is not known where an error was thrown.
  [[noreturn, gnu::cold]] void fail_at(const Error& error, std::uint64_t offset) const;

  const Settings& settings_;
  const Call& call_;
  Builder& out_;
  const Wanted wanted_;
  std::uint64_t nodes_left_;
  std::uint32_t max_depth_;
  std::uint32_t deepest_ = 0;
  NodeStack stack_;
  std::vector<Frame> frames_;
  JsonIndex index_;  // of the text that is parsed
  std::vector<std::unique_ptr<Schema>> schemas_;
  const Schema* latest_ = nullptr;  // of schemas_
  std::size_t next_schema_ = 0;
};

}  // namespace polycodec::yggdrasil
