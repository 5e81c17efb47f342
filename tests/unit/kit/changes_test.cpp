// SPDX-License-Identifier: MIT
// The kit judges codecs with a comparison of its own, so that a mistake of the library's does not
// hide in both. Here each is held to the other.
#include "tools/kit/changes.hpp"

#include <polycodec/kit/corpus.hpp>

#include "core/value/value.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace polycodec::kit {
namespace {

struct Named {
  std::string name;
  Value value;
};

/// The corpus, each value as it is and as nodes alone.
std::vector<Named> values() {
  std::vector<Named> all;
  for (const CorpusEntry& entry : corpus()) {
    Value value = Value::build(entry.make);
    Value document =
        Value::build([&](Builder& out) { return to_document(View(value.view()), out); });
    all.push_back({std::string(entry.name), std::move(value)});
    all.push_back({std::string(entry.name) + " as nodes", std::move(document)});
  }
  return all;
}

bool kit_finds_none(const Value& a, const Value& b, const ChangeSet& allowed) {
  return first_difference(View(a.view()), View(b.view()), allowed).empty() &&
         first_difference(View(b.view()), View(a.view()), allowed).empty();
}

TEST(Changes, TheComparisonsOfTheKitAndTheLibraryAgree) {
  const std::vector<std::string> width{"number-width"};
  const ChangeSet none, widths(width);
  const CompareOptions by_value{.numbers_by_value = true};
  const std::vector<Named> all = values();
  std::size_t equal_pairs = 0, different = 0;
  for (const Named& a : all)
    for (const Named& b : all) {
      SCOPED_TRACE(a.name + " and " + b.name);
      const auto found = polycodec::first_difference(View(a.value.view()), View(b.value.view()));
      EXPECT_EQ(kit_finds_none(a.value, b.value, none), !found) << (found ? found->reason : "");
      const bool is_equal = equal(View(a.value.view()), View(b.value.view()), by_value);
      EXPECT_TRUE(is_equal || !kit_finds_none(a.value, b.value, widths));
      ++(found ? different : equal_pairs);
    }
  EXPECT_GE(equal_pairs, all.size());
  EXPECT_GT(different, equal_pairs);
}

}  // namespace
}  // namespace polycodec::kit
