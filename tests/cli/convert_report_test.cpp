// SPDX-License-Identifier: MIT
// What `polycodec convert` reports of what its output keeps.
#include <polycodec/byte_order.hpp>

#include "command.hpp"
#include "sanitized.hpp"

#include <cstdint>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

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
  EXPECT_TRUE(store.err.ends_with("B), same numbers\n")) << store.err;
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

// The codec test.raw writes the option `level` before the bytes and reads it as one of them.
TEST_F(ConvertReport, RefusesAnOutputThatReadsAsAnotherValue) {
  namespace fs = std::filesystem;
  const fs::path plugins = directory_ / "plugins";
  fs::create_directory(plugins);
  fs::permissions(plugins, fs::perms(0755));
  for (const char* name : {"sample.so", "test.sample.polycodec.json"})
    fs::copy(fs::path(POLYCODEC_TEST_BINARY_DIR) / "test_plugins" / name, plugins / name);
  write("bytes.json", R"({"type": "bytes", "value": {"$bytes": "AQID"}})");
  write("old.raw", "old");
  const auto convert = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"convert",  "bytes.json",    "old.raw",       "--to",
                                 "test.raw", "--plugin-path", plugins.string()};
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  };
  const Finished wrong = convert({"--to-options", R"({"level": 2})"});
  EXPECT_EQ(wrong.status, 1) << wrong.err;
  EXPECT_NE(wrong.err.find("convert.different"), std::string::npos) << wrong.err;
  EXPECT_NE(wrong.err.find("test.raw"), std::string::npos) << wrong.err;
  EXPECT_EQ(read_file(directory_ / "old.raw"), "old");
  const Json report =
      Json::parse(convert({"--to-options", R"({"level": 2})", "--json"}).out)["error"];
  EXPECT_EQ(report["detail"], "convert.different");
  EXPECT_EQ(report["path"], "$");
  for (const auto& entry : fs::directory_iterator(directory_))
    EXPECT_EQ(entry.path().filename().string().find("tmp"), std::string::npos) << entry.path();
  // Its decoder rejects what begins with these digits: as malformed, unsupported and trailing.
  for (const char* level : {"9", "8", "7"}) {
    const std::string options = R"({"level": )" + std::string(level) + "}";
    const Finished refused = convert({"--to-options", options});
    EXPECT_EQ(refused.status, 1) << refused.err;
    EXPECT_NE(refused.err.find("cannot be read back: test.raw: this digit is refused"),
              std::string::npos)
        << refused.err;
    EXPECT_NE(refused.err.find("convert.different"), std::string::npos) << refused.err;
    EXPECT_EQ(read_file(directory_ / "old.raw"), "old");
  }
  // A limit says nothing about the codec.
  const Finished limited = convert({"--to-options", R"({"level": 6})"});
  EXPECT_EQ(limited.status, 0) << limited.err;
  EXPECT_NE(limited.err.find(", not compared: "), std::string::npos) << limited.err;
  EXPECT_EQ(convert({"--to-options", R"({"level": 2})", "--no-compare"}).status, 0);
  EXPECT_EQ(read_file(directory_ / "old.raw"), "2\x01\x02\x03");
  EXPECT_TRUE(convert({}).err.ends_with("B), same value\n"));
}

TEST_F(ConvertReport, IsTheSameWithMostOfTheValueInAFile) {
  std::string obj, lines = "[";
  for (int i = 0; i < 20000; ++i)
    obj += "v " + std::to_string(i) + " " + std::to_string(i % 7) + " 0.5\n";
  for (int i = 3; i < 60000; ++i) {
    const int at = i % 19990;
    obj += "f " + std::to_string(at + 1) + " " + std::to_string(at + 2) + " " +
           std::to_string(at + 3) + "\n";
    lines += "{\"id\": " + std::to_string(i) + ", \"tags\": [\"a\", \"b\"]}, ";
  }
  write("in.obj", obj);
  write("in.json", lines + "null]");
  ASSERT_EQ(run({"convert", "in.obj", "in.ply"}).status, 0);
  ASSERT_EQ(run({"convert", "in.obj", "in.stl"}).status, 0);
  const std::string spilled = R"({"max_resident_bytes": 0})";
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"in.obj", "ply"}, {"in.ply", "obj"},      {"in.ply", "stl"},
      {"in.stl", "ply"}, {"in.json", "msgpack"}, {"in.json", "dynd"}};
  for (const auto& [in, to] : pairs) {
    const Finished kept = run({"convert", in, "kept." + to});
    const Finished file = run({"convert", in, "file." + to, "--limits", spilled});
    EXPECT_EQ(kept.status, 0) << kept.err;
    EXPECT_EQ(file.status, 0) << file.err;
    EXPECT_EQ(read_file(directory_ / ("file." + to)), read_file(directory_ / ("kept." + to)))
        << in << " to " << to;
    EXPECT_EQ(file.err.substr(file.err.rfind(')')), kept.err.substr(kept.err.rfind(')')));
  }
  write("file.ply", "before");
  const Finished nowhere =
      run({"convert", "in.obj", "file.ply", "--limits", spilled}, "", "TMPDIR=/proc/nowhere");
  EXPECT_EQ(nowhere.status, 1);
  EXPECT_NE(nowhere.err.find("set TMPDIR to a directory with more room"), std::string::npos)
      << nowhere.err;
  EXPECT_EQ(read_file(directory_ / "file.ply"), "before");
  // Files may have a megabyte here, so that the room ends on the way.
  const Finished full =
      run_line(directory_,
               "trap '' XFSZ; ulimit -f 1000; " + shell_word(polycodec_command) +
                   " convert in.json file.ply --to dynd --limits " + shell_word(spilled),
               "");
  EXPECT_EQ(full.status, 1);
  EXPECT_NE(full.err.find("has no room in a file"), std::string::npos) << full.err;
  EXPECT_EQ(read_file(directory_ / "file.ply"), "before");
  const Finished settings = run({"config", "show"});
  EXPECT_NE(settings.out.find("max_resident_bytes"), std::string::npos) << settings.out;
}

// The memory of split vertices is that of the value, which lies in a file.
TEST_F(ConvertReport, SplitsTexturedMeshesInLittleMemory) {
  constexpr int n = 600'000;
  std::string obj;
  for (int i = 0; i < n; ++i)
    obj += "v " + std::to_string(i % 1000) + " " + std::to_string(i / 1000) + " 0\n";
  for (int i = 0; i < n / 2; ++i) obj += "vt 0." + std::to_string(i % 997) + " 0.5\n";
  for (int i = 1; i < n - 1; ++i) {
    const std::string texture = "/" + std::to_string(i / 2 + 1);
    obj.append("f");
    for (int k = 0; k < 3; ++k) obj.append(" ").append(std::to_string(i + k)).append(texture);
    obj.append("\n");
  }
  write("in.obj", obj);
  const std::string bound = POLYCODEC_SANITIZED != 0 ? "" : "ulimit -d 20000; ";
  const Finished done =
      run_line(directory_,
               bound + shell_word(polycodec_command) +
                   " convert in.obj out.ply --threads 1 --limits '{\"max_resident_bytes\": 0}'",
               "");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_TRUE(done.err.ends_with(", same value\n")) << done.err;
}

// So many corners are divided by their positions, which are in the order in which they occur.
TEST_F(ConvertReport, MergesThePositionsOfManyFacets) {
  constexpr std::uint32_t facets = 1'400'000, points = 300'000;
  std::string stl(80, ' ');
  const auto put = [](std::string& to, auto number) {
    char bytes[sizeof number];
    store_le(bytes, number);
    to.append(bytes, sizeof bytes);
  };
  put(stl, facets);
  std::string vertices, faces;
  std::vector<std::uint32_t> numbers(points, UINT32_MAX);
  std::uint32_t known = 0;
  for (std::uint32_t i = 0; i < facets; ++i) {
    stl.append(12, '\0');
    faces += '\3';
    // Neighbors, and from time to time a point that was long ago, or is yet to come.
    const std::uint32_t far = i % 5 == 0 ? i * 7919u % points : i / 5;
    for (const std::uint32_t at : {i / 5, i / 5 + 1, far % points}) {
      const float x = at % 1000 == 1 ? -0.0F : static_cast<float>(at % 1000);
      std::string position;
      for (const float number : {x, static_cast<float>(at / 1000), 0.5F}) put(position, number);
      stl += position;
      std::uint32_t& number = numbers[at % 1000 == 1 ? at - 1 : at];
      if (number == UINT32_MAX) {
        number = known++;
        vertices += position;
      }
      put(faces, number);
    }
    stl.append(2, '\0');
  }
  write("in.stl", stl);
  for (const char* limits : {"{}", R"({"max_resident_bytes": 0})"}) {
    const Finished done = run({"convert", "in.stl", "out.ply", "--no-compare", "--limits", limits});
    ASSERT_EQ(done.status, 0) << done.err;
    const std::string ply = read_file(directory_ / "out.ply");
    EXPECT_NE(ply.find("element vertex " + std::to_string(known) + "\n"), std::string::npos);
    EXPECT_TRUE(ply.ends_with("end_header\n" + vertices + faces)) << limits;
  }
}

// The hash of positions is known, so a file can have positions of one place in the table.
TEST_F(ConvertReport, PositionsOfOnePlaceInTheTableCountAsWork) {
  constexpr std::size_t points = 6000, places = 16384;
  const auto mixed = [](std::uint64_t hash, std::uint32_t number) {
    hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
  };
  constexpr std::uint32_t one = 0x3f800000;
  const std::uint64_t begin = mixed(mixed(0, one), one);
  std::vector<std::uint32_t> alike;
  for (std::uint32_t number = one; alike.size() < points; ++number)
    if (mixed(begin, number) % places == 0) alike.push_back(number);
  std::vector<std::uint32_t> others(points);
  std::iota(others.begin(), others.end(), one);
  const auto convert = [&](const std::vector<std::uint32_t>& numbers) {
    std::string stl(84 + 50 * points / 3, '\0');
    store_le(stl.data() + 80, std::uint32_t{points / 3});
    for (std::size_t i = 0; i < points; ++i) {
      char* const to = stl.data() + 96 + i / 3 * 50 + i % 3 * 12;
      store_le(to, one), store_le(to + 4, one), store_le(to + 8, numbers[i]);
    }
    write("in.stl", stl);
    return run({"convert", "in.stl", "out.ply", "--limits", R"({"max_work": 5000000})"});
  };
  EXPECT_EQ(convert(others).status, 0);
  const Finished done = convert(alike);
  EXPECT_EQ(done.status, 1) << done.err;
  EXPECT_NE(done.err.find("max_work"), std::string::npos) << done.err;
}

TEST_F(ConvertReport, SaysWhyNobodyCompared) {
  write("exact.json", exact);
  const Finished stream = run({"convert", "exact.json", "-", "--to", "dynd", "--json"});
  EXPECT_EQ(stream.status, 0) << stream.err;
  const Json object = Json::parse(stream.err);
  EXPECT_EQ(object["kept"], "unknown");
  EXPECT_EQ(object["not_compared"], "the output is a stream");
  const Finished device = run({"convert", "exact.json", "/dev/null", "--to", "dynd"});
  EXPECT_TRUE(device.err.ends_with(", not compared: the output is a stream\n")) << device.err;
  // Whoever allows no function cannot read the archive, which is as good as any.
  write("none.json", R"({"allowlist": [], "log_level": "error"})");
  const Finished denied = run({"convert", "exact.json", "out.awkd", "--config", "none.json"});
  EXPECT_EQ(denied.status, 0) << denied.err;
  EXPECT_NE(denied.err.find(", not compared: "), std::string::npos) << denied.err;
}

TEST_F(ConvertReport, NamesADifferenceThatALossCovers) {
  write("scan.ply",
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty "
        "float z\nproperty float heat\nend_header\n0 0 0 1\n1 0 0 2\n0 1 0 3\n");
  EXPECT_EQ(run({"convert", "scan.ply", "scan.obj"}).status, 1);
  const Finished mesh = run({"convert", "--lossy", "scan.ply", "scan.obj"});
  EXPECT_EQ(mesh.status, 0) << mesh.err;
  EXPECT_NE(mesh.err.find("lost $.vertex.heat"), std::string::npos) << mesh.err;
  write("units.json", R"({"type": "{a: 2 * int64, b: map[int64, int64]}",
    "value": {"a": [1, 2], "b": {"$map": [[1, 2]]}}})");
  for (const char* to : {"out.obj", "out.dynd", "out.awkd", "out.h5", "out.msgpack", "out.json"}) {
    const Finished done = run({"convert", "--lossy", "units.json", to, "--json"});
    const Json said = Json::parse(done.out);
    EXPECT_TRUE(!said.contains("error") || said["error"].value("detail", "") != "convert.different")
        << to;
  }
}

}  // namespace
}  // namespace polycodec::test
