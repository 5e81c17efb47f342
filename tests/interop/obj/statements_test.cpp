// SPDX-License-Identifier: MIT
// The statement stream, values from elsewhere, and material libraries.

#include "shipped.hpp"

#include <gtest/gtest.h>

namespace polycodec::test {
namespace {

std::string rewritten(const std::string& file) {
  return encode(shipped("obj"), decode(shipped("obj"), file));
}

TEST(ObjStatements, OrderGroupsAndCommentsAreKept) {
  const std::string file =
      "# made by hand\nmtllib a b.mtl\n\no first\nv 0 0 0\nv 1 0 0\nv 0 1 0.1\nvt 0.5\nvt 0.5 "
      "0.25\nusemtl dark "
      "blue\n"
      "s off\nf 1 2/1 3\nv 5 5 5 0.5\ng a b\nl 1 2\np 1 4\nvendor x  y\n";
  EXPECT_EQ(rewritten(file), file);
}

TEST(ObjStatements, RelativeIndicesBecomeAbsoluteAndContinuedLinesOne) {
  EXPECT_EQ(rewritten("v 0 0 0\nv 1 0 \\\n 0\nv 0 1 0\nf -3 -2 \\\n -1\ng a\\\nb\n"),
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\ng a b\n");
}

TEST(ObjStatements, CommentsBehindStatementsFollowThem) {
  EXPECT_EQ(rewritten("v 0 0 0 # origin\no tex#1 # c\n"), "v 0 0 0\n# origin\no tex#1\n# c\n");
}

TEST(ObjStatements, TextThatIsNotUtf8IsKept) {
  EXPECT_EQ(rewritten("o caf\xe9\n"), "o caf\xe9\n");
}

TEST(ObjStatements, ABackslashAtTheEndOfANameDoesNotContinueTheLine) {
  EXPECT_EQ(rewritten("o name\\ \nv 0 0 0\n"), "o name\\ \nv 0 0 0\n");
  EXPECT_EQ(rewritten("odd\\\\\n\nv 0 0 0\n"), "odd\\ \nv 0 0 0\n");
}

TEST(ObjStatements, AByteOrderMarkIsSkippedButAWordLikeItIsKept) {
  EXPECT_EQ(rewritten("\xef\xbb\xbfv 0 0 0\n"), "v 0 0 0\n");
  EXPECT_EQ(rewritten(" \xef\xbb\xbf\n"), " \xef\xbb\xbf\n");
}

TEST(ObjStatements, TheOrderOfSevenNumbersIsAnOption) {
  const std::string file = "v 1 2 3 0.5 0.25 0.125 4\n";
  const auto last = shipped("obj", {{"seven_numbers", "xyzrgbw"}});
  const Value value = decode(last, file);
  EXPECT_EQ(value.view().find("v")->child(0).find("w")->as_double(), 4);
  // The value remembers it.
  EXPECT_EQ(encode(shipped("obj"), value), file);
}

polycodec_node point(Builder& out, std::initializer_list<Member> members) {
  return out.object(members);
}

TEST(ObjStatements, DocumentsWithoutStatementsAreWritten) {
  const Value value = Value::build([](Builder& out) {
    const auto n = [](double x) { return Builder::real(x); };
    const auto i = [](std::int64_t x) { return Builder::integer(x); };
    const polycodec_node list = out.list({i(0), i(1), i(2)});
    return out.object(
        {{"f", out.list({out.object({{"v", list}, {"vt", out.list({i(0), i(-1), i(0)})}})})},
         {"v", out.list({point(out, {{"x", n(0)}, {"y", n(0)}, {"z", i(1)}}),
                         point(out, {{"x", n(0.1)}, {"y", n(0)}, {"z", n(0)}, {"w", n(2)}}),
                         point(out, {{"x", n(0)}, {"y", n(1)}, {"z", n(0)}})})},
         {"vt", out.list({point(out, {{"u", n(0.5)}})})}});
  });
  EXPECT_EQ(encode(shipped("obj"), value), "v 0 0 1\nv 0.1 0 0 2\nv 0 1 0\nvt 0.5\nf 1/1 2 3/1\n");
}

std::string refused(const Value& value) {
  try {
    return encode(shipped("obj"), value);
  } catch (const Error& error) {
    return error.detail() + " " + error.path();
  }
}

TEST(ObjStatements, IndicesAndTextsAreCheckedWhenWriting) {
  const auto face = [](std::int64_t index) {
    return Value::build([&](Builder& out) {
      const auto i = [](std::int64_t x) { return Builder::integer(x); };
      return out.object({{"v", out.list({out.object({{"x", i(0)}, {"y", i(0)}, {"z", i(0)}})})},
                         {"f", out.list({out.object({{"v", out.list({i(0), i(0), i(index)})}})})}});
    });
  };
  EXPECT_EQ(refused(face(0)), "v 0 0 0\nf 1 1 1\n");
  EXPECT_EQ(refused(face(1)), "mesh.index_out_of_range $.f[0].v[2]");
  EXPECT_EQ(refused(face(-1)), "mesh.index_out_of_range $.f[0].v[2]");
  const auto statement = [](std::string_view code, std::string_view text) {
    return Value::build([&](Builder& out) {
      return out.object(
          {{"statements", out.list({out.object({{"code", out.string_copy(code)},
                                                {"text", out.string_copy(text)}})})}});
    });
  };
  EXPECT_EQ(refused(statement("o", "a")), "o a\n");
  EXPECT_EQ(refused(statement("o", "a\nf 1 2 3")), "obj.bad_statement $.statements[0]");
  EXPECT_EQ(refused(statement("o a", "b")), "obj.bad_statement $.statements[0]");
  EXPECT_EQ(refused(statement("v", "")), "obj.bad_statement $.statements[0]");
}

TEST(ObjStatements, WhatObjHasNoPlaceForIsRefusedOrTold) {
  const std::string text =
      R"({"type": "annotated[{v: 2 * {x: float64, y: float64, z: annotated[float64, unit='m'], nx: float64}, )"
      R"(vn: 1 * {i: float64, j: float64, k: float64}, f: 1 * {v: 3 * int32, area: float64}, )"
      R"(l: 1 * {v: 2 * int32, vn: 2 * int32}, p: 1 * {v: 1 * int32, vt: 1 * int32}, )"
      R"(materials: 1 * {name: string}}, title='t']", )"
      R"("value": {"v": [{"x": 0, "y": 0, "z": 0, "nx": 1}, {"x": 1, "y": 0, "z": 0, "nx": 1}], )"
      R"("vn": [{"i": 0, "j": 0, "k": 1}], "f": [{"v": [0, 1, 1], "area": 2}], )"
      R"("l": [{"v": [0, 1], "vn": [0, 0]}], "p": [{"v": [1], "vt": [-1]}], "materials": [{"name": "red"}]}})";
  try {
    encode(shipped("obj"), Value::parse(text));
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.detail(), "obj.lossy");
    EXPECT_EQ(error.path(), "$");
  }
  Losses call;
  EXPECT_EQ(encode(shipped("obj"), Value::parse(text), call),
            "v 0 0 0\nv 1 0 0\nvn 0 0 1\np 2\nl 1 2\nf 1 2 2\n");
  EXPECT_EQ(call.all, (std::vector<std::string>{
                          "$: the attribute 'title'", "$.v.z: the attribute 'unit'",
                          "$.v.nx: a column that OBJ has no place for",
                          "$.f.area: a column that OBJ has no place for",
                          "$.l.vn: indices that this statement cannot have",
                          "$.materials: materials, which are in libraries of their own"}));
}

TEST(ObjStatements, AMissingMiddleNumberIsZero) {
  EXPECT_EQ(encode(shipped("obj"),
                   Value::parse(R"({"vt": [{"u": 1, "w": 2}], "vp": [{"u": 3, "w": 4}]})")),
            "vt 1 0 2\nvp 3 0 4\n");
}

TEST(ObjStatements, WhatWouldNotComeBackIsNotWritten) {
  const auto refusal_of = [](const std::string& text) {
    return encode_refusal(shipped("obj"), Value::parse(text));
  };
  EXPECT_EQ(refusal_of(R"({"statements": [{"code": "usemtl", "count": 1, "text": "a #b"}]})"),
            "obj.bad_statement $.statements[0]");
  EXPECT_EQ(refusal_of(R"({"statements": [{"code": "o", "text": "#b"}]})"),
            "obj.bad_statement $.statements[0]");
  EXPECT_EQ(refusal_of(R"({"statements": [{"code": "#x", "text": "b"}]})"),
            "obj.bad_statement $.statements[0]");
  EXPECT_EQ(refusal_of(R"({"statements": [{"code": "o", "text": "a#b"}]})"), "");
  EXPECT_EQ(refusal_of(R"({"statements": [{"code": "", "count": 1000000000000, "text": ""}]})"),
            "obj.limit $.statements[0]");
  EXPECT_EQ(refusal_of(R"({"v": 5})"), "obj.bad_member $.v");
  EXPECT_EQ(refusal_of(R"({"v": [{"x": 0, "y": 0, "z": 0}], "f": [{"v": [0, 0]}]})"),
            "obj.face_too_small $.f[0].v");
  EXPECT_EQ(refusal_of(R"({"v": [{"x": 0, "y": 0, "z": 0}], "l": [{"v": [0]}]})"),
            "obj.line_too_small $.l[0].v");
  EXPECT_EQ(refusal_of(R"({"v": [{"x": 0, "y": 0, "z": 0}], "p": [{"v": []}]})"),
            "obj.point_empty $.p[0].v");
  EXPECT_EQ(
      refusal_of(
          R"({"v": [{"x": 0, "y": 0, "z": 0}], "vt": [{"u": 0}], "f": [{"v": [0, 0, 0], "vt": [0, 0, 1]}]})"),
      "mesh.index_out_of_range $.f[0].vt[2]");
}

TEST(ObjStatements, AnEmptyRecordIsRefusedButTheValueOfAnEmptyFileIsWritten) {
  const Value empty =
      Value::build([](Builder& out) { return out.object(std::span<const Member>()); });
  EXPECT_TRUE(refused(empty).starts_with("obj.bad_member"));
  EXPECT_EQ(rewritten(""), "");
}

TEST(ObjStatements, SniffingRulesOutNothingThatIsRead) {
  for (const std::string_view file : {"", "\n\n", "# only a comment\n", "vendor x y\nv 0 0 0\n"}) {
    const std::uint64_t score = sniff("obj", file);
    EXPECT_GE(score, 10u) << file << ": the extension may speak for it";
    EXPECT_LT(score, 20u) << file;
    EXPECT_NO_THROW(static_cast<void>(decode(shipped("obj"), std::string(file)))) << file;
  }
  EXPECT_EQ(sniff("obj", std::string_view("\x01\x02 a", 4)), 0u);
  EXPECT_LT(sniff("obj", "any text\nmay be this\n"), 10u);
}

TEST(ObjStatements, ElementsOfPlyAreWritten) {
  const Value value = Value::build([](Builder& out) {
    const auto i = [](std::int64_t x) { return Builder::integer(x); };
    const auto vertex = [&](std::int64_t x, std::uint64_t red) {
      const auto c = [](std::uint64_t v) {
        return Builder::unsigned_integer(v, POLYCODEC_DTYPE_UINT8);
      };
      return out.object({{"x", i(x)},
                         {"y", i(0)},
                         {"z", i(0)},
                         {"nx", i(0)},
                         {"ny", i(0)},
                         {"nz", i(1)},
                         {"red", c(red)},
                         {"green", c(0)},
                         {"blue", c(255)}});
    };
    return out.object(
        {{"vertex", out.list({vertex(0, 128), vertex(1, 0), vertex(2, 1)})},
         {"face", out.list({out.object({{"vertex_index", out.list({i(0), i(1), i(2)})}})})},
         {"edge", out.list({out.object({{"vertex1", i(0)}, {"vertex2", i(2)}})})}});
  });
  EXPECT_EQ(encode(shipped("obj"), value),
            "v 0 0 0 0.5019608 0 1\nv 1 0 0 0 0 1\nv 2 0 0 0.003921569 0 1\nvn 0 0 1\nvn 0 0 1\nvn "
            "0 0 1\n"
            "l 1 3\nf 1//1 2//2 3//3\n");
}

// The directory that a file lies in lists nothing: libraries are asked for by name, and only right
// beside the file.
TEST(ObjStatements, MaterialsLieBesideTheFile) {
  const TemporaryDirectory temporary;
  const std::filesystem::path& directory = temporary.path();
  std::filesystem::create_directories(directory / "models");
  const auto put = [&](const char* name, const char* text) { write_file(directory / name, text); };
  put("models/a.obj",
      "mtllib red.mtl dark blue.mtl\nmtllib dark blue.mtl\nmtllib ../outside.mtl\nmtllib "
      "/etc/passwd\n"
      "mtllib .hidden.mtl\nmtllib deeper/a.mtl\nv 0 0 0\np 1\n");
  put("models/red.mtl", "# x\nnewmtl red\nKd 1 0 0\nNs 10\nmap_Kd 7.png\n");
  put("models/dark blue.mtl", "newmtl blue\nKd 0 0 0.5\n");
  put("models/.hidden.mtl", "newmtl hidden\n");
  put("outside.mtl", "newmtl outside\n");
  std::filesystem::create_directories(directory / "models/deeper");
  put("models/deeper/a.mtl", "newmtl deeper\n");
  plugin_log().take();
  const Value value = decode_file("obj", directory / "models/a.obj", {{"materials", true}});
  const View materials = *value.view().find("materials");
  std::string names;
  for (std::uint64_t i = 0; i < materials.size(); ++i) {
    std::string scratch;
    names += materials.child(i).find("name")->as_string(scratch);
    names += ' ';
  }
  EXPECT_EQ(names, "red blue ");
  std::string scratch;
  EXPECT_EQ(materials.child(0).find("Kd")->size(), 3u);
  EXPECT_EQ(materials.child(0).find("Ns")->as_double(), 10);
  EXPECT_EQ(materials.child(0).find("map_Kd")->as_string(scratch), "7.png");
  // What is not there is told: the two words of the first line, and the four that lead elsewhere.
  EXPECT_EQ(plugin_log().take().size(), 6u);
}

// The name of a texture is what is left after the options that the format has.
TEST(ObjStatements, OptionsOfTexturesAreNotOfTheirNames) {
  const TemporaryDirectory temporary;
  write_file(temporary.path() / "a.obj", "mtllib a.mtl\nv 0 0 0\np 1\n");
  const auto read = [&](const std::string& statement, std::string* options = nullptr) {
    write_file(temporary.path() / "a.mtl", "newmtl m\n" + statement + "\n");
    const Value value = decode_file("obj", temporary.path() / "a.obj", {{"materials", true}});
    const Json material = Json::parse(value.text({.plain = true}))["materials"][0];
    const std::string keyword = statement.substr(0, statement.find(' '));
    if (options != nullptr)
      *options =
          material.contains(keyword + "_options") ? material[keyword + "_options"].dump() : "";
    return material[keyword].get<std::string>();
  };
  std::string options;
  EXPECT_EQ(read("map_Kd -s 2 2 2 wood grain.png", &options), "wood grain.png");
  EXPECT_EQ(options, R"({"s":[2.0,2.0,2.0]})");
  EXPECT_EQ(read("map_Kd  -o 1 -t 0.5 0 -clamp on -blendu off a  b.png", &options), "a  b.png");
  EXPECT_EQ(options, R"({"o":1.0,"t":[0.5,0.0],"clamp":"on","blendu":"off"})");
  EXPECT_EQ(read("bump -bm 0.3 -imfchan r bumps 2.png", &options), "bumps 2.png");
  EXPECT_EQ(options, R"({"bm":0.3,"imfchan":"r"})");
  EXPECT_EQ(read("refl -type sphere -mm 0 1 clouds.mpc", &options), "clouds.mpc");
  EXPECT_EQ(options, R"({"type":"sphere","mm":[0.0,1.0]})");
  // Names like options, and numbers of which the last one is the name.
  EXPECT_EQ(read("map_Kd -wood.png", &options), "-wood.png");
  EXPECT_EQ(options, "");
  EXPECT_EQ(read("map_Kd -s.png"), "-s.png");
  EXPECT_EQ(read("map_Kd -s 2 7"), "7");
  EXPECT_EQ(read("map_Kd -s 2 2 2 7"), "7");
  EXPECT_EQ(read("map_Kd -mm 0 x.png"), "-mm 0 x.png");
  EXPECT_EQ(read("map_Kd -foo 1 x.png"), "-foo 1 x.png");
  EXPECT_EQ(read("map_Kd 7"), "7");
}

// The value of a file is the same, whatever ends its lines.
TEST(ObjStatements, EveryVectorIsTheSameWithEveryLineEnding) {
  const Codec lf = shipped("obj", {{"line_ending", "lf"}});
  for (auto path : descriptions(std::filesystem::path(POLYCODEC_TEST_VECTORS) / "obj")) {
    SCOPED_TRACE(path);
    const Value value = decode(lf, read_file(path.replace_extension(".obj")));
    for (const char* ending : {"crlf", "cr"}) {
      const std::string other = encode(shipped("obj", {{"line_ending", ending}}), value);
      EXPECT_EQ(encode(lf, decode(lf, other)), encode(lf, value)) << ending;
    }
  }
}

}  // namespace
}  // namespace polycodec::test
