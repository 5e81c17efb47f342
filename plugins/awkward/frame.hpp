// SPDX-License-Identifier: MIT
// One call of a registered function: its arguments by the names of its parameters.
#pragma once

#include <base/column_read.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/codec.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::awkward {

/// Names of the extensions that stand for values that are not data.
inline constexpr std::string_view dtype_name_word =
    "awkward.dtype";  ///< payload: the JSON of the dtype
inline constexpr std::string_view function_name_word =
    "awkward.function";  ///< payload: the parts of its name
inline constexpr std::string_view type_name_word =
    "awkward.type";  ///< payload: the JSON of an array type

/// Attributes of the items of an ObjectArray: what would make objects of them.
namespace object {
inline constexpr std::string_view generator = "generator";  ///< the parts of the function's name
inline constexpr std::string_view args = "args";            ///< a tuple, if there are any
inline constexpr std::string_view kwargs = "kwargs";        ///< an object, if there are any
/// An object of these four: of the content, where objects would be made of what are objects
/// already.
inline constexpr std::string_view content = "content";

/// Of vectors: the parts of the name of the function that would make an array of their class of
/// the columns.
inline constexpr std::string_view class_of = "class";

/// True if `name` is one of the first four.
constexpr bool is_attribute(std::string_view name) noexcept {
  return name == generator || name == args || name == kwargs || name == content;
}
}  // namespace object

/// Keywords that the evaluator adds and no file may: their names begin with `reserved`.
inline constexpr std::string_view reserved = "polycodec.";
inline constexpr std::string_view unchecked_keyword =
    "polycodec.unchecked";  ///< true: contents of indices are not looked at
inline constexpr std::string_view size_keyword =
    "polycodec.size";  ///< bytes of the result that are needed
/// The reserved keyword among those that a file gives, an OBJECT; null if there is none. Everything
/// that calls a function with keywords of a file asks this first.
const polycodec_node* find_reserved(NodeView keywords);
inline constexpr const char* reserved_text =
    "a keyword that begins with 'polycodec.' is not for files: remove it";

/// Integers that give structure, of any shape, in C order.
struct Integers {
  polycodec_column column{};
  std::uint64_t count = 0;
  std::vector<std::int64_t> shape;

  std::int64_t operator[](std::uint64_t i) const noexcept { return ColumnView(column)[i]; }
  /// Items of the first axis.
  std::uint64_t length() const noexcept { return static_cast<std::uint64_t>(shape[0]); }
};

/// A call. Errors have a path relative to it, such as `$.args[1]`.
class Frame {
 public:
  /// Binds `args` and `kwargs` to `params`, the first `required` of which must be given. Throws
  /// Error(Status::range) for a wrong number, a parameter twice, or an unknown keyword; with no
  /// `params` at all, anything goes.
  Frame(const Call& of, const polycodec_node* args, const polycodec_node* kwargs,
        std::span<const char* const> params, std::uint32_t required);

  Call call;
  Builder out;
  std::span<const char* const> path;  ///< of the function, with NULL after its last part
  bool unchecked = false;
  std::optional<std::uint64_t> needed_bytes;

  /// A copy that no other program can write, for integers that say where to write: blobs may lie in
  /// a file that changes.
  Integers copy_of(const Integers& integers);

  std::span<const char* const> params() const noexcept { return params_; }
  bool has(std::size_t param) const noexcept { return bound_[param] != nullptr; }
  NodeView operator[](std::size_t param) const { return NodeView(bound_[param]); }
  /// All positional arguments and all keywords, for functions without parameters.
  std::span<const polycodec_node> arguments() const { return args_; }
  std::span<const polycodec_node> keywords() const { return kwargs_; }

  /// Where in the call the parameter was given.
  std::string where(std::size_t param) const;
  [[noreturn]] void fail(std::size_t param, Status status, std::string_view word,
                         const std::string& why) const;
  [[noreturn]] void fail_type(std::size_t param, const char* wanted) const;

  // Arguments of a kind; `what` names them in messages.
  /// An array; bytes are viewed as elements of `raw` (and must be whole ones), lists of numbers
  /// become arrays.
  const polycodec_array& array(std::size_t param, std::uint32_t raw) const;
  /// Integers for a structure column. A big-endian one is copied.
  Integers integers(std::size_t param, std::uint32_t raw, const char* what) const;
  /// A mask: booleans or numbers; 0 is false. One byte for each, or any integers.
  Integers mask(std::size_t param) const;
  std::int64_t integer(std::size_t param) const;
  std::uint64_t count(std::size_t param) const;
  bool boolean(std::size_t param, bool fallback) const;
  /// The arrays of a list.
  std::vector<const polycodec_array*> arrays(std::size_t param) const;
  /// The array that a value stands for; see array().
  const polycodec_array& to_array(NodeView value, std::uint32_t raw, std::size_t param,
                                  const std::string& below) const;

 private:
  /// Numbers or booleans as a leaf; nothing for other items.
  const polycodec_array* vector_of(std::span<const polycodec_node> items) const;
  /// Lists of one length in lists, with numbers inside, as a leaf of several dimensions; nothing
  /// for others.
  const polycodec_array* matrix_of(NodeView list) const;

  std::vector<const polycodec_node*> bound_;
  std::span<const char* const> params_;
  std::span<const polycodec_node> args_, kwargs_;
  mutable Builder maker_;
};

/// True for the functions of this plugin, which know deferred arrays.
bool is_own_function(std::span<const std::string_view> path);
/// The names of the columns that the class of this function has; none for other functions.
std::span<const char* const> columns_of_class(std::span<const std::string_view> path);

/// The length of an array for messages: what a cycle leaves open is an unknown number.
std::string shown_length(const polycodec_array& array);

/// A function that files call (functions.cpp): it makes the result of a call.
using Function = polycodec_node(Frame& frame);
Function from_buffer, zlib_decompress, lzma_decompress;  // buffers.cpp
// jagged.cpp
Function jagged_array, jagged_from_counts, jagged_from_offsets, jagged_from_parents,
    jagged_from_uniques, jagged_from_local_index, jagged_from_regular, jagged_from_folding,
    jagged_from_iter, jagged_from_jagged;
Function string_array, strings_from_counts;                                         // strings.cpp
Function table, table_named, table_from_pairs, table_from_view, table_from_record;  // tables.cpp
// choices.cpp
Function union_array, union_from_tags, masked_array, bit_masked_array, indexed_masked_array,
    indexed_array, chunked_array, appendable_array;
Function sparse_array;                                        // sparse.cpp
Function object_array, vectors, virtual_array, json_to_type;  // objects.cpp

/// Lists by `counts`, checked: none negative, and not more together than the content has. `what`:
/// the parameter of the counts. Text and byte strings are made of them too.
polycodec_array* lists_from_counts(Frame& frame, const Integers& counts,
                                   const polycodec_array& content, std::size_t param);
/// Lists by starts and stops (parameters 0 and 1), of as many items as `starts`.
polycodec_array* lists_from_starts(Frame& frame, const Integers& starts, const Integers& stops,
                                   const polycodec_array& content);

}  // namespace polycodec::awkward
