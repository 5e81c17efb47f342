// SPDX-License-Identifier: MIT
// Hostile files: each ends as a careful reader should end, and none in more than little time and
// memory.
#include "read_support.hpp"
#include "sanitized.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <map>
#include <set>

namespace polycodec::test {
namespace {

const std::string hostile_vectors = POLYCODEC_TEST_VECTORS "/awkward/hostile/";

/// The detail and the path of the error; "read" for files that are to be read.
const std::map<std::string, std::string> outcomes = {
    {"h04_python_key", "expression.python $.schema.python"},
    {"h05_two_keys_call_read", "expression.two_kinds $.schema"},
    {"h06_two_keys_list_json", "expression.two_kinds $.schema"},
    {"h07_no_key", "expression.no_kind $.schema"},
    {"h08_empty_call", "function.name $.schema.call"},
    {"h09_call_string", "function.name $.schema.call"},
    {"h12_ref_top", "expression.dangling_reference $.schema.ref"},
    {"h14_ref_cycle_table", "expression.endless $.schema"},
    {"h15_deep_list_10000", "awkward.limit "},
    {"h16_deep_json_10000", "awkward.limit "},
    {"h18_read_dotdot", "store.unsafe_name $.schema.args[0].read"},
    {"h19_read_abs_path", "store.unsafe_name $.schema.args[0].read"},
    {"h20_blob_too_short", "buffer.size $.schema.args[0]"},
    {"h22_blob_too_long", "read"},
    {"h23_negative_count", "buffer.count $.schema.args[2]"},
    {"h24_counts_negative", "jagged.negative $.schema.args[0]"},
    {"h25_counts_too_many", "jagged.range $.schema.args[0]"},
    {"h28_stops_out_of_range", "jagged.range $.schema.args[1]"},
    {"h29_stops_lt_starts", "jagged.order $.schema.args[1]"},
    {"h31_zip_bomb_zlib", "read"},
    {"h32_huge_count", "awkward.limit $.schema.args[2]"},
    {"h33_huge_dtype", "dtype.size $.schema.args[1].dtype[1][0]"},
    {"h35_indexed_out_of_range", "index.range $.schema.args[0]"},
    {"h36_indexed_negative", "index.range $.schema.args[0]"},
    {"h37_union_bad_tag", "union.tag $.schema.args[0]"},
    {"h39_mask_longer", "mask.length $.schema.args[0]"},
    {"h41_chunksizes_mismatch", "chunk.sizes $.schema.args[1]"},
    {"h44_not_awkward", "schema.signature $"},
    {"h45_no_schema", "schema.no_schema $"},
    {"h46_not_json", "json.syntax "},
    {"h47_non_ascii", "read"},
    {"h48_top_array", "schema.not_an_object $"},
    {"h49_schema_list", "expression.not_an_object $.schema"},
    {"h50_args_not_list", "call.args $.schema.args"},
    {"h51_duplicate_id", "expression.duplicate_id"},
    {"h55_globals_walk", "function.denied $.schema"},
    {"h56_table_view_oob", "table.view_range $.schema.args[0]"},
    {"h60_encoded_bomb_deflate", "read"},  // 100 MB, within the memory of a call
    {"h61_corrupt_zlib", "buffer.compressed $.schema.args[0].args[0]"},
    {"h63_not_zip", "store.not_an_archive "},
    {"h64_multi_dup_member", "store.duplicate_name "}};

std::string outcome(const std::string& path) {
  const auto e = refusal_of([&] { return read_path(path); });
  return e ? e->detail() + " " + e->path() : "read";
}

TEST(AwkwardHostile, EndsAsItShould) {
  std::set<std::string> seen;
  for (const auto& entry : std::filesystem::directory_iterator(hostile_vectors)) {
    if (entry.path().extension() != ".awkd") continue;
    const std::string name = entry.path().stem();
    SCOPED_TRACE(name);
    seen.insert(name);
    const auto expected = outcomes.find(name);
    const std::string found = outcome(entry.path());
    ASSERT_NE(outcomes.end(), expected) << found;
    EXPECT_TRUE(found.starts_with(expected->second)) << found << ", expected " << expected->second;
  }
  EXPECT_EQ(outcomes.size(), seen.size());
}

#if !POLYCODEC_SANITIZED
TEST(AwkwardHostile, TakesLittleMemory) {
  // What the process has already, and 256 MiB more.
  rusage before{};
  getrusage(RUSAGE_SELF, &before);
  for (const auto& [name, unused] : outcomes)
    static_cast<void>(outcome(hostile_vectors + name + ".awkd"));
  rusage after{};
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 256 * 1024);
}
#endif

}  // namespace
}  // namespace polycodec::test
