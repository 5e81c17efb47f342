// SPDX-License-Identifier: MIT
#include "codec.hpp"
#include "frame.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace polycodec::awkward {
namespace {

/// The module of the classes: the name that the library has now, and the one that it had before.
constexpr const char* library = "awkward0";
constexpr const char* library_before = "awkward";

using Words = std::array<const char*, 8>;

struct Entry {
  Words path;
  const char* doc;
  Function* run;
  std::uint32_t required = 0;  ///< how many of `params` must be given
  Words params = {};           ///< none: run() looks at the arguments itself
};

constexpr Entry of(Words path, const char* doc, Function* run, std::uint32_t required = 0,
                   Words params = {}) {
  return {path, doc, run, required, params};
}

constexpr Entry entries[] = {
    of({"numpy", "frombuffer"}, "an array over bytes", from_buffer, 1,
       {"buffer", "dtype", "count", "offset"}),
    of({library, "numpy", "frombuffer"}, "an array over bytes", from_buffer, 1,
       {"buffer", "dtype", "count", "offset"}),
    of({"awkward0.util", "frombuffer"}, "an array over bytes", from_buffer, 1,
       {"buffer", "dtype", "count", "offset"}),
    of({"awkward.util", "frombuffer"}, "an array over bytes", from_buffer, 1,
       {"buffer", "dtype", "count", "offset"}),
    of({"zlib", "decompress"}, "the bytes of a zlib stream (RFC 1950)", zlib_decompress, 1,
       {"data"}),
    of({"lzma", "decompress"}, "the bytes of an xz or lzma stream", lzma_decompress, 1, {"data"}),
    of({"backports.lzma", "decompress"}, "the bytes of an xz or lzma stream", lzma_decompress, 1,
       {"data"}),
    of({"awkward0.persist", "json2type"}, "a type from its JSON", json_to_type, 1,
       {"obj", "whitelist"}),
    of({"awkward.persist", "json2type"}, "a type from its JSON", json_to_type, 1,
       {"obj", "whitelist"}),
    of({library, "JaggedArray"}, "lists by starts and stops", jagged_array, 3,
       {"starts", "stops", "content"}),
    of({library, "JaggedArray", "fromcounts"}, "lists by their lengths", jagged_from_counts, 2,
       {"counts", "content"}),
    of({library, "JaggedArray", "fromoffsets"}, "lists by where they meet", jagged_from_offsets, 2,
       {"offsets", "content"}),
    of({library, "JaggedArray", "fromparents"}, "lists by the list that each item is in",
       jagged_from_parents, 2, {"parents", "content"}),
    of({library, "JaggedArray", "fromuniques"}, "lists of items with equal numbers",
       jagged_from_uniques, 2, {"uniques", "content"}),
    of({library, "JaggedArray", "fromlocalindex"}, "lists by the place of each item in its list",
       jagged_from_local_index, 2, {"localindex", "content"}),
    of({library, "JaggedArray", "fromregular"}, "the rows of a matrix as lists",
       jagged_from_regular, 1, {"regular"}),
    of({library, "JaggedArray", "fromfolding"}, "lists of one length, the last may be shorter",
       jagged_from_folding, 2, {"content", "size"}),
    of({library, "JaggedArray", "fromiter"}, "lists of a document", jagged_from_iter, 1,
       {"iterable"}),
    of({library, "JaggedArray", "fromjagged"}, "the same lists", jagged_from_jagged, 1, {"jagged"}),
    of({library, "StringArray"}, "strings by starts and stops", string_array, 3,
       {"starts", "stops", "content", "encoding"}),
    of({library, "StringArray", "fromcounts"}, "strings by their lengths", strings_from_counts, 2,
       {"counts", "content", "encoding"}),
    of({library, "Table"}, "a table of columns", table),
    of({library, "Table", "named"}, "a table of columns, whose rows have a name", table_named),
    of({library, "Table", "frompairs"}, "a table of names and columns", table_from_pairs, 1,
       {"pairs", "rowstart"}),
    of({library, "Table", "fromview"}, "rows of a table", table_from_view, 2, {"view", "base"}),
    of({library, "Table", "fromrec"}, "a table of the fields of an array", table_from_record, 1,
       {"recarray"}),
    of({library, "UnionArray"}, "items of several arrays by tag and index", union_array, 3,
       {"tags", "index", "contents"}),
    of({library, "UnionArray", "fromtags"}, "items of several arrays by tag, in order",
       union_from_tags, 2, {"tags", "contents"}),
    of({library, "MaskedArray"}, "items that a mask of bytes leaves out", masked_array, 2,
       {"mask", "content", "maskedwhen"}),
    of({library, "BitMaskedArray"}, "items that a mask of bits leaves out", bit_masked_array, 2,
       {"mask", "content", "maskedwhen", "lsborder"}),
    of({library, "IndexedMaskedArray"}, "items by an index that may be missing",
       indexed_masked_array, 2, {"mask", "content", "maskedwhen"}),
    of({library, "IndexedArray"}, "items by an index", indexed_array, 2, {"index", "content"}),
    of({library, "SparseArray"}, "few items among many that are the same", sparse_array, 3,
       {"length", "index", "content", "default"}),
    of({library, "ChunkedArray"}, "arrays one after another", chunked_array, 1,
       {"chunks", "chunksizes"}),
    of({library, "AppendableArray"}, "chunks of one shape one after another", appendable_array, 3,
       {"chunkshape", "dtype", "chunks"}),
    of({library, "ObjectArray"}, "what objects would be made from; they are not made", object_array,
       2, {"content", "generator", "args", "kwargs"}),
    of({library, "VirtualArray"}, "what a registered function makes", virtual_array, 1,
       {"generator", "args", "kwargs", "cache", "persistentkey", "type", "nbytes",
        "persistvirtual"}),
    // The classes of the library's own default allowlist that have arrays in files.
    of({"uproot3_methods.classes.TLorentzVector", "TLorentzVectorArray", "from_cartesian"},
       "vectors; they stay columns", vectors, 4, {"x", "y", "z", "t"}),
    of({"uproot3_methods.classes.TLorentzVector", "TLorentzVectorArray", "from_ptetaphim"},
       "vectors; they stay columns", vectors, 4, {"pt", "eta", "phi", "mass"}),
    of({"uproot3_methods.classes.TVector3", "TVector3Array", "from_cartesian"},
       "vectors; they stay columns", vectors, 3, {"x", "y", "z"}),
    of({"uproot3_methods.classes.TVector2", "TVector2Array", "from_cartesian"},
       "vectors; they stay columns", vectors, 2, {"x", "y"}),
    of({"uproot_methods.classes.TLorentzVector", "TLorentzVectorArray", "from_cartesian"},
       "vectors; they stay columns", vectors, 4, {"x", "y", "z", "t"}),
    of({"uproot_methods.classes.TLorentzVector", "TLorentzVectorArray", "from_ptetaphim"},
       "vectors; they stay columns", vectors, 4, {"pt", "eta", "phi", "mass"}),
    of({"uproot_methods.classes.TVector3", "TVector3Array", "from_cartesian"},
       "vectors; they stay columns", vectors, 3, {"x", "y", "z"}),
    of({"uproot_methods.classes.TVector2", "TVector2Array", "from_cartesian"},
       "vectors; they stay columns", vectors, 2, {"x", "y"})};

constexpr bool is_of_library(const Entry& e) {
  return std::string_view(e.path[0]) == library;
}

/// All entries, those of the library under both of its names.
constexpr auto every_function = [] {
  constexpr auto doubled = static_cast<std::size_t>(std::ranges::count_if(entries, is_of_library));
  std::array<Entry, std::size(entries) + doubled> made{};
  std::size_t at = 0;
  for (const Entry& e : entries) {
    made[at++] = e;
    if (!is_of_library(e)) continue;
    made[at] = e;
    made[at++].path[0] = library_before;
  }
  return made;
}();

std::int32_t call(const polycodec_function* self, polycodec_call* call, const polycodec_node* args,
                  const polycodec_node* kwargs, const polycodec_node** result,
                  polycodec_error* error) {
  return guard(error, [&] {
    const auto& entry = *static_cast<const Entry*>(self->private_data);
    const auto* const end = std::ranges::find(entry.params, nullptr);
    Frame frame(Call(call), args, kwargs, {entry.params.begin(), end}, entry.required);
    frame.path = entry.path;
    *result = frame.out.store(entry.run(frame));
  });
}

constexpr auto functions = [] {
  std::array<polycodec_function, every_function.size()> made{};
  for (std::size_t i = 0; i < every_function.size(); ++i) {
    const Entry& e = every_function[i];
    // Parameters may be given by name, so that the functions count for themselves.
    made[i] = {sizeof(polycodec_function),
               e.path[2] == nullptr ? 2u : 3u,
               e.path.data(),
               e.doc,
               0,
               UINT32_MAX,
               const_cast<Entry*>(&e),
               call,
               nullptr};
  }
  return made;
}();

constexpr auto pointers = [] {
  std::array<const polycodec_function*, functions.size()> made{};
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = &functions[i];
  return made;
}();

constexpr polycodec_functions interface = {sizeof(polycodec_functions), pointers.size(),
                                           pointers.data()};

bool is_called(const Entry& entry, std::span<const std::string_view> path) {
  return std::ranges::equal(path,
                            std::span(entry.path.begin(), std::ranges::find(entry.path, nullptr)));
}

}  // namespace

const void* Functions::get() noexcept {
  return &interface;
}

bool is_own_function(std::span<const std::string_view> path) {
  return std::ranges::any_of(every_function,
                             [&](const Entry& entry) { return is_called(entry, path); });
}

std::span<const char* const> columns_of_class(std::span<const std::string_view> path) {
  for (const Entry& entry : every_function)
    if (entry.run == vectors && is_called(entry, path))
      return std::span(entry.params).first(entry.required);
  return {};
}

}  // namespace polycodec::awkward
