// SPDX-License-Identifier: MIT
// What `polycodec convert` reports of what its output keeps.
#include "command.hpp"

namespace polycodec::test {
namespace {

class ConvertReport : public Command {};

constexpr const char* exact =
    R"({"type": "{a: 3 * float64, b: string}", "value": {"a": [1.0, 2.5, -0.0], "b": "x"}})";
constexpr const char* tuple = R"t({"type": "(int64, string)", "value": {"$tuple": [1, "x"]}})t";
constexpr const char* narrow =
    R"({"type": "{a: {b: int32}, c: 2 * {d: float16}}", "value": {"a": {"b": 7}, "c": [{"d": 1.5}, {"d": 2.5}]}})";

TEST_F(ConvertReport, SaysWhatIsKept) {
  write("exact.json", exact);
  const Finished same = run({"convert", "exact.json", "exact.msgpack"});
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_TRUE(same.err.ends_with("B), same value\n")) << same.err;

  write("tuple.json", tuple);
  const Finished items = run({"convert", "tuple.json", "tuple.msgpack"});
  EXPECT_NE(items.err.find("≈ $: tuple -> list\n"), std::string::npos) << items.err;
  EXPECT_TRUE(items.err.ends_with("B), same items\n")) << items.err;

  write("seconds.json",
        R"({"type": "datetime[unit='s']", "value": {"$datetime": "1969-12-31T23:59:59Z"}})");
  const Finished unit = run({"convert", "seconds.json", "seconds.msgpack"});
  EXPECT_NE(unit.err.find("≈ $: datetime[unit='s'] -> datetime[unit='ns']\n"), std::string::npos)
      << unit.err;
  EXPECT_TRUE(unit.err.ends_with("B), same numbers\n")) << unit.err;

  write("narrow.json", narrow);
  const Finished retyped = run({"convert", "narrow.json", "narrow.msgpack"});
  EXPECT_EQ(retyped.status, 0) << retyped.err;
  EXPECT_NE(retyped.err.find("≈ $.a.b: int32 -> int64\n"), std::string::npos) << retyped.err;
  EXPECT_TRUE(retyped.err.ends_with("B), same numbers\n")) << retyped.err;
  EXPECT_EQ(run({"convert", "narrow.json", "a.msgpack", "--no-compare"}).err.find("≈"),
            std::string::npos);
  EXPECT_EQ(read_file(directory_ / "a.msgpack"), read_file(directory_ / "narrow.msgpack"));
}

TEST_F(ConvertReport, HasMembersInJson) {
  write("narrow.json", narrow);
  write("exact.json", exact);
  const Json one = Json::parse(run({"convert", "--json", "narrow.json", "narrow.msgpack"}).out);
  EXPECT_EQ(one["kept"], "same_numbers");
  EXPECT_EQ(one["retyped"][0], (Json{{"path", "$.a.b"}, {"what", "int32 -> int64"}}));
  EXPECT_FALSE(one.contains("lost"));
  const Json same = Json::parse(run({"convert", "--json", "exact.json", "exact.dynd"}).out);
  EXPECT_EQ(same["kept"], "same");
  EXPECT_FALSE(same.contains("retyped"));
  const Json encoded =
      Json::parse(run({"encode", "--json", "narrow.json", "--to", "msgpack", "-o", "e"}).out);
  EXPECT_EQ(encoded["retyped"], one["retyped"]);
  const Json none =
      Json::parse(run({"convert", "--json", "--no-compare", "narrow.json", "n.msgpack"}).out);
  EXPECT_FALSE(none.contains("kept"));
  EXPECT_FALSE(none.contains("retyped"));
  const Json files = Json::parse(
      run({"convert", "narrow.json", "exact.json", "--to", "msgpack", "--out-dir", "out", "--json"})
          .out)["files"];
  EXPECT_EQ(files[0]["retyped"], one["retyped"]);
  EXPECT_EQ(files[0]["kept"], "same_numbers");
  EXPECT_EQ(files[1]["kept"], "same");
  const Json hashed = Json::parse(run({"hash", "--logical", "--json", "exact.json"}).out);
  EXPECT_EQ(hashed["address"], "logical");
  EXPECT_GT(hashed["bytes"], 20);
}

TEST_F(ConvertReport, CoversStoresAndStreams) {
  write("narrow.json", narrow);
  const Finished store = run({"convert", "narrow.json", "narrow.awkd"});
  EXPECT_EQ(store.status, 0) << store.err;
  EXPECT_TRUE(store.err.ends_with("B), same value\n")) << store.err;
  ASSERT_EQ(run({"convert", "narrow.json", "narrow.dynd"}).status, 0);
  const Finished stream = run({"convert", "-", "-", "--from", "dynd", "--to", "msgpack"},
                              read_file(directory_ / "narrow.dynd"));
  EXPECT_EQ(stream.status, 0) << stream.err;
  EXPECT_NE(stream.err.find("≈ $.a.b: int32 -> int64\n"), std::string::npos) << stream.err;
  EXPECT_EQ(run({"convert", "-", "-", "--from", "dynd", "--to", "msgpack", "--no-compare"},
                read_file(directory_ / "narrow.dynd"))
                .err,
            "");
}

}  // namespace
}  // namespace polycodec::test
