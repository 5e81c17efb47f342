// SPDX-License-Identifier: MIT
// Conversions between the ways in which one value can be stored. None of them changes what the
// value is: equal() holds between source and result, except where an element type was asked for
// that differs; then every number is exactly the same, or the conversion is refused.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>
#include <polycodec/export.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/view.hpp>

#include <cstdint>

namespace polycodec {

namespace type {
class Type;
}  // namespace type

// All functions build in the arena of `out` and take valid values. Results may view memory of the
// source (texts, buffers that need no change): they live no longer than it. Memory beside the arena
// does not grow with the value. They throw Error(Status::limit) if the arena or a limit refuses,
// with the path of the item where there is one.

/// `leaf` C-contiguous and in `byte_order`: itself if it is so already, otherwise a copy with the
/// same attributes.
POLYCODEC_API const polycodec_array* make_contiguous(const polycodec_array& leaf, Builder& out,
                                                     std::uint8_t byte_order = host_byte_order);

/// The elements of `leaf` as `dtype` (a boolean, number or complex), C-contiguous in host byte
/// order. Throws Error(Status::range) if a number can't be exactly the same (every bit of a float
/// counts, also of a NaN and of -0.0), Error(Status::type) if the types have nothing in common.
POLYCODEC_API const polycodec_array* cast(const polycodec_array& leaf, std::uint32_t dtype,
                                          Builder& out);

/// The value with document nodes only: no columnar arrays anywhere, except behind references, which
/// stay as they are. Attributes of columns inside records have no place in a document and are lost.
POLYCODEC_API polycodec_node to_document(const View& item, Builder& out, const Limits& limits = {});

/// The items of a list as one columnar array in plain form: contiguous leaves in host order, lists
/// by offsets, no indices and chunks. `element` is the type of one item: scalars, times and fixed
/// texts become leaves (with inner dimensions for `3 * 4 * T`), string and bytes lists of texts,
/// `var * T` and `N * T` lists, {..} and (..) records, `?T` an option (a byte mask where the
/// content has a natural filler, an index otherwise), union[..] a union of its alternatives by tag,
/// annotated types carry their annotations as attributes. What no form holds (any, null, map,
/// extension, ..) becomes an array of documents. Numbers may be stored in a wider or narrower type
/// if exact. Throws Error(Status::type) or Error(Status::range), with the path of the item, where
/// an item does not fit.
POLYCODEC_API const polycodec_array* to_columns(const View& list, const type::Type& element,
                                                Builder& out, const Limits& limits = {});

/// The items of a list as one columnar array of the type that infer_type() finds (`any` if items
/// differ too much).
POLYCODEC_API const polycodec_array* to_columns(NodeView list, Builder& out,
                                                const Limits& limits = {});

/// An array in plain form: dictionaries, indices and chunks resolved, leaves contiguous and in host
/// order, rows of records split into a column for each field. Attributes stay with the array and
/// its columns.
POLYCODEC_API const polycodec_array* materialize(const polycodec_array& array, Builder& out,
                                                 const Limits& limits = {});

/// Where interleave() puts the fields of a row.
enum class RowLayout : std::uint8_t {
  packed,   ///< one after another
  aligned,  ///< each at a multiple of its alignment, as a C struct of these fields
};

/// A record with all columns in one buffer, row after row: each column is a strided view. The
/// columns must be leaves (Error(Status::type) otherwise); the elements are in host byte order.
POLYCODEC_API const polycodec_array* interleave(const polycodec_array& record, Builder& out,
                                                RowLayout layout = RowLayout::packed);

}  // namespace polycodec
