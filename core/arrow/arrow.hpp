// SPDX-License-Identifier: MIT
// Values to and from engines that speak Arrow (the C data and C stream interface, see
// docs/arrow.md) and libraries that speak DLPack: in one process, and without a copy where the
// layouts agree.
#pragma once

#include <polycodec/host.h>
#include <polycodec/node_view.hpp>

#include "core/call/limits.hpp"
#include "core/value/value.hpp"

#include <cstdint>
#include <memory>

namespace polycodec {

/// How values are handed to Arrow consumers.
struct ArrowOptions {
  Limits limits;
  /// Unions as sparse ones, with every alternative as long as the union, for engines that read no
  /// dense ones (DuckDB). Copies the items.
  bool sparse_unions = false;
};

/// Hands `what`, a part of `value`, to an Arrow consumer: fills both structures, which the consumer
/// releases. A list becomes an array of its items, anything else an array of one item. What can be
/// viewed is viewed (contiguous numbers in host order, offsets of 32 or 64 bits, strings,
/// dictionaries of leaves); everything else is copied once. The arrays keep `value` alive. Throws
/// Status::unsupported with the path where Arrow has no such type, Status::limit. On failure both
/// structures are marked as released. [thread-safe]
void export_arrow(std::shared_ptr<const Value> value, NodeView what, ArrowSchema& schema,
                  ArrowArray& array, const ArrowOptions& options = {});

/// The same as a stream of one batch, as engines scan it: a list of records gives its columns, any
/// other value one column called "value".
void export_arrow_stream(std::shared_ptr<const Value> value, NodeView what,
                         ArrowArrayStream& stream, const ArrowOptions& options = {});

/// Takes an array from an Arrow producer: both structures are moved from (and released with the
/// value, or at once on failure). The value is a columnar array, validated in full, that views the
/// producer's numbers and text. Structure (offsets, indices, tags, masks, names) is copied, because
/// the buffers may change. Throws Status::unsupported for a type that polycodec has no form for
/// (decimals, intervals, ...), Status::invalid for structures that break the rules of the
/// interface. An extension type comes as its storage, with `ARROW:extension:name` and
/// `ARROW:extension:metadata` as attributes. Pointers and lengths are the producer's word: it is
/// code in this process.
Value import_arrow(ArrowSchema& schema, ArrowArray& array, const Limits& limits = {});

/// Takes all batches of a stream; several become chunks of one array. The stream is moved from. Of
/// all batches together, max_elements bounds the rows, max_memory_bytes the bytes and max_nodes the
/// number; Status::limit where the stream has more.
Value import_arrow_stream(ArrowArrayStream& stream, const Limits& limits = {});

/// Hands a leaf of `value` to a DLPack consumer, who calls its deleter. The tensor views the
/// value's memory, which must not be written to, and keeps `value` alive; big-endian numbers, and
/// strides that are not multiples of the element, are copied once. Throws Status::unsupported for
/// types without an equal in DLPack: arrays that are not leaves, times, fixed-width strings and
/// bytes, 128-bit integers. [thread-safe]
DLManagedTensor* export_dlpack(std::shared_ptr<const Value> value, const polycodec_array& leaf,
                               const Limits& limits = {});
/// The same in the form of DLPack 1.x, with its flags: read-only where the value's memory is
/// viewed, copied where it is not.
DLManagedTensorVersioned* export_dlpack_versioned(std::shared_ptr<const Value> value,
                                                  const polycodec_array& leaf,
                                                  const Limits& limits = {});

/// Takes a tensor in the memory of the processor from a DLPack producer; its deleter is called with
/// the value, or at once on failure. The value is a leaf that views the tensor. Throws
/// Status::unsupported for other devices and types, Status::invalid for a shape or strides that
/// make no sense. Pointers are the producer's word.
Value import_dlpack(DLManagedTensor* tensor, const Limits& limits = {});
Value import_dlpack(DLManagedTensorVersioned* tensor, const Limits& limits = {});

}  // namespace polycodec
