// SPDX-License-Identifier: MIT
// The statement stream, values from elsewhere, and material libraries.
#include <polycodec/source.hpp>
#include <polycodec/text.hpp>
#include <polycodec/value.hpp>

#include "codec.hpp"
#include "codec_calls.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace polycodec::test {
namespace {

using obj::Obj;

std::string rewritten(const std::string& file) {
  return encode(make<Obj>(), decode(make<Obj>(), file).view());
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
  const auto last = make<Obj>({{"seven_numbers", Builder::string_view("xyzrgbw")}});
  const Value value = decode(last, file);
  EXPECT_EQ(View(value.view()).find("v")->child(0).find("w")->as_double(), 4);
  // The value remembers it.
  EXPECT_EQ(encode(make<Obj>(), value.view()), file);
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
  EXPECT_EQ(encode(make<Obj>(), value.view()),
            "v 0 0 1\nv 0.1 0 0 2\nv 0 1 0\nvt 0.5\nf 1/1 2 3/1\n");
}

std::string refused(const Value& value) {
  try {
    return encode(make<Obj>(), value.view());
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
    encode(make<Obj>(), parse_text(text).view());
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.detail(), "obj.lossy");
    EXPECT_EQ(error.path(), "$");
  }
  TestCall call;
  call.allow_loss();
  EXPECT_EQ(encode(make<Obj>(), parse_text(text).view(), call),
            "v 0 0 0\nv 1 0 0\nvn 0 0 1\np 2\nl 1 2\nf 1 2 2\n");
  EXPECT_EQ(call.losses, (std::vector<std::string>{
                             "$: the attribute 'title'", "$.v.z: the attribute 'unit'",
                             "$.v.nx: a column that OBJ has no place for",
                             "$.f.area: a column that OBJ has no place for",
                             "$.l.vn: indices that this statement cannot have",
                             "$.materials: materials, which are in libraries of their own"}));
}

TEST(ObjStatements, AMissingMiddleNumberIsZero) {
  EXPECT_EQ(encode(make<Obj>(),
                   parse_text(R"({"vt": [{"u": 1, "w": 2}], "vp": [{"u": 3, "w": 4}]})").view()),
            "vt 1 0 2\nvp 3 0 4\n");
}

TEST(ObjStatements, WhatWouldNotComeBackIsNotWritten) {
  const auto refusal_of = [](const std::string& text) {
    try {
      encode(make<Obj>(), parse_text(text).view());
      return std::string();
    } catch (const Error& error) {
      return std::string(error.detail()) + " " + error.path();
    }
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
    const std::uint32_t score = sniff<Obj>(file, file.size()).score;
    EXPECT_GT(score, 0u) << file;
    EXPECT_LE(score, 5u) << file;
    EXPECT_NO_THROW(static_cast<void>(decode(make<Obj>(), std::string(file)))) << file;
  }
  EXPECT_EQ(sniff<Obj>(std::string_view("\x01\x02 a", 4), 4).score, 0u);
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
  EXPECT_EQ(encode(make<Obj>(), value.view()),
            "v 0 0 0 0.5019608 0 1\nv 1 0 0 0 0 1\nv 2 0 0 0.003921569 0 1\nvn 0 0 1\nvn 0 0 1\nvn "
            "0 0 1\n"
            "l 1 3\nf 1//1 2//2 3//3\n");
}

// A store with one library in memory.
struct OneLibrary {
  polycodec_store store{};
  std::string name = "my materials.mtl";
  std::string content = "# x\nnewmtl red\nKd 1 0 0\nNs 10\nmap_Kd 7.png\nnewmtl blue\nKd 0 0 1\n";
  static const OneLibrary& of(const polycodec_store* self) {
    return *static_cast<const OneLibrary*>(self->private_data);
  }
  OneLibrary() {
    store.struct_size = sizeof store;
    store.private_data = this;
    store.count = [](const polycodec_store*) { return std::uint64_t{1}; };
    store.entry = [](const polycodec_store* self, polycodec_call*, std::uint64_t,
                     polycodec_store_entry* entry, polycodec_error*) {
      entry->name = to_bytes(of(self).name);
      entry->size = of(self).content.size();
      return std::int32_t{POLYCODEC_OK};
    };
    store.find = [](const polycodec_store* self, polycodec_call*, polycodec_bytes wanted,
                    std::uint64_t* i, polycodec_error* error) {
      *i = 0;
      return to_string_view(wanted) == of(self).name
                 ? std::int32_t{POLYCODEC_OK}
                 : fill_error(error, Status::not_found, "no such blob");
    };
    store.read = [](const polycodec_store* self, polycodec_call*, std::uint64_t, std::uint64_t,
                    std::uint64_t, polycodec_bytes* bytes, polycodec_error*) {
      *bytes = to_bytes(of(self).content);
      return std::int32_t{POLYCODEC_OK};
    };
  }
};

TEST(ObjStatements, MaterialsComeFromTheStoreOnly) {
  OneLibrary library;
  const std::string file = "mtllib my materials.mtl\nmtllib ../../etc/passwd\n";
  polycodec_input input = input_of(file);
  input.parts |= POLYCODEC_INPUT_COMPANIONS;
  input.store = &library.store;
  const TestCall call;
  const Value value = decode_input(make<Obj>({{"materials", Builder::boolean(true)}}), input, call);
  validate(value.view(), {}, Validation::full);
  const View materials = *View(value.view()).find("materials");
  ASSERT_EQ(materials.size(), 2u);
  std::string scratch;
  EXPECT_EQ(materials.child(0).find("name")->as_string(scratch), "red");
  EXPECT_EQ(materials.child(0).find("Kd")->size(), 3u);
  EXPECT_EQ(materials.child(0).find("Ns")->as_double(), 10);
  EXPECT_EQ(materials.child(0).find("map_Kd")->as_string(scratch), "7.png");
  EXPECT_EQ(call.host.logged.size(), 1u);
}

// The directory that a file lies in lists nothing: libraries are asked for by name, and only right
// beside the file.
TEST(ObjStatements, MaterialsLieBesideTheFile) {
  namespace fs = std::filesystem;
  const fs::path directory =
      fs::path(::testing::TempDir()) / ("polycodec_obj_" + std::to_string(::getpid()));
  fs::create_directories(directory / "models");
  const auto put = [&](const fs::path& name, const char* text) {
    std::ofstream(directory / name) << text;
  };
  put("models/a.obj",
      "mtllib red.mtl dark blue.mtl\nmtllib dark blue.mtl\nmtllib ../outside.mtl\nmtllib "
      "/etc/passwd\n"
      "mtllib .hidden.mtl\nmtllib deeper/a.mtl\nv 0 0 0\np 1\n");
  put("models/red.mtl", "newmtl red\nKd 1 0 0\n");
  put("models/dark blue.mtl", "newmtl blue\nKd 0 0 0.5\n");
  put("models/.hidden.mtl", "newmtl hidden\n");
  put("outside.mtl", "newmtl outside\n");
  fs::create_directories(directory / "models/deeper");
  put("models/deeper/a.mtl", "newmtl deeper\n");
  const Source file = Source::file_with_directory(directory / "models/a.obj");
  const TestCall call;
  const Value value =
      decode_input(make<Obj>({{"materials", Builder::boolean(true)}}), file.input(), call);
  const View materials = *View(value.view()).find("materials");
  std::string names;
  for (std::uint64_t i = 0; i < materials.size(); ++i) {
    std::string scratch;
    names += materials.child(i).find("name")->as_string(scratch);
    names += ' ';
  }
  EXPECT_EQ(names, "red blue ");
  // What is not there is told: the two words of the first line, and the four that lead elsewhere.
  EXPECT_EQ(call.host.logged.size(), 6u);
  fs::remove_all(directory);
}

}  // namespace
}  // namespace polycodec::test
