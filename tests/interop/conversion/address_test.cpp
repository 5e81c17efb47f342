// SPDX-License-Identifier: MIT
// Content addresses of every value of the corpus and of the vectors, and what each codec keeps of
// them.
#include <polycodec/kit/corpus.hpp>

#include "codecs.hpp"
#include "core/text/text.hpp"
#include "core/value/kept.hpp"
#include "core/value/value.hpp"
#include "error_of.hpp"
#include "registry/channel/channel.hpp"
#include "registry/codec/read_back.hpp"
#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace polycodec {
namespace {

const CompareOptions content{.lists_by_content = true, .metadata = false};
const CompareOptions by_value{
    .numbers_by_value = true, .lists_by_content = true, .metadata = false};

struct Named {
  std::string name;
  Value value;
};

/// The corpus, and values that were decoded from vectors of each format.
std::vector<Named> values() {
  std::vector<Named> all;
  for (const auto& entry : kit::corpus())
    all.push_back({std::string(entry.name), Value::build(entry.make)});
  std::vector<std::filesystem::path> files;
  for (const char* format : {"awkward", "dynd", "msgpack_ndarray", "obj", "ply", "yggdrasil"})
    for (const auto& file : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(POLYCODEC_TEST_VECTORS) / format))
      if (file.is_regular_file() && file.file_size() < 20000 && file.path().extension() != ".json")
        files.push_back(file.path());
  std::ranges::sort(files);
  for (const auto& file : files)
    if (auto value = attempt([&] { return registry().decode(Source::file(file)); }); value.ok())
      all.push_back({file.filename(), std::move(*value)});
  return all;
}

/// An address, or "" for a value that has none.
std::string address(NodeView value, Address kind) {
  const auto found = attempt([&] { return registry().address(value, kind); });
  return found.ok() ? *found : "";
}

/// True if DyND has a type for all of the value: no record stands for another kind in its address.
bool is_written_as_it_is(NodeView value) {
  return attempt([&] {
           CallOptions options;
           options.on_loss = [](LossClass, std::string_view, std::string_view) {};
           options.losses = all_losses & ~losses_of(LossClass::type);
           return registry().codec("dynd").encode_to_string(value, options);
         })
      .ok();
}

TEST(ContentAddress, OneExactAddressIsOneLogicalAddress) {
  const auto all = values();
  EXPECT_GT(all.size(), 250u);
  std::map<std::string, std::size_t> by_exact, by_logical;
  std::size_t shared = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(all[i].name);
    const NodeView value = all[i].value.view();
    const std::string exact = address(value, Address::exact);
    const std::string logical = address(value, Address::logical);
    ASSERT_EQ(logical.size(), 64u);
    if (!exact.empty() && is_written_as_it_is(value)) {
      const auto [at, fresh] = by_exact.emplace(exact, i);
      if (!fresh) {
        EXPECT_EQ(address(all[at->second].value.view(), Address::logical), logical)
            << all[at->second].name;
      }
    }
    // Values of one logical address are equal but for the types of items that are not there.
    const auto [at, fresh] = by_logical.emplace(logical, i);
    if (fresh) continue;
    ++shared;
    const auto difference = first_difference(value, all[at->second].value.view(), by_value);
    EXPECT_FALSE(difference) << all[at->second].name << " " << difference->path << ": "
                             << difference->reason;
  }
  EXPECT_GT(shared, 20u);
}

TEST(ContentAddress, ConversionsKeepTheLogicalOneUnlessAMemberIsRetyped) {
  std::map<std::string, int> kept;
  for (const auto& [name, value] : values()) {
    const NodeView before = value.view();
    const std::string exact = address(before, Address::exact);
    const std::string logical = address(before, Address::logical);
    for (const CodecInfo& info : registry().codecs()) {
      if (!info.can_encode || !info.can_decode || info.name == "fastbin") continue;
      SCOPED_TRACE(name + " " + info.name);
      const auto back = attempt([&] { return read_back(registry().codec(info.name), before, {}); });
      if (!back.ok()) continue;
      const NodeView after = back->view();
      const bool same_exact = !exact.empty() && address(after, Address::exact) == exact;
      const bool same_logical = address(after, Address::logical) == logical;
      const auto retyped = retyped_members(before, after, {});
      EXPECT_TRUE(same_logical || !equal(before, after, content));
      const auto nothing = [](std::string_view, bool) { return false; };
      const KeptValue found = compare_kept(before, after, {}, nullptr, nothing);
      EXPECT_EQ(found.kept != Kept::different, equal(before, after, by_value));
      // Otherwise a record stands for another kind, such as an object with duplicate keys.
      EXPECT_TRUE(same_logical || !same_exact || !is_written_as_it_is(before) ||
                  !equal(before, after, by_value));
      EXPECT_TRUE(!same_logical || equal(before, after, by_value));
      EXPECT_TRUE(same_logical || !retyped.empty() || !equal(before, after, by_value))
          << to_text(before).substr(0, 300);
      ++kept[same_exact ? "exact" : same_logical ? "logical" : "neither"];
    }
  }
  EXPECT_GT(kept["exact"], 500);
  EXPECT_GT(kept["logical"], 10);
  EXPECT_GT(kept["neither"], 10);
  RecordProperty("exact", kept["exact"]);
  RecordProperty("logical", kept["logical"]);
  RecordProperty("neither", kept["neither"]);
}

constexpr const char* narrow =
    R"({"type": "{a: {b: int32}, c: float64}", "value": {"a": {"b": 7}, "c": 1.5}})";

TEST(Retyping, IsReportedWhereTheCallerAsksForIt) {
  const Value value = parse_text(narrow);
  const Codec msgpack = registry().codec("msgpack-ndarray");
  CallOptions options;
  std::vector<std::string> heard;
  options.on_loss = [&](LossClass loss, std::string_view path, std::string_view what) {
    EXPECT_EQ(loss, LossClass::retyped);
    heard.push_back(std::string(path) + " " + std::string(what));
  };
  (void)msgpack.encode_to_string(value.view(), options);
  EXPECT_TRUE(heard.empty());
  options.report_retyped = true;
  const std::string bytes = msgpack.encode_to_string(value.view(), options);
  EXPECT_EQ(heard, std::vector<std::string>{"$.a.b int32 -> int64"});
  EXPECT_EQ(bytes, msgpack.encode_to_string(value.view()));
  // It passes where nobody listens, and can be forbidden.
  options.on_loss = nullptr;
  EXPECT_NO_THROW((void)msgpack.encode_to_string(value.view(), options));
  options.losses = losses_of(LossClass::note);
  const Error refused =
      test::error_of([&] { (void)msgpack.encode_to_string(value.view(), options); });
  EXPECT_EQ(refused.code(), Status::unsupported);
  EXPECT_EQ(refused.path(), "$.a.b");
  // A codec that keeps types has nothing to report, filters or not, in a store or in bytes.
  EXPECT_NO_THROW((void)registry().codec("dynd").encode_to_string(value.view(), options));
  EXPECT_NO_THROW((void)registry()
                      .codec_with_json("dynd", "", R"([{"id": "zstd"}])")
                      .encode_to_string(value.view(), options));
  MemoryBlobs blobs;
  EXPECT_NO_THROW(registry().codec("awkward").encode(parse_text("[1.5]").view(), blobs, options));
}

TEST(Retyping, IsReportedByChannels) {
  const Value value = parse_text(narrow);
  ChannelOptions options;
  options.codec = "msgpack-ndarray";
  std::vector<std::string> heard;
  options.call.on_loss = [&](LossClass, std::string_view path, std::string_view what) {
    heard.push_back(std::string(path) + " " + std::string(what));
  };
  options.call.report_retyped = true;
  Channel channel(registry(), options);
  (void)channel.pack(value.view());
  EXPECT_EQ(heard, std::vector<std::string>{"$.a.b int32 -> int64"});
}

}  // namespace
}  // namespace polycodec
