// SPDX-License-Identifier: MIT
// What the Python library wrote, read and written again by us, and values of every kind, written
// and read.
#include <polycodec/kit/corpus.hpp>
#include <polycodec/text.hpp>
#include <polycodec/value.hpp>

#include "read_support.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace polycodec::test {
namespace {

const std::string directory = POLYCODEC_TEST_VECTORS "/awkward/";

/// "" if the value comes back equal.
std::string change(NodeView value, const std::string& options = "{}",
                   const std::string& array = "{}") {
  const auto store = rewritten(value, options);
  const Value again = read_store(store, array);
  const auto found = first_difference(value, again.view());
  if (found) return found->path + ": " + found->reason + "\n" + std::string(store->read(".json"));
  return {};
}

bool has_references(const View& item) {
  if (item.kind() == POLYCODEC_KIND_REFERENCE) return true;
  const bool container =
      item.is_list() || item.kind() == POLYCODEC_KIND_OBJECT || item.kind() == POLYCODEC_KIND_UNION;
  for (std::uint64_t i = 0; container && i < item.size(); ++i)
    if (has_references(item.child(i))) return true;
  return false;
}

TEST(AwkwardRewrite, EveryVectorThatDecodes) {
  int written = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(".awkd") && !(name.ends_with(".h5") && has_hdf5())) continue;
    SCOPED_TRACE(name);
    Value value;
    if (refusal_of([&] { return value = read_path(entry.path()), 0; }))
      continue;  // vectors_test.cpp says which
    ++written;
    if (has_references(View(value.view()))) {
      // What is complete when it is referred to is shared and no reference any more: the value is
      // the same to those who follow references.
      std::ifstream in(directory + name.substr(0, name.rfind('.')) + ".json");
      const auto expected = in ? Json::parse(in) : Json();
      if (in) {
        EXPECT_EQ("", difference(View(read_store(rewritten(value.view())).view()), expected));
      }
      continue;
    }
    EXPECT_EQ("", change(value.view()));
    EXPECT_EQ("", change(value.view(), R"({"compression": true})"));
    // Once written, the same bytes come of it again.
    const auto first = rewritten(value.view());
    const auto second = rewritten(read_store(first).view());
    ASSERT_EQ(first->entries().size(), second->entries().size());
    for (const BlobStore::Entry& blob : first->entries())
      EXPECT_EQ(first->read(blob.name), second->read(blob.name));
  }
  EXPECT_GE(written, 70);
}

TEST(AwkwardRewrite, ValuesOfTheCorpus) {
  // What comes back otherwise: numbers of lists that JSON holds lose their width, a reference to
  // what stands nowhere else is where it stands.
  const std::set<std::string_view> changed = {"short_reals", "integers", "unsigned_integers",
                                              "shared_reference"};
  for (const kit::CorpusEntry& entry : kit::corpus()) {
    if (changed.contains(entry.name)) continue;
    SCOPED_TRACE(entry.name);
    Value value;
    Builder out(value.prepare(UINT64_MAX));
    value.set_root(out.root(entry.make(out)));
    try {
      EXPECT_EQ("", change(value.view()));
      EXPECT_EQ("", change(value.view(), R"({"compression": [{"method": "lzma", "level": 0}]})"));
    } catch (const Error& e) {
      EXPECT_TRUE(entry.name == "times" && e.code() == Status::range) << e.describe();
    }
  }
}

}  // namespace
}  // namespace polycodec::test
