// SPDX-License-Identifier: MIT
// Writing a value as one expression and its blobs.
#pragma once

#include <polycodec/array_view.hpp>
#include <polycodec/codec.hpp>
#include <polycodec/path.hpp>
#include <polycodec/view.hpp>

#include "numpy.hpp"
#include "schema.hpp"
#include "settings.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace polycodec::awkward {

/// Rows that follow each other.
struct Run {
  std::uint64_t begin;
  std::uint64_t count;
};

/// Rows of an array in the order in which they are to be written, as runs that are as long as
/// possible.
class Rows {
 public:
  Rows() = default;
  Rows(std::uint64_t begin, std::uint64_t count) { add(begin, count); }

  /// Appends rows; those that go on where the last run ends become part of it.
  void add(std::uint64_t begin, std::uint64_t count = 1) {
    if (count == 0) return;
    count_ += count;
    if (!runs_.empty() && runs_.back().begin + runs_.back().count == begin) {
      runs_.back().count += count;
    } else {
      runs_.push_back({begin, count});
    }
  }

  std::uint64_t count() const noexcept { return count_; }
  std::span<const Run> runs() const noexcept { return runs_; }
  /// True if these are the first `length` rows, in order.
  bool is_all(std::uint64_t length) const noexcept {
    return count_ == length && (length == 0 || (runs_.size() == 1 && runs_[0].begin == 0));
  }

 private:
  std::vector<Run> runs_;
  std::uint64_t count_ = 0;
};

/// The rows of a content that an index picks, each once and in the order of the content.
struct Picked {
  Rows rows;
  std::vector<std::int64_t> index;  ///< where each picked row stands among `rows`; -1 stays
  bool in_order = true;             ///< `index` is 0, 1, 2, ..: no index is needed

  /// `index` has items below `length`, or -1 for none. Takes memory in proportion to the smaller of
  /// both.
  static Picked from(std::vector<std::int64_t> index, std::uint64_t length);
};

/// The characters of a STRING or BINARY.
inline std::string_view text_of(const polycodec_node& n) noexcept {
  return {static_cast<const char*>(n.as.data), static_cast<std::size_t>(polycodec_node_size(&n))};
}
/// A member of the object `polycodec` (extras.hpp) that is true.
inline std::string true_extra(std::string_view word) {
  return SchemaText().string(word).raw(": true").text();
}

/// Writes one array, or whatever else the root is: its blobs as they are met, the schema last. For
/// one call.
///
/// Documents become list, tuple, dict and json expressions; lists of like items become arrays,
/// column by column. Arrays become calls of constructors. What a view leaves out is not written:
/// offsets, starts and stops become counts, selected rows are gathered, and a content shared by
/// several rows is written once. An array that is in several places is written once and
/// referred to.
class Encoder {
 public:
  /// `name`: of the array; blobs have it as prefix.
  Encoder(const Call& call, const WriteSettings& settings, std::string name, Writer& out);

  /// Writes all of it. Throws Error(unsupported), or Error(limit) for what nests too deep, with the
  /// path of what the format cannot hold.
  void write(NodeView root);

 private:
  using Nodes = std::span<const polycodec_node* const>;
  /// What the items of a list have in common.
  struct Shape {
    enum class Kind : std::uint8_t {
      nothing,
      nulls,
      number,
      time,
      text,
      bytes,
      list,
      record,
      tuple,
      option,
      variant,
      mixed
    };
    Kind kind = Kind::nothing;
    std::uint32_t dtype = POLYCODEC_DTYPE_NONE;  ///< number, time
    std::uint32_t unit = 0;                      ///< time
  };

  class Level;
  /// A blob that waits for others to be compressed with.
  struct Waiting {
    std::uint64_t id;
    const CompressionRule* rule;
    std::string_view bytes;        ///< of the value or of `owned`
    std::vector<std::byte> owned;  ///< then the compressed bytes
  };

  // -- documents (encode.cpp) --
  void node(const polycodec_node& n);
  void bare_node(const polycodec_node& n, const polycodec_node* attributes);
  void list(const polycodec_node& n, const polycodec_node* attributes);
  void members(const polycodec_node& n, const polycodec_node* attributes);
  void map(const polycodec_node& n, const polycodec_node* attributes);
  void pair(const polycodec_node& first, const polycodec_node& second, std::string_view kind,
            const polycodec_node* attributes);
  void scalar(const polycodec_node& n, const polycodec_node* attributes);
  void json(const polycodec_node& n);
  /// Ends an expression object: its id, if it is referred to, and the extra members.
  void end_node(const polycodec_node& n, std::string_view extra, const polycodec_node* attributes);
  /// Finds the targets of references, and which nodes are plain JSON.
  bool survey(const polycodec_node& n);
  bool survey_parts(const polycodec_node& n);
  bool tie(const polycodec_node& n);
  bool is_plain(const polycodec_node& n) const;

  // -- lists of like items (encode_rows.cpp) --
  /// True if the items can be one array whose items are all alike.
  bool is_columnar(Nodes items);
  static Shape shape_of(Nodes items);
  void column(Nodes items, std::string_view context);
  void numbers(Nodes items, const Shape& shape, std::string_view context);
  void times(Nodes items, const Shape& shape, std::string_view context);
  void texts(Nodes items, bool binary);
  void lists(Nodes items);
  void records(Nodes items, bool tuple);
  void options(Nodes items);
  void variants(Nodes items);
  void mixed(Nodes items);
  void tagged(std::vector<std::uint8_t> tags,
              const std::vector<std::vector<const polycodec_node*>>& members,
              std::string_view extra);
  /// A scalar that JSON has not, as the one element of an array.
  void single(const polycodec_node& n, const polycodec_node* attributes);

  // -- arrays (encode_columns.cpp, encode_nested.cpp) --
  void array(const polycodec_array& a, const polycodec_node* attributes);
  /// The chosen rows of an array of the value.
  void column(const polycodec_array& a, const Rows& rows, std::string_view context);
  /// The same of any array, as the expression with this id.
  void column_as(const polycodec_array& a, const Rows& rows, std::string_view context,
                 std::uint64_t id);
  void list_content(const polycodec_array& content, const Rows& rows, bool made = false);
  void list_column(const polycodec_array& a, const Rows& rows, std::uint64_t id);
  void list_views(const polycodec_array& a, const Rows& rows, std::uint64_t id);
  void text_column(const polycodec_array& a, const Rows& rows, std::uint64_t id);
  void fixed_lists(const polycodec_array& a, const polycodec_array& content, std::uint64_t size,
                   const Rows& rows, std::uint64_t id);
  /// Around the columns of a table; `bare_rows` are those of a table without columns. The second
  /// returns what the expression says beside its call.
  void begin_table(std::uint64_t bare_rows);
  std::string end_columns(bool tuple, std::uint64_t bare_rows);
  void record_column(const polycodec_array& a, const Rows& rows, std::uint64_t id);
  void union_column(const polycodec_array& a, const Rows& rows, std::string_view context,
                    std::uint64_t id);
  void masked_column(const polycodec_array& a, const Rows& rows, std::uint64_t id);
  void bit_masked_column(const polycodec_array& a, const Rows& rows, std::uint64_t id);
  void indexed_column(const polycodec_array& a, const Rows& rows, std::string_view context,
                      std::uint64_t id);
  void chunked_column(const polycodec_array& a, const Rows& rows, std::string_view context,
                      std::uint64_t id);
  void document_column(const polycodec_array& a, const Rows& rows, std::string_view context);

  // -- what was inert in a file (encode_nested.cpp) --
  /// The name of the function that would make objects of the items of `a`, if these are the content
  /// of an ObjectArray.
  static const polycodec_node* generator_of(const polycodec_array& a);
  void object_column(const polycodec_array& a, const polycodec_node& generator, const Rows& rows,
                     std::uint64_t id);
  /// Writes an extension that stands for a dtype or a function; false if it stands for neither.
  bool inert(const polycodec_node& n, const polycodec_node* attributes);

  // -- leaves and blobs (encode_leaf.cpp) --
  void leaf(const polycodec_array& a, const Rows& rows, std::string_view context, std::uint64_t id,
            std::string_view extra = {});
  void without_elements(const polycodec_array& a, const Rows& rows, std::uint64_t id);
  void elements(const polycodec_array& a, const Rows& rows, std::uint8_t byte_order);
  /// An array of elements made here, which become the sink's.
  template <class T>
  void made_leaf(std::vector<T> items, std::string_view context, std::uint32_t dtype = dtype_of<T>);
  void flat_leaf(std::string_view bytes, std::uint32_t dtype, std::uint32_t item_size,
                 std::uint32_t unit, std::string_view context, std::uint64_t id,
                 std::string_view extra = {}, const polycodec_node* attributes = nullptr);
  void frombuffer(const NumpyDtype& dtype, std::span<const std::int64_t> inner, std::uint64_t count,
                  const CompressionRule* rule, std::uint64_t id);
  void begin_blob(std::uint64_t id);
  void compress_later(std::uint64_t id, const CompressionRule& rule, std::string_view bytes,
                      std::vector<std::byte> owned);
  /// Writes the blobs that wait, which threads compress side by side.
  void write_compressed();

  // -- expressions --
  std::uint64_t next_id() noexcept { return id_++; }
  /// `{"call": [..], "args": [`
  void call(std::initializer_list<std::string_view> function);
  /// `], "id": 5}` with the extra members.
  /// `attributes`: of the array.
  void end_call(std::uint64_t id, std::string_view extra = {},
                const polycodec_node* attributes = nullptr,
                std::initializer_list<std::string_view> own = {});
  /// `attributes`: of a node.
  void extra_member(std::string_view extra, const polycodec_node* attributes);
  void extra_of_array(std::string_view extra, const polycodec_node* attributes,
                      std::initializer_list<std::string_view> own);
  /// An array without items.
  void nothing(std::uint64_t id);
  [[noreturn]] void refuse(const std::string& why, Status status = Status::unsupported) const;
  void check_name(std::string_view name) const;
  /// Refuses an object with names that JSON cannot hold, or with one name twice.
  void check_members(const polycodec_node& n) const;
  void work(std::uint64_t bytes);

  const Call& call_;
  const WriteSettings& settings_;
  const std::string name_;
  const std::string prefix_;
  Writer& out_;
  SchemaText schema_;
  std::vector<Waiting> waiting_;
  std::uint64_t waiting_bytes_ = 0;
  std::string path_{path_root};
  std::uint64_t id_;
  std::uint32_t depth_ = 0;
  std::unordered_set<const polycodec_node*> targets_;  // of references
  std::vector<const polycodec_node*> found_;  // the same in the order in which they were found
  std::unordered_set<const polycodec_node*> outside_;  // targets that only references lead to
  std::unordered_map<const polycodec_node*, std::uint64_t> node_ids_;  // of targets
  std::unordered_set<const polycodec_node*> not_plain_;  // containers that are not plain JSON
  std::unordered_set<const polycodec_node*> tied_;  // nodes with references or their targets inside
  std::unordered_map<const polycodec_array*, std::uint64_t>
      written_;  // arrays that were written whole
};

/// One level of nesting, against the limit.
class Encoder::Level {
 public:
  /// `counts` false: no level after all.
  explicit Level(Encoder& encoder, bool counts = true)
      : encoder_(encoder), counts_(counts ? 1 : 0) {
    if (counts && encoder.depth_ >= encoder.call_.limits().max_depth)
      encoder.refuse("the value nests deeper than the limit of " + std::to_string(encoder.depth_),
                     Status::limit);
    encoder.call_.check_stack();
    encoder.depth_ += counts_;
  }
  ~Level() { encoder_.depth_ -= counts_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  Encoder& encoder_;
  std::uint32_t counts_;
};

template <class T>
void Encoder::made_leaf(std::vector<T> items, std::string_view context, std::uint32_t dtype) {
  const T* const kept = Builder(call_).store_all(std::span<const T>(items));
  flat_leaf(bytes_of(std::span(kept, items.size())), dtype, sizeof(T), 0, context, next_id());
}

}  // namespace polycodec::awkward
