// SPDX-License-Identifier: MIT
// Values of every kind and every columnar form, for tests of codecs and of whatever else takes
// values.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>
#include <polycodec/kit/corpus_arrays.hpp>
#include <polycodec/kit/corpus_documents.hpp>
#include <polycodec/kit/corpus_lone.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::kit {

/// A value of the corpus, as a recipe: make() builds it in the builder's arena and returns its
/// root. Deterministic; the values are valid (as polycodec::validate with Validation::full sees it)
/// and take less than 64 KiB each.
struct CorpusEntry {
  std::string_view name;  ///< such as "list_of_mixed"
  polycodec_node (*make)(Builder& out);
};

/// All values: documents first, then columnar arrays, then both mixed. The order never changes; new
/// ones are appended within their group.
inline const std::vector<CorpusEntry>& corpus() {
  static const std::vector<CorpusEntry> entries = [] {
    std::vector<CorpusEntry> all;
    for (const auto& [name, make] : corpus_documents) all.push_back({name, make});
    for (const auto& [name, make] : corpus_arrays) all.push_back({name, make});
    return all;
  }();
  return entries;
}

/// What a format for one thing takes: an array of each dtype and unit alone, images, tables and
/// columns of text. As corpus(), which has these kinds of value within others.
inline const std::vector<CorpusEntry>& lone_corpus() {
  static const auto named = [] {
    std::vector<std::pair<std::string, polycodec_node (*)(Builder&)>> all;
    detail::add_dtypes(all, std::make_integer_sequence<std::uint32_t, POLYCODEC_DTYPE_COUNT - 1>());
    for (const auto& [name, make] : detail::lone_tables) all.emplace_back(name, make);
    return all;
  }();
  static const std::vector<CorpusEntry> entries = [] {
    std::vector<CorpusEntry> all;
    for (const auto& [name, make] : named) all.push_back({name, make});
    return all;
  }();
  return entries;
}

}  // namespace polycodec::kit
