// SPDX-License-Identifier: MIT
#include "functions.hpp"

#include "classes.hpp"

#include <array>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace polycodec::awkward {
namespace {

template <class F>
concept HasParameters = std::is_array_v<std::remove_reference_t<decltype(F::params)>>;

template <class F>
std::int32_t POLYCODEC_ABI call(const polycodec_function*, polycodec_call* call,
                                const polycodec_node* args, const polycodec_node* kwargs,
                                const polycodec_node** result, polycodec_error* error) {
  return guard(error, [&] {
    std::span<const char* const> params;
    std::uint32_t required = 0;
    if constexpr (HasParameters<F>) {
      params = F::params;
      required = F::required;
    }
    Frame frame(Call(call), args, kwargs, params, required);
    *result = frame.out.store(F::run(frame));
  });
}

struct Entry {
  const char* path[3];
  std::uint32_t parts;
  const char* doc;
  decltype(polycodec_function::call) call;
};

/// A function of a class, or the class itself if `method` is null.
template <class F>
constexpr Entry of_class(const char* module, const char* name, const char* method,
                         const char* doc) {
  return {{module, name, method}, method == nullptr ? 2u : 3u, doc, &call<F>};
}

constexpr Entry others[] = {
    {{"numpy", "frombuffer", nullptr}, 2, "an array over bytes", &call<FromBuffer>},
    {{"awkward0", "numpy", "frombuffer"}, 3, "an array over bytes", &call<FromBuffer>},
    {{"awkward0.util", "frombuffer", nullptr}, 2, "an array over bytes", &call<FromBuffer>},
    {{"awkward", "numpy", "frombuffer"}, 3, "an array over bytes", &call<FromBuffer>},
    {{"awkward.util", "frombuffer", nullptr}, 2, "an array over bytes", &call<FromBuffer>},
    {{"zlib", "decompress", nullptr},
     2,
     "the bytes of a zlib stream (RFC 1950)",
     &call<ZlibDecompress>},
    {{"lzma", "decompress", nullptr},
     2,
     "the bytes of an xz or lzma stream",
     &call<LzmaDecompress>},
    {{"backports.lzma", "decompress", nullptr},
     2,
     "the bytes of an xz or lzma stream",
     &call<LzmaDecompress>},
    {{"awkward0.persist", "json2type", nullptr}, 2, "a type from its JSON", &call<JsonToType>},
    {{"awkward.persist", "json2type", nullptr}, 2, "a type from its JSON", &call<JsonToType>},
};

/// The classes, under the name that the library has now and the one it had before.
constexpr auto classes_of(const char* module) {
  return std::array{
      of_class<Jagged>(module, "JaggedArray", nullptr, "lists by starts and stops"),
      of_class<JaggedFromCounts>(module, "JaggedArray", "fromcounts", "lists by their lengths"),
      of_class<JaggedFromOffsets>(module, "JaggedArray", "fromoffsets", "lists by where they meet"),
      of_class<JaggedFromParents>(module, "JaggedArray", "fromparents",
                                  "lists by the list that each item is in"),
      of_class<JaggedFromUniques>(module, "JaggedArray", "fromuniques",
                                  "lists of items with equal numbers"),
      of_class<JaggedFromLocalIndex>(module, "JaggedArray", "fromlocalindex",
                                     "lists by the place of each item in its list"),
      of_class<JaggedFromRegular>(module, "JaggedArray", "fromregular",
                                  "the rows of a matrix as lists"),
      of_class<JaggedFromFolding>(module, "JaggedArray", "fromfolding",
                                  "lists of one length, the last may be shorter"),
      of_class<JaggedFromIter>(module, "JaggedArray", "fromiter", "lists of a document"),
      of_class<JaggedFromJagged>(module, "JaggedArray", "fromjagged", "the same lists"),
      of_class<Strings>(module, "StringArray", nullptr, "texts by starts and stops"),
      of_class<StringsFromCounts>(module, "StringArray", "fromcounts", "texts by their lengths"),
      of_class<Table>(module, "Table", nullptr, "a table of columns"),
      of_class<TableNamed>(module, "Table", "named", "a table of columns, whose rows have a name"),
      of_class<TableFromPairs>(module, "Table", "frompairs", "a table of names and columns"),
      of_class<TableFromView>(module, "Table", "fromview", "rows of a table"),
      of_class<TableFromRec>(module, "Table", "fromrec", "a table of the fields of an array"),
      of_class<Union>(module, "UnionArray", nullptr, "items of several arrays by tag and index"),
      of_class<UnionFromTags>(module, "UnionArray", "fromtags",
                              "items of several arrays by tag, in order"),
      of_class<Masked>(module, "MaskedArray", nullptr, "items that a mask of bytes leaves out"),
      of_class<BitMasked>(module, "BitMaskedArray", nullptr,
                          "items that a mask of bits leaves out"),
      of_class<IndexedMasked>(module, "IndexedMaskedArray", nullptr,
                              "items by an index that may be missing"),
      of_class<Indexed>(module, "IndexedArray", nullptr, "items by an index"),
      of_class<Sparse>(module, "SparseArray", nullptr, "few items among many that are the same"),
      of_class<Chunked>(module, "ChunkedArray", nullptr, "arrays one after another"),
      of_class<Appendable>(module, "AppendableArray", nullptr,
                           "chunks of one shape one after another"),
      of_class<Objects>(module, "ObjectArray", nullptr,
                        "what objects would be made from; they are not made"),
      of_class<Virtual>(module, "VirtualArray", nullptr, "what a registered function makes"),
  };
}

constexpr auto current = classes_of("awkward0");
constexpr auto legacy = classes_of("awkward");
constexpr std::size_t count = std::size(others) + current.size() + legacy.size();

constexpr const Entry& entry(std::size_t i) {
  if (i < std::size(others)) return others[i];
  i -= std::size(others);
  return i < current.size() ? current[i] : legacy[i - current.size()];
}

constexpr auto all = [] {
  std::array<polycodec_function, count> made{};
  for (std::size_t i = 0; i < count; ++i) {
    const Entry& e = entry(i);
    // Parameters may be given by name, so that the functions count for themselves.
    made[i] = {sizeof(polycodec_function),
               e.parts,
               e.path,
               e.doc,
               0,
               UINT32_MAX,
               nullptr,
               e.call,
               nullptr};
  }
  return made;
}();

constexpr auto pointers = [] {
  std::array<const polycodec_function*, count> made{};
  for (std::size_t i = 0; i < count; ++i) made[i] = &all[i];
  return made;
}();

constexpr polycodec_functions interface = {sizeof(polycodec_functions), count, pointers.data()};

}  // namespace

const void* Functions::get() noexcept {
  return &interface;
}

}  // namespace polycodec::awkward
