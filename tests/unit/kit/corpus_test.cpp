// SPDX-License-Identifier: MIT
#include <polycodec/kit/corpus.hpp>

#include "core/value/value.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace polycodec::kit {
namespace {

std::vector<CorpusEntry> whole_corpus() {
  std::vector<CorpusEntry> all = corpus();
  all.insert(all.end(), lone_corpus().begin(), lone_corpus().end());
  return all;
}

TEST(Corpus, EveryValueIsValidAndSmall) {
  for (const CorpusEntry& entry : whole_corpus()) {
    const Value value = Value::build(entry.make, 64 << 10);
    EXPECT_NO_THROW(validate(value.view(), Limits{}, Validation::full)) << entry.name;
  }
}

TEST(Corpus, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const CorpusEntry& entry : whole_corpus())
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
}

// A kind or form that is missing here would be missing in the test of every codec.
void count(const polycodec_node& node, std::set<int>& kinds, std::set<int>& forms);
void count(const polycodec_array& array, std::set<int>& kinds, std::set<int>& forms) {
  forms.insert(array.layout);
  for (std::uint32_t i = 0; i < array.n_children; ++i) count(*array.children[i], kinds, forms);
  for (std::uint64_t i = 0; array.nodes != nullptr && i < array.length; ++i)
    count(array.nodes[i], kinds, forms);
}
void count(const polycodec_node& node, std::set<int>& kinds, std::set<int>& forms) {
  kinds.insert(node.kind);
  if (node.kind == POLYCODEC_KIND_ARRAY) return count(*node.as.array, kinds, forms);
  if (node.kind < POLYCODEC_KIND_LIST || node.kind > POLYCODEC_KIND_MAP) return;
  const std::uint64_t pairs =
      node.kind == POLYCODEC_KIND_OBJECT || node.kind == POLYCODEC_KIND_MAP ? 2 : 1;
  for (std::uint64_t i = 0; i < polycodec_node_size(&node) * pairs; ++i)
    count(node.as.nodes[i], kinds, forms);
}

TEST(Corpus, HasEveryKindAndForm) {
  std::set<int> kinds;
  std::set<int> forms;
  for (const CorpusEntry& entry : corpus()) {
    const Value value = Value::build(entry.make);
    count(*value.root(), kinds, forms);
  }
  EXPECT_EQ(kinds.size(), std::size_t{POLYCODEC_KIND_COUNT});
  EXPECT_EQ(forms.size(), std::size_t{POLYCODEC_LAYOUT_COUNT});
}

TEST(Corpus, HasAnArrayOfEachDtypeAndUnitAlone) {
  std::set<std::pair<int, int>> alone;
  for (const CorpusEntry& entry : lone_corpus()) {
    const Value value = Value::build(entry.make);
    if (value.root()->kind != POLYCODEC_KIND_ARRAY) continue;
    const polycodec_array& array = *value.root()->as.array;
    if (array.layout == POLYCODEC_LAYOUT_NDARRAY) alone.insert({array.dtype, array.unit});
  }
  constexpr std::size_t times = 2;
  EXPECT_EQ(alone.size(), POLYCODEC_DTYPE_COUNT - 1 - times + times * POLYCODEC_UNIT_COUNT);
}

}  // namespace
}  // namespace polycodec::kit
