// SPDX-License-Identifier: MIT
// Values to bodies.
#pragma once

#include <base/base64.hpp>
#include <base/byte_slices.hpp>
#include <base/contiguous.hpp>
#include <base/memory_sink.hpp>
#include <model/loss.hpp>
#include <polycodec/codec.hpp>
#include <polycodec/view.hpp>

#include "codec.hpp"
#include "leaf.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::yggdrasil {

/// Writes the base64 of bytes that come in pieces of any size. Call finish() at the end.
class Base64Out {
 public:
  /// `lines`: a newline (as JSON escapes it) after every 76 characters, and at the end.
  Base64Out(const Call& call, Writer& out, bool lines) noexcept
      : call_(call), out_(out), lines_(lines) {}

  void put(const void* data, std::uint64_t size) {
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    const std::size_t group = lines_ ? line_bytes : 3;
    if (kept_ != 0) {
      const std::uint64_t part = std::min<std::uint64_t>(size, group - kept_);
      std::memcpy(keep_ + kept_, bytes, static_cast<std::size_t>(part));
      kept_ += static_cast<std::size_t>(part);
      bytes += part;
      size -= part;
      if (kept_ != group) return;
      whole(keep_, group);
      kept_ = 0;
    }
    const std::uint64_t rest = size % group;
    whole(bytes, size - rest);
    if (rest != 0) std::memcpy(keep_, bytes + (size - rest), static_cast<std::size_t>(rest));
    kept_ = static_cast<std::size_t>(rest);
  }

  void finish() {
    if (kept_ == 0) return;
    if (lines_) return line(keep_, kept_);
    out_.commit(base64_encode(reinterpret_cast<char*>(out_.reserve(4)), keep_, kept_));
    kept_ = 0;
  }

 private:
  static constexpr std::size_t line_bytes = 57;  // 76 characters
  // Bytes of a slice; a multiple of 3.
  static constexpr std::uint64_t slice = 196608;

  // A whole number of groups.
  void whole(const std::uint8_t* bytes, std::uint64_t size) {
    if (lines_) {
      for (; size != 0; size -= line_bytes, bytes += line_bytes) line(bytes, line_bytes);
      return;
    }
    while (size != 0) {
      // What the window takes, if it is not very small: asking for more may move what was written.
      const std::uint64_t fits = out_.window() / 4 * 3;
      const std::uint64_t part = std::min(size, std::max<std::uint64_t>(fits, 49152));
      char* const to = reinterpret_cast<char*>(out_.reserve(part / 3 * 4));
      for_each_slice(call_, part, slice, 8, [&](std::uint64_t from, std::uint64_t end) {
        base64_encode(to + from / 3 * 4, bytes + from, static_cast<std::size_t>(end - from));
      });
      out_.commit(part / 3 * 4);
      bytes += part;
      size -= part;
    }
  }

  void line(const std::uint8_t* bytes, std::size_t size) {
    char* const to = reinterpret_cast<char*>(out_.reserve(base64_encoded_size(size) + 2));
    const std::size_t written = base64_encode(to, bytes, size);
    to[written] = '\\';
    to[written + 1] = 'n';
    out_.commit(written + 2);
  }

  const Call& call_;
  Writer& out_;
  bool lines_;
  std::size_t kept_ = 0;
  std::uint8_t keep_[line_bytes] = {};
};

/// What goes into the schema of a leaf, beside its attributes.
struct LeafHead {
  TypeWord type = TypeWord::scalar;
  Subtype subtype = Subtype::none;  ///< none: not written
  bool has_precision = false;
  std::uint64_t precision = 0;  ///< bytes
  bool has_shape = false;
  std::span<const std::int64_t> shape{};
  Encoding encoding = Encoding::none;  ///< none: not written
  bool has_title = false;  ///< a column of a table: then `title` is not among the attributes
  std::string_view title{};
  bool table = false;       ///< the first column of a table
  std::string_view more{};  ///< further members as JSON, each with a comma before it
};

/// Encodes values of the model: the data of arrays goes from the array straight to the output. One
/// object a call.
class Encoder {
 public:
  Encoder(const Settings& settings, const Call& call, Writer& out)
      : settings_(settings), call_(call), out_(out), max_depth_(call.limits().max_depth) {}

  /// The whole value, which must have been validated. Throws Error with the path of what cannot be
  /// written.
  void value(const polycodec_node* root);
  /// Bytes of a body that is one array or POLYCODEC_SIZE_UNKNOWN.
  static std::uint64_t size_of(const Settings& settings, const Call& call, NodeView value);

 private:
  /// A container whose items are not all written yet.
  struct Frame {
    const polycodec_node* nodes;  // the first child
    std::uint64_t at;             // which child is being written
    std::uint64_t count;
    bool object;
  };
  /// An instance as JSON, and the schemas of its arguments, likewise; empty: none are needed.
  struct InstanceParts {
    std::string text, args, kwargs;
  };
  /// Attributes as far as they say how a node is written.
  struct Words {
    std::string_view type, subtype, encoding;
    bool any = false;  // there are attributes at all
  };

  // encode.cpp
  void loop(const polycodec_node* root, std::uint64_t depth);
  void other(const polycodec_node& node, const polycodec_node* attributes, std::uint64_t depth);
  template <class Integer>
  void plain_integer(Integer value);
  void real(const polycodec_node& node);
  void string(std::string_view text, bool is_name = false);
  void text(std::string_view text, bool lenient, const polycodec_node* attributes);
  void key(const polycodec_node& node);
  void check_text(std::string_view text, bool lenient) const;
  static constexpr std::ptrdiff_t max_escape = 12;
  char* special(const char*& p, const char* end, char* to) const;
  char* escaped(const char* p, const char* end, char* to) const;
  void check_depth(std::uint64_t depth) const;
  [[noreturn]] void too_deep() const;
  std::string path() const;

  /// What write(Encoder&) writes with an encoder of its own.
  template <class Write>
  std::string inner(Write&& write) const {
    MemorySink sink(call_.limits().max_output_bytes);
    Writer writer(sink.abi());
    Encoder encoder(settings_, call_, writer);
    write(encoder);
    writer.flush();
    return std::string(sink.text());
  }

  // encode_leaf.cpp
  void open(const LeafHead& head, const polycodec_node* attributes, const Words& used);
  /// Writes the string of a leaf up to its data: a quote, the schema, and markers around it.
  void head(std::string_view schema);
  void base64(const void* data, std::uint64_t size, bool lines = false);
  /// The data of a leaf that is open, and its end.
  void close(const void* data, std::uint64_t size);
  void close();
  void member(std::string_view key, std::string_view text);
  void members(const polycodec_node* attributes, const Words& used, bool typed,
               std::string_view except);
  void json_string(std::string& to, std::string_view text) const;
  void json_value(std::string& to, const polycodec_node& value);
  static Words words(const polycodec_node* attributes);
  void scalar(std::uint32_t dtype, const std::byte* bits, const polycodec_node* attributes);
  void text_leaf(std::string_view text, const polycodec_node* attributes);
  void bytes_leaf(std::string_view bytes, const polycodec_node* attributes);
  void name_leaf(TypeWord type, std::string_view text, const polycodec_node* attributes);

  // encode_array.cpp
  void array(const polycodec_array& array, const polycodec_node* attributes, std::uint64_t depth);
  void leaf(const polycodec_array& leaf, const polycodec_node* attributes,
            const std::string_view* title, bool first);
  void elements(const polycodec_array& leaf);
  bool is_table(const polycodec_array& record) const;
  void table(const polycodec_array& record);
  void item(const View& item, std::uint64_t depth);
  void item_scalar(const View& item, const polycodec_node* attributes);

  // encode_other.cpp
  void extension(const polycodec_extension& extension, const polycodec_node* attributes,
                 std::uint64_t depth);
  bool known_extension(std::string_view name, NodeView payload, const polycodec_node* attributes);
  void json_leaf(TypeWord type, NodeView payload, const polycodec_node* attributes);

  // encode_instance.cpp
  void instance_leaf(NodeView payload, const polycodec_node* attributes);
  InstanceParts instance_parts(NodeView payload, const std::optional<NodeView>& given);
  bool describe(std::string_view& json, const std::optional<NodeView>& said, std::string& text,
                std::string& schema, unsigned depth);
  bool describe_parts(std::string_view& json, const std::optional<NodeView>& said,
                      std::string& text, std::string& schema, unsigned depth);

  // encode_own.cpp
  bool geometry(const polycodec_node& node, const polycodec_node* attributes);
  static std::string_view geometry_of(NodeView value, const polycodec_node* attributes);
  void own_marker(OwnKind kind, std::string_view more);
  void own_head(OwnKind kind, std::uint32_t dtype, std::uint32_t unit, const polycodec_array* array,
                const polycodec_node* attributes);
  void own_scalar(std::uint32_t dtype, const std::byte* bytes, std::uint64_t size,
                  const polycodec_node* attributes);
  void own_array(const polycodec_array& leaf, const polycodec_node* attributes);
  void own_time(const polycodec_time& time, bool point, const polycodec_node* attributes);
  void refuse_foreign(std::string_view what) const;

  // encode.cpp, losses
  static constexpr const char* lossy = "yggdrasil.lossy";
  void lose_attributes(const polycodec_node* attributes, bool header_has_units = false);
  void refuse_losses(const polycodec_node* attributes, bool header_has_units);
  void lose_attributes_within(const polycodec_array& array);
  std::string loss_path() const;

  const Settings& settings_;
  const Call& call_;
  Writer& out_;
  std::uint64_t max_depth_;
  std::vector<Frame> frames_;
  std::string schema_;
  std::array<std::string, POLYCODEC_DTYPE_COUNT> heads_;  // of scalars without attributes
  bool plain_ = false;                                    // typed leaves are not possible here
  bool looks_typed_text_ = false;  // the leaf is a text that a reader would otherwise take for one
  bool without_data_ = false;      // of arrays: only for the size of the rest
  const polycodec_node* root_ = nullptr;
  Losses* gathering_ = nullptr;  // this writes only to find all losses
  std::set<std::string> lost_;   // what was said already
  std::string inside_;           // the leaf in whose JSON this writes
};

}  // namespace polycodec::yggdrasil
