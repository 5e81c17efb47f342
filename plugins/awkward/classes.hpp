// SPDX-License-Identifier: MIT
// The functions that files call. Each is a struct: the names of its parameters, how many of them
// are needed, and run(), which makes the result. No parameters at all: run() looks at the arguments
// itself.
#pragma once

#include <polycodec/builder.hpp>

#include "frame.hpp"

#include <cstdint>

namespace polycodec::awkward {

#define POLYCODEC_AWKWARD_FUNCTION(Name, needed, ...)      \
  struct Name {                                            \
    static constexpr const char* params[] = {__VA_ARGS__}; \
    static constexpr std::uint32_t required = needed;      \
    static polycodec_node run(Frame& frame);               \
  }

// buffers.cpp, decompress.cpp
POLYCODEC_AWKWARD_FUNCTION(FromBuffer, 1, "buffer", "dtype", "count", "offset");
POLYCODEC_AWKWARD_FUNCTION(ZlibDecompress, 1, "data");
POLYCODEC_AWKWARD_FUNCTION(LzmaDecompress, 1, "data");
// jagged.cpp
POLYCODEC_AWKWARD_FUNCTION(Jagged, 3, "starts", "stops", "content");
POLYCODEC_AWKWARD_FUNCTION(JaggedFromCounts, 2, "counts", "content");
POLYCODEC_AWKWARD_FUNCTION(JaggedFromOffsets, 2, "offsets", "content");
// jagged_other.cpp
POLYCODEC_AWKWARD_FUNCTION(JaggedFromParents, 2, "parents", "content");
POLYCODEC_AWKWARD_FUNCTION(JaggedFromUniques, 2, "uniques", "content");
POLYCODEC_AWKWARD_FUNCTION(JaggedFromLocalIndex, 2, "localindex", "content");
POLYCODEC_AWKWARD_FUNCTION(JaggedFromRegular, 1, "regular");
POLYCODEC_AWKWARD_FUNCTION(JaggedFromFolding, 2, "content", "size");
POLYCODEC_AWKWARD_FUNCTION(JaggedFromIter, 1, "iterable");
POLYCODEC_AWKWARD_FUNCTION(JaggedFromJagged, 1, "jagged");
// strings.cpp
POLYCODEC_AWKWARD_FUNCTION(Strings, 3, "starts", "stops", "content", "encoding");
POLYCODEC_AWKWARD_FUNCTION(StringsFromCounts, 2, "counts", "content", "encoding");
// tables.cpp
struct Table {
  static constexpr const char* const* params = nullptr;
  static polycodec_node run(Frame& frame);
};
struct TableNamed {
  static constexpr const char* const* params = nullptr;
  static polycodec_node run(Frame& frame);
};
POLYCODEC_AWKWARD_FUNCTION(TableFromPairs, 1, "pairs", "rowstart");
POLYCODEC_AWKWARD_FUNCTION(TableFromView, 2, "view", "base");
POLYCODEC_AWKWARD_FUNCTION(TableFromRec, 1, "recarray");
// unions.cpp
POLYCODEC_AWKWARD_FUNCTION(Union, 3, "tags", "index", "contents");
POLYCODEC_AWKWARD_FUNCTION(UnionFromTags, 2, "tags", "contents");
// masks.cpp
POLYCODEC_AWKWARD_FUNCTION(Masked, 2, "mask", "content", "maskedwhen");
POLYCODEC_AWKWARD_FUNCTION(BitMasked, 2, "mask", "content", "maskedwhen", "lsborder");
POLYCODEC_AWKWARD_FUNCTION(IndexedMasked, 2, "mask", "content", "maskedwhen");
POLYCODEC_AWKWARD_FUNCTION(Indexed, 2, "index", "content");
// sparse.cpp
POLYCODEC_AWKWARD_FUNCTION(Sparse, 3, "length", "index", "content", "default");
// chunks.cpp
POLYCODEC_AWKWARD_FUNCTION(Chunked, 1, "chunks", "chunksizes");
POLYCODEC_AWKWARD_FUNCTION(Appendable, 3, "chunkshape", "dtype", "chunks");
// objects.cpp
POLYCODEC_AWKWARD_FUNCTION(Objects, 2, "content", "generator", "args", "kwargs");
POLYCODEC_AWKWARD_FUNCTION(Virtual, 1, "generator", "args", "kwargs", "cache", "persistentkey",
                           "type", "nbytes", "persistvirtual");
POLYCODEC_AWKWARD_FUNCTION(JsonToType, 1, "obj", "whitelist");

#undef POLYCODEC_AWKWARD_FUNCTION

/// Lists by `counts`, checked: none negative, and not more together than the content has. `what`:
/// the parameter of the counts. Text and byte strings are made of them too.
polycodec_array* lists_from_counts(Frame& frame, const Integers& counts,
                                   const polycodec_array& content, std::size_t param);
/// Lists by starts and stops (parameters 0 and 1), of as many items as `starts`.
polycodec_array* lists_from_starts(Frame& frame, const Integers& starts, const Integers& stops,
                                   const polycodec_array& content);

}  // namespace polycodec::awkward
