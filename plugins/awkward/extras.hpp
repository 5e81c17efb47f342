// SPDX-License-Identifier: MIT
// What our files say beyond the format: one more member of an expression, which the Python library
// ignores.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/node_view.hpp>

#include <string_view>

namespace polycodec::awkward {

/// The member `"polycodec": {..}` of an expression object. It says what the value is where the
/// expression alone says less; without it a file means what it always meant. The expression must be
/// complete in itself: a reader that does not know the member gets the nearest thing that the
/// format has.
inline constexpr std::string_view extra_key = "polycodec";

/// Beside `call` and `args` of a table, as other writers have it: the name of the rows.
inline constexpr std::string_view rowname_key = "rowname";

/// Members of a schema that inform about the array, and change nothing: a text, and any JSON. They
/// are attributes of its value.
inline constexpr std::string_view about_keys[] = {"doc", "metadata"};

/// Members of that object.
namespace extra {

/// On frombuffer: the type of the elements, in type notation, where numpy has none (`int128`,
/// `float128`, `complex[float16]`, `fixed_string[4, 'utf8']`). Its size is the item size of the
/// dtype that is beside it.
inline constexpr std::string_view type = "type";
/// On frombuffer of one element: `true`, the value is this element and no array (a scalar node).
inline constexpr std::string_view scalar = "scalar";
/// On frombuffer of one element: 0, the array has no axes (a 0-d leaf).
inline constexpr std::string_view axes = "axes";
/// On Table.frompairs: `true`, the rows are tuples; the columns are called "0", "1", ..
inline constexpr std::string_view tuple = "tuple";
/// On Table.frompairs without columns: the number of rows, which the format takes for 0.
inline constexpr std::string_view length = "length";
/// On JaggedArray.fromcounts: all lists have this length (LIST_FIXED).
inline constexpr std::string_view size = "size";
/// On UnionArray.fromtags: `true`, the items stand for themselves and are not members of a union
/// (an array of documents).
inline constexpr std::string_view any = "any";
/// On a list or tuple expression: what it stands for, one of the words below.
inline constexpr std::string_view kind = "kind";
/// On any expression: an expression whose value, an object, are the attributes of the node or
/// array.
inline constexpr std::string_view attributes = "attributes";

}  // namespace extra

/// Words of extra::kind.
namespace kind {

inline constexpr std::string_view map = "map";  ///< list of tuples of key and value: a MAP
inline constexpr std::string_view extension =
    "extension";                                        ///< tuple of name and payload: an EXTENSION
inline constexpr std::string_view variant = "variant";  ///< tuple of tag and member: a VARIANT

}  // namespace kind

/// The value with what the members `rowname`, `tuple` and `polycodec` of its expression say, except
/// for attributes. Throws Error without a path: what is said does not fit the value.
polycodec_node with_extras(Builder& out, const polycodec_node& value, NodeView expression,
                           const polycodec_limits& limits);

/// The value with what the schema informs about it as attributes, unless it has those.
polycodec_node with_about(Builder& out, const polycodec_node& value, NodeView schema);

/// The value with these attributes, an OBJECT, added.
polycodec_node with_attributes(Builder& out, const polycodec_node& value,
                               const polycodec_node& attributes);

}  // namespace polycodec::awkward
