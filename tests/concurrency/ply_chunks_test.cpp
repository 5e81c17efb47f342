// SPDX-License-Identifier: MIT
// Large ascii PLY files, read in chunks.
#include "chunks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace polycodec::test;

/// An ascii PLY file with elements before and after the two large ones.
struct Ply {
  bool ragged = false, others = false;
  std::uint32_t ragged_from = 0;  // faces before it have three corners
  std::uint32_t later = 0;        // corners of all faces from there on; 0: any number
  const char* newline = "\n";
  const char* between = " ";
};

std::string ply(const Ply& shape) {
  Numbers numbers;
  const std::string end = shape.newline;
  const std::uint32_t vertices = 50'000, faces = 70'000;
  std::string text = "ply" + end + "format ascii 1.0" + end;
  if (shape.others)
    text += "element camera 2" + end + "property double at" + end + "element nothing 0" + end +
            "property list uchar int none" + end;
  text += "element vertex " + std::to_string(vertices) + end + "property float x" + end +
          "property float y" + end + "property double z" + end + "property uchar red" + end;
  if (shape.others) text += "property list uchar short notes" + end;
  text += "element face " + std::to_string(faces) + end + "property list uchar int vertex_indices" +
          end + "property uint flags" + end;
  if (shape.others) text += "element last 1" + end + "property int number" + end;
  text += "end_header" + end;
  const std::string gap = shape.between;
  if (shape.others) text += "0.25" + end + "-1e3" + end;
  for (std::uint32_t i = 0; i < vertices; ++i) {
    text += numbers.real() + gap + numbers.real() + gap + numbers.real() + gap +
            std::to_string(numbers.below(256));
    if (shape.others) text += gap + (i % 1000 == 999 ? "2 1 -1" : "0");
    text += end;
  }
  for (std::uint32_t i = 0; i < faces; ++i) {
    const bool is_ragged = shape.ragged && i >= shape.ragged_from;
    const std::uint32_t n = !is_ragged ? 3 : shape.later != 0 ? shape.later : numbers.below(6);
    text += std::to_string(n);
    for (std::uint32_t k = 0; k < n; ++k) text += gap + std::to_string(numbers.below(vertices));
    text += gap + std::to_string(i) + end;
  }
  if (shape.others) text += "-7" + end;
  return text;
}

TEST(PlyChunks, PlyIsReadAsInOneGo) {
  expect_same_as_whole("ply", ply({}));
  expect_same_as_whole("ply", ply({.ragged = true}));
  expect_same_as_whole("ply", ply({.ragged = true, .ragged_from = 45'000}));
  expect_same_as_whole("ply", ply({.ragged = true, .others = true}));
  // Lists of another length, which begin anywhere in a chunk.
  for (const std::uint32_t from : {500u, 33'333u, 69'990u})
    for (const std::uint32_t corners : {1u, 40u})
      expect_same_as_whole("ply", ply({.ragged = true, .ragged_from = from, .later = corners}));
  expect_same_as_whole("ply", ply({.others = true, .newline = "\r\n", .between = "\t "}));
  expect_same_as_whole("ply", ply({.ragged = true, .newline = "\r"}));  // no place to cut
  expect_same_as_whole("ply", ply({.others = true, .between = "\n"}));  // rows are not lines
  std::string text = ply({.ragged = true});
  text.pop_back();  // no newline at the end
  expect_same_as_whole("ply", text);
  // Lines that are not rows begin in the middle.
  const std::string whole = ply({.ragged = true, .others = true});
  for (const std::size_t part : {3u, 4u, 7u}) {
    std::string broken = whole;
    for (std::size_t at = broken.size() / 8 * part, i = 0; i < 5; ++i, ++at) {
      at = broken.find(' ', at);
      broken[at] = '\n';
    }
    expect_same_as_whole("ply", broken);
    broken.insert(broken.find('\n', broken.size() / 8 * part), "\n \n");
    expect_same_as_whole("ply", broken);
  }
}

/// Rows with more blanks are read one number after another.
TEST(PlyChunks, UsualRowsAreReadAsUnusualOnes) {
  for (const bool ragged : {false, true}) {
    const std::string usual = ply({.ragged = ragged});
    expect_same_value("ply", usual, ply({.ragged = ragged, .between = "  "}));
    const std::size_t body = usual.find("end_header\n") + 11;
    expect_same_value("ply", usual,
                      usual.substr(0, body) + replaced(usual.substr(body), '\n', " \n"));
  }
  // One element, of numbers of one type alone.
  Numbers numbers;
  std::string text =
      "ply\nformat ascii 1.0\nelement vertex 90000\nproperty float x\n"
      "property float y\nproperty float z\nend_header\n";
  std::string other = text;
  for (int i = 0; i < 90'000; ++i) {
    const std::string x = numbers.real(), y = numbers.real(), z = numbers.real();
    text += x + " " + y + " " + z + "\n";
    other += x + "  " + y + " " + z + "\n";
  }
  expect_same_value("ply", text, other);
}

TEST(PlyChunks, TheFirstErrorOfPlyInOrder) {
  const std::string good = ply({.ragged = true});
  const std::vector<std::size_t> starts = lines_of(good);
  const std::size_t vertices = 11, faces = vertices + 50'000;  // lines of the header come before
  struct Bad {
    std::size_t line;
    const char* text;
    const char* detail;
  };
  const Bad bad[] = {
      {vertices, "1 2 x 4\n", "ply.bad_number"},
      {vertices + 20'000, "1 2 3 256\n", "ply.out_of_range"},
      {vertices + 49'000, "1 2 3 4.5\n", "ply.bad_number"},
      {faces - 1, "nan - 1 2\n", "ply.bad_number"},
      {faces, "256 1 2 3\n", "ply.bad_list_count"},
      {faces + 30'000, "3 1 2 99999999999 4\n", "ply.out_of_range"},
      {faces + 69'000, "-1 4\n", "ply.bad_list_count"},
      {faces + 69'999, "2 1 z 5\n", "ply.bad_number"},
  };
  for (const char* options : {"{}", R"({"strict": true})"}) {
    for (std::size_t i = 0; i < std::size(bad); ++i) {
      std::string text = good;
      for (const std::size_t k : {i, i + 1, i + 3}) {
        if (k >= std::size(bad)) continue;
        const std::size_t at =
            k == i ? starts[bad[k].line] : text.size() - good.size() + starts[bad[k].line];
        const std::size_t size = starts[bad[k].line + 1] - starts[bad[k].line];
        text.replace(at, size, bad[k].text);
      }
      const std::string error = read("ply", text, options).error;
      EXPECT_NE(error.find("line " + std::to_string(bad[i].line + 1) + ": "), std::string::npos)
          << error;
      EXPECT_NE(error.find(bad[i].detail), std::string::npos) << bad[i].text << error;
    }
  }
  // The file ends in the middle of a row, or after a number of rows.
  for (const std::size_t line : {vertices + 30'000, faces, faces + 60'000}) {
    for (const std::size_t more : {std::size_t{0}, std::size_t{3}}) {
      const std::string error = read("ply", good.substr(0, starts[line] + more)).error;
      EXPECT_NE(error.find("ply.truncated"), std::string::npos) << error;
    }
  }
  // A strict reader takes neither short lines nor long ones.
  for (const char* row : {"\n", "1 2 3\n", "1 2 3 4 5\n", "\r1 2 3 4\n"}) {
    std::string text = good;
    text.insert(starts[vertices + 25'000], row);
    const std::string error = read("ply", text, R"({"strict": true})").error;
    EXPECT_NE(error.find("ply.bad_row"), std::string::npos) << error;
    EXPECT_NE(error.find("line " + std::to_string(vertices + 25'001) + ": "), std::string::npos)
        << error;
    static_cast<void>(read("ply", text));
  }
}

TEST(PlyChunks, BudgetAndCancellationHoldAcrossThreads) {
  expect_bounds("ply", ply({.ragged = true}));
}

}  // namespace
