// SPDX-License-Identifier: MIT
// Large OBJ files, read in chunks.
#include "chunks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace polycodec::test;

/// An OBJ file of blocks: some points, then faces of them.
struct Shape {
  bool textures = false, normals = false, relative = false, colors = false, others = false,
       forward = false, sometimes = false;
  const char* newline = "\n";
};

std::string obj(const Shape& shape, std::size_t size = file_size) {
  Numbers numbers;
  std::string text;
  std::uint32_t v = 0, vt = 0, vn = 0;
  for (int block = 0; text.size() < size; ++block) {
    const std::string end = shape.newline;
    if (shape.others && block % 7 == 0)
      text += "# block \\ " + std::to_string(block) + end + "g group" + std::to_string(block) +
              end + end + "usemtl \\" + end + "  stone" + end + "other words # and more" + end;
    const bool all = !shape.sometimes || block > 300;
    for (int i = 0; i < 40; ++i, ++v) {
      text += "v " + numbers.real() + " " + numbers.real() + " " + numbers.real();
      if (shape.colors && all && block % 3 != 0) text += " 0.5 0.25 1";
      text += end;
    }
    for (int i = 0; shape.textures && i < 30; ++i, ++vt)
      text += "vt " + numbers.real() + (i % 5 == 0 && shape.others ? "" : " 0.5") + end;
    for (int i = 0; shape.normals && i < 20; ++i, ++vn)
      text += "vn 0 " + numbers.real() + " 1e-3" + end;
    for (int i = 0; i < 60; ++i) {
      text += shape.others && i % 31 == 0 ? "f \\" + end : "f";
      const std::uint32_t corners = shape.others ? 3 + numbers.below(9) : 3;
      for (std::uint32_t k = 0; k < corners; ++k) {
        const auto index = [&](std::uint32_t count, std::uint32_t back) {
          const std::uint32_t from = count - std::min(count, back);
          const std::uint32_t at = from + numbers.below(count - from);
          return shape.relative && numbers.below(3) != 0
                     ? "-" + std::to_string(count - at)
                     : std::to_string(at + 1 + (shape.forward && block == 2 ? 1000u : 0u));
        };
        text += " " + index(v, block % 50 == 0 ? 100'000 : 200);
        if (shape.textures && all) text += "/" + index(vt, 100);
        if (shape.normals && all) text += (shape.textures ? "/" : "//") + index(vn, 100);
      }
      text += end;
    }
    if (shape.others && block % 11 == 0) text += "l -1 -2 1" + end + "p 1 -1" + end;
  }
  return text;
}

TEST(ObjChunks, NumbersAreFloat32WhereThatIsAskedFor) {
  const std::string text = obj({.textures = true, .normals = true, .colors = true, .others = true});
  const ReadResult chunks = read("obj", text, R"({"float32": true})");
  const ReadResult whole =
      read(codecs().codec_with_json("obj", R"({"float32": true, "tolerant": true})"), text, 1);
  ASSERT_EQ(chunks.error + whole.error, "");
  const polycodec::View view = chunks.value.view();
  EXPECT_EQ(view["v"].array()->children[0]->dtype, std::uint32_t{POLYCODEC_DTYPE_FLOAT32});
  const auto difference = polycodec::first_difference(chunks.value.view(), whole.value.view());
  EXPECT_FALSE(difference) << difference->path << ": " << difference->reason;
}

TEST(ObjChunks, ObjIsReadAsInOneGo) {
  expect_same_as_whole("obj", obj({}));
  expect_same_as_whole("obj", obj({.textures = true}));
  expect_same_as_whole("obj", obj({.normals = true}));
  expect_same_as_whole("obj", obj({.textures = true, .normals = true}));
  expect_same_as_whole("obj", obj({.textures = true, .normals = true, .relative = true}));
  expect_same_as_whole("obj", obj({.textures = true, .relative = true, .sometimes = true}));
  expect_same_as_whole("obj", obj({.normals = true, .colors = true, .sometimes = true}));
  expect_same_as_whole("obj", obj({.colors = true, .newline = "\r\n"}));
  expect_same_as_whole("obj", obj({.textures = true, .forward = true}));
  Shape all{true, true, true, true, true, true, true};
  expect_same_as_whole("obj", obj(all));
  all.newline = "\r\n";
  expect_same_as_whole("obj", obj(all));
  all.newline = "\r";  // no place to cut
  expect_same_as_whole("obj", obj(all));
}

/// Columns of several large pages, which threads touch before they fill them.
TEST(ObjChunks, ObjOfLongColumns) {
  std::string text;
  for (int i = 0; i < 250'000; ++i)
    text += "v " + std::to_string(i) + " 0.5 -" + std::to_string(i) + "e-3\n";
  for (int i = 1; i < 250'000; ++i) {
    const std::string corner = std::to_string(i);
    text += "f " + corner + " 1 -2 " + corner + "\n";
  }
  expect_same_as_whole("obj", text);
}

/// Threads other than that of the call leave to it what takes memory of the value.
TEST(ObjChunks, ObjIsReadByAnExecutorOfOtherThreads) {
  polycodec::RegistryOptions options;
  options.executor = [](std::uint64_t n, const std::function<void(std::uint64_t)>& task) {
    std::vector<std::thread> all;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(n, 4); ++i) all.emplace_back(task, i);
    for (std::thread& each : all) each.join();
  };
  const polycodec::Registry others = polycodec::Registry::open(options);
  const std::string text = obj({true, true, true, true, true, true, true});
  const ReadResult one = read(codecs().codec("obj"), text, 1);
  const ReadResult many = read(others.codec("obj"), text, 3);
  ASSERT_EQ(one.error + many.error, "");
  const auto difference = polycodec::first_difference(one.value.view(), many.value.view());
  EXPECT_FALSE(difference) << difference->path << ": " << difference->reason;
}

/// Lines with more blanks are read one word after another.
TEST(ObjChunks, UsualLinesAreReadAsUnusualOnes) {
  for (const Shape& shape : {Shape{}, Shape{.textures = true}, Shape{.normals = true},
                             Shape{.textures = true, .normals = true}}) {
    const std::string usual = obj(shape);
    expect_same_value("obj", usual, replaced(usual, ' ', "  "));
    expect_same_value("obj", usual, replaced(usual, '\n', " \n"));
  }
}

TEST(ObjChunks, ObjOfUnusualLines) {
  std::string text = "\xef\xbb\xbf" + obj({.relative = true});
  text.pop_back();  // no newline at the end
  expect_same_as_whole("obj", text);
  expect_same_as_whole("obj", text + "\n# a comment that does not end");
  // One line is longer than many chunks, and one statement continues over many lines.
  std::string face = "f", folded = "f";
  for (int i = 0; i < 500'000; ++i) face += " 1", folded += i % 3 == 0 ? " \\\n -1" : " 2";
  expect_same_as_whole("obj", text + "\n" + face + "\n" + text.substr(3) + "\n" + folded + "\n");
  // Free-form geometry counts curves of the whole file.
  const std::string curves = "vp 0 1\nvp 1 0\ncurv2 -1 -2\nend\n";
  const std::string surfaces = "surf 0 1 0 1 -1 -2\ntrim 0 1 -1\nend\n";
  const std::string whole = obj({});
  expect_same_as_whole("obj", curves + whole + curves + surfaces + whole + surfaces + whole);
  // Only comments, only blank lines.
  std::string comments;
  for (int i = 0; comments.size() < file_size; ++i) comments += "#" + std::to_string(i) + "\n";
  expect_same_as_whole("obj", comments);
  expect_same_as_whole("obj", std::string(std::size_t{3} << 20, '\n'));
}

/// The error of a line is found there, whatever is wrong after it.
TEST(ObjChunks, TheFirstErrorOfObjInOrder) {
  const std::string good = obj({.textures = true, .relative = true}, 5 << 18);
  const std::vector<std::size_t> starts = lines_of(good);
  struct Bad {
    const char* line;
    const char* detail;
  };
  const Bad bad[] = {
      {"v 1 2\n", "obj.bad_vertex"},
      {"v 1 2 x\n", "obj.bad_number"},
      {"f 1 2\n", "obj.face_too_small"},
      {"f 1 2 0\n", "obj.index_zero"},
      {"f 1 2 -900000\n", "range"},
      {"f 1 2 -3000000000\n", "range"},
      {"f 1/-900000 2/1 3/1\n", "range"},
      {"f 1 2 99999999999\n", "range"},
      {"f 1 2 3/x\n", "obj.bad_index"},
      {"\x01\n", "obj.not_text"},
      {"trim 0 1 -1\n", "range"},
      {"vn 1 2\n", "obj.bad_vn"},
      {"vt\n", "obj.bad_vt"},
      {"l 1\n", "obj.line_too_small"},
  };
  std::size_t turn = 0;
  for (const std::size_t line : {std::size_t{2}, starts.size() / 3, starts.size() - 3}) {
    for (const Bad& first : bad) {
      std::string text = good;
      // A later one may be in the same chunk, or in another.
      const Bad& second = bad[++turn % std::size(bad)];
      const std::size_t later = std::min(starts.size() - 1, line + (turn % 3) * 4'000);
      text.insert(starts[later], second.line);
      text.insert(starts[line], first.line);
      const std::string error = read("obj", text).error;
      EXPECT_NE(error.find("line " + std::to_string(line + 1) + ": "), std::string::npos) << error;
      EXPECT_NE(error.find(first.detail), std::string::npos) << first.line << error;
    }
  }
}

TEST(ObjChunks, ErrorsOfTheWholeObj) {
  const std::string good = obj({.normals = true});
  const std::string middle = good.substr(0, good.find('\n', good.size() / 2) + 1);
  // The greatest index that points to nothing is where it is first.
  const std::string error =
      read("obj", middle + "f 1 2 900000\n" + good + "f 1 900001 2\nf 900001 1 2\n").error;
  const std::size_t lines = lines_of(middle).size() + lines_of(good).size();
  EXPECT_NE(error.find("line " + std::to_string(lines) + ": "), std::string::npos) << error;
  EXPECT_NE(error.find("900001"), std::string::npos) << error;
  const std::string open = read("obj", middle + "curv 0 1 1 2\n" + good).error;
  EXPECT_NE(open.find("obj.unterminated_freeform"), std::string::npos) << open;
  EXPECT_NE(open.find("line " + std::to_string(lines_of(middle).size()) + ": "), std::string::npos);
  const std::string twice =
      read("obj", "curv 0 1 1 2\n" + middle + "curv 0 1 1 2\n" + good + "end\n").error;
  EXPECT_NE(twice.find("line 1: "), std::string::npos) << twice;
  EXPECT_NE(read("obj", good + "f 1 2 \\").error.find("obj.dangling_continuation"),
            std::string::npos);
}

TEST(ObjChunks, BudgetAndCancellationHoldAcrossThreads) {
  expect_bounds("obj", obj({.textures = true}));
}

}  // namespace
