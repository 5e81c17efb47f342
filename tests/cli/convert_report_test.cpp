// SPDX-License-Identifier: MIT
// What `polycodec convert` reports of types and content addresses.
#include "command.hpp"

namespace polycodec::test {
namespace {

class ConvertReport : public Command {
 protected:
  std::string address_of(const std::string& file, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"hash", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Finished hash = run(arguments);
    EXPECT_EQ(hash.status, 0) << hash.err;
    return hash.out.substr(0, 64);
  }
};

constexpr const char* exact =
    R"({"type": "{a: 3 * float64, b: string}", "value": {"a": [1.0, 2.5, -0.0], "b": "x"}})";
constexpr const char* tuple = R"t({"type": "(int64, string)", "value": {"$tuple": [1, "x"]}})t";
constexpr const char* narrow =
    R"({"type": "{a: {b: int32}, c: 2 * {d: float16}}", "value": {"a": {"b": 7}, "c": [{"d": 1.5}, {"d": 2.5}]}})";

TEST_F(ConvertReport, SaysWhichAddressIsKept) {
  write("exact.json", exact);
  const Finished same = run({"convert", "exact.json", "exact.msgpack"});
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_TRUE(same.err.ends_with("B), same content address\n")) << same.err;
  EXPECT_EQ(address_of("exact.json"), address_of("exact.msgpack"));
  EXPECT_EQ(address_of("exact.json", {"--logical"}), address_of("exact.msgpack", {"--logical"}));

  write("tuple.json", tuple);
  const Finished logical = run({"convert", "tuple.json", "tuple.msgpack"});
  EXPECT_NE(logical.err.find("≈ $: tuple -> list\n"), std::string::npos) << logical.err;
  EXPECT_EQ(address_of("tuple.json", {"--logical"}), address_of("tuple.msgpack", {"--logical"}));
  // The exact address is the same, too, because a list of several types has that of the tuple. The
  // report of the tuple and the last words must agree.
  EXPECT_EQ(address_of("tuple.json"), address_of("tuple.msgpack"));
  EXPECT_TRUE(logical.err.ends_with("B), same logical content address\n")) << logical.err;

  write("seconds.json",
        R"({"type": "datetime[unit='s']", "value": {"$datetime": "1969-12-31T23:59:59Z"}})");
  const Finished unit = run({"convert", "seconds.json", "seconds.msgpack"});
  EXPECT_NE(unit.err.find("≈ $: datetime[unit='s'] -> datetime[unit='ns']\n"), std::string::npos)
      << unit.err;
  EXPECT_TRUE(unit.err.ends_with("B), another content address\n")) << unit.err;

  write("narrow.json", narrow);
  const Finished retyped = run({"convert", "narrow.json", "narrow.msgpack"});
  EXPECT_EQ(retyped.status, 0) << retyped.err;
  EXPECT_NE(retyped.err.find("≈ $.a.b: int32 -> int64\n"), std::string::npos) << retyped.err;
  EXPECT_TRUE(retyped.err.ends_with("B), another content address\n")) << retyped.err;
  EXPECT_NE(address_of("narrow.json", {"--logical"}), address_of("narrow.msgpack", {"--logical"}));
  EXPECT_EQ(run({"convert", "narrow.json", "a.msgpack", "--no-compare"}).err.find("≈"),
            std::string::npos);
  EXPECT_EQ(read_file(directory_ / "a.msgpack"), read_file(directory_ / "narrow.msgpack"));
}

TEST_F(ConvertReport, HasMembersInJson) {
  write("narrow.json", narrow);
  write("exact.json", exact);
  const Json one = Json::parse(run({"convert", "--json", "narrow.json", "narrow.msgpack"}).out);
  EXPECT_EQ(one["address"], "neither");
  EXPECT_EQ(one["retyped"][0], (Json{{"path", "$.a.b"}, {"what", "int32 -> int64"}}));
  EXPECT_FALSE(one.contains("lost"));
  const Json same = Json::parse(run({"convert", "--json", "exact.json", "exact.dynd"}).out);
  EXPECT_EQ(same["address"], "exact");
  EXPECT_FALSE(same.contains("retyped"));
  const Json encoded =
      Json::parse(run({"encode", "--json", "narrow.json", "--to", "msgpack", "-o", "e"}).out);
  EXPECT_EQ(encoded["retyped"], one["retyped"]);
  const Json none =
      Json::parse(run({"convert", "--json", "--no-compare", "narrow.json", "n.msgpack"}).out);
  EXPECT_FALSE(none.contains("address"));
  EXPECT_FALSE(none.contains("retyped"));
  const Json files = Json::parse(
      run({"convert", "narrow.json", "exact.json", "--to", "msgpack", "--out-dir", "out", "--json"})
          .out)["files"];
  EXPECT_EQ(files[0]["retyped"], one["retyped"]);
  EXPECT_EQ(files[0]["address"], "neither");
  EXPECT_EQ(files[1]["address"], "exact");
  const Json hashed = Json::parse(run({"hash", "--logical", "--json", "exact.json"}).out);
  EXPECT_EQ(hashed["address"], "logical");
  EXPECT_GT(hashed["bytes"], 20);
}

TEST_F(ConvertReport, CoversStoresAndStreams) {
  write("narrow.json", narrow);
  const Finished store = run({"convert", "narrow.json", "narrow.awkd"});
  EXPECT_EQ(store.status, 0) << store.err;
  EXPECT_NE(store.err.find("content address\n"), std::string::npos) << store.err;
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
