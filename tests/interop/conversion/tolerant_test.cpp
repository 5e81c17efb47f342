// SPDX-License-Identifier: MIT
// Tolerant reading as docs/tolerant.md says it: every row of its tables, and the rules of all
// codecs.

#include "error_of.hpp"
#include "shipped.hpp"
#include "tests/interop/gltf/documents.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace polycodec::test {
namespace {

/// One row of a table, and a file that it is about.
struct Case {
  std::string codec, rule, file;
  std::string old_word, new_word;  // which the report shows
  std::string path = "";           // of the report, if it matters
};

std::string facets(const std::string& ends, const std::string& number = "0") {
  return "solid a\nfacet normal 0 0 1\nouter loop\nvertex " + number +
         " 0 0\nvertex 1 0 0\nvertex 0 1 0\n" + ends;
}

std::string binary_stl(std::uint32_t count, std::size_t facets, std::size_t more = 0) {
  std::string bytes(84 + 50 * facets + more, '\0');
  store_le(bytes.data() + 80, count);
  return bytes;
}

std::string ply(const std::string& properties, const std::string& rows,
                const std::string& start = "ply") {
  return start + "\nformat ascii 1.0\nelement v 1\n" + properties + "end_header\n" + rows;
}

const std::string scene = glb(R"({"asset":{"version":"2.0"}})");

std::string with_length(std::string file, std::uint32_t length) {
  store_le(file.data() + 8, length);
  return file;
}

const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
const std::string end = "endloop\nendfacet\nendsolid a\n";

std::vector<Case> cases() {
  const std::string json_rules[] = {"a byte order mark", "a comment, `//` or `/* */`",
                                    "a comma before `]` or `}`", "zero bytes at the end"};
  std::vector<Case> all{
      {"obj", "a number in another spelling", "v 1.5D+03 0,5 0\n", "1.5D+03 0,5", "1500 0.5",
       "$.v[0]"},
      {"obj", "a word without a digit where a number must be", "v 1 x 0\n", "'v 1 x 0'",
       "'v 1 nan 0'"},
      {"obj", "too many or too few numbers in a row", "v 1 2\n", "'v 1 2'", "'v 1 2 0'"},
      {"obj", "an index such as `1.0`", points + "f 1.0 2 3\n", "'f 1.0 2 3'", "'f 1 2 3'",
       "$.f[0]"},
      {"obj", "an index of a texture coordinate or normal that points to nothing",
       points + "f 1/7 2//8 3\n", "'f 1/7 2//8 3'", "'f 1 2 3'"},
      {"obj", "a word in an element that is not a corner", points + "f 1 2 3 none\n",
       "'f 1 2 3 none'", "'f 1 2 3'"},
      {"obj", "a face of two corners, or a line of one", points + "f 1 2\n", "'f 1 2'", "'l 1 2'",
       "$.l[0]"},
      {"obj", "an index of a vertex that points to nothing", points + "f 1 2 9\n", "'f 1 2 9'",
       "left out"},
      {"obj", "a free-form statement with an error", points + "curv 0 1\n", "'curv 0 1'",
       "comment"},
      {"obj", "a free-form element without `end`", points + "curv 0 1 1 2\n", "without 'end'",
       "'end' after it"},
      {"obj", "a space between a backslash and the end of its line", points + "f 1 2 \\ \n 3\n",
       "backslash", "read as"},
      {"obj", "a backslash at the end of the file", points + "f 1 2 3 \\", "'f 1 2 3 ",
       "'f 1 2 3'"},
      {"obj", "zero bytes that pad the file", points + std::string(4, '\0'), "\\u0000", "padding"},
      {"obj", "a line that starts with another control character", points + "\x01\x02 a\n",
       "\\u0001", "left out"},

      {"ply", "a number in another spelling", ply("property uchar a\n", "255.0\n"), "'255.0'",
       "255", "$.v[0].a"},
      {"ply", "a word without a digit where a float must be", ply("property float a\n", "x\n"),
       "'x'", "nan"},
      {"ply", "a length of a list such as `3.0`", ply("property list uchar int a\n", "1.0 7\n"),
       "'1.0'", "1"},
      {"ply", "spaces or a byte order mark around `ply`", ply("property int a\n", "1\n", " ply "),
       "' ply '", "'ply'"},
      {"ply", "words after the end of a line of the header", ply("property int a { b }\n", "1\n"),
       "'{' is too much in 'property int a { b }'", "left out"},
      {"ply", "an unknown line of the header", ply("made by hand\nproperty int a\n", "1\n"),
       "'made by hand'", "left out"},
      {"ply", "a type of another name: `real`, `f32`, `uint8_t`, `UCHAR`",
       ply("property real a\n", "1\n"), "'real'", "'float'"},
      {"ply", "a second property or element of one name",
       ply("property int a\nproperty int a\n", "1 2\n"), "'a'", "'a_2'"},
      {"ply", "words after a row that are not numbers", ply("property int a\n", "1 { one }\n"),
       "'{ one }'", "left out"},
      {"ply", "fewer rows than declared",
       "ply\nformat ascii 1.0\nelement v 3\nproperty int a\nend_header\n1\n", "3 rows", "with 1"},
      {"ply", "bytes after the last element", ply("property int a\n", "1\n2\n"), "2 bytes",
       "ignored"},

      {"stl", "a number in another spelling", facets(end, "0,5"), "'0,5'", "0.5",
       "$.facets[0].vertices"},
      {"stl", "a word without a digit where a number must be", facets(end, "x"), "'x'", "nan"},
      {"stl", "`end solid`, `end loop`, `end facet`", facets("endloop\nendfacet\nend solid a\n"),
       "'end solid'", "'endsolid'"},
      {"stl", "`end solid`, `end loop`, `end facet`", facets("end loop\nendfacet\nendsolid\n"),
       "'end loop'", "'endloop'"},
      {"stl", "`end solid`, `end loop`, `end facet`", facets("endloop\nEND FACET\nendsolid\n"),
       "'end facet'", "'endfacet'"},
      {"stl", "the name glued to `endsolid`", facets("endloop\nendfacet\nendsolida\n"),
       "'endsolida'", "'endsolid'"},
      {"stl", "a second `solid` or `endsolid`", "solid a\n" + facets(end), "'solid'", "left out"},
      {"stl", "a second `solid` or `endsolid`", facets(end) + "endsolid a\n", "'endsolid'",
       "left out"},
      {"stl", "no `endsolid` before the next solid, or at the end of the file",
       facets("endloop\nendfacet\n"), "without 'endsolid'", "as if"},
      {"stl", "no `endsolid` before the next solid, or at the end of the file",
       facets("endloop\nendfacet\n") + facets(end), "'solid'", "another solid"},
      {"stl", "a count of 0 before facets, or a greater one than there are", binary_stl(0, 2),
       "is 0", "the 2 facets"},
      {"stl", "a count of 0 before facets, or a greater one than there are", binary_stl(3, 2),
       "2 of 3", "the 2 facets"},
      {"stl", "bytes after the facets of a binary file", binary_stl(1, 1, 7), "7 bytes",
       "left out"},

      {"gltf", "a length in the header of a GLB file that is greater than the file",
       with_length(scene, 999), "999", "up to its end"},
      {"gltf", "bytes after the end that the header says", scene + "more", "4 bytes", "left out"},
      {"gltf", "fewer than 8 bytes after the last chunk", with_length(scene + "more", 52),
       "4 bytes", "left out"},
      {"gltf", json_rules[2], glb(R"({"asset":{"version":"2.0"},})"), "a comma", "left out"},

      {"msgpack-ndarray", "an ext of the code of arrays that is not an array",
       std::string("\x81\xa1v\xc7\x05nhello", 11), "hello", "as an extension", "$.v"},
      {"msgpack-ndarray", "a string that is not UTF-8", std::string("\xa2\xff\x61", 3), "\\xff",
       "its bytes"},
      {"msgpack-ndarray", "bytes after the document that start no other one",
       std::string("\x81\xa1v\x01\n", 5), "1 byte follows", "left out"},
  };
  for (const char* codec : {"json", "yggdrasil"}) {
    all.push_back({codec, json_rules[0], "\xef\xbb\xbf{\"a\": 1}", "byte order mark", "left out"});
    all.push_back({codec, json_rules[1], "[1, /* one */ 2] // two\n", "a comment", "left out"});
    all.push_back({codec, json_rules[2], "{\"a\": [\"x,]\", 2, ], }", "a comma", "left out"});
    all.push_back({codec, json_rules[3], "[1]" + std::string(5, '\0'), "zero bytes", "left out"});
  }
  return all;
}

/// The rows of a page: by section and first cell, their last cell.
using Rows = std::map<std::pair<std::string, std::string>, std::string>;

Rows rows_of_page() {
  std::istringstream page(read_file(POLYCODEC_SOURCE_DIR "/docs/tolerant.md"));
  Rows rows;
  std::string section;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) {
      section = line.substr(3);
      if (section.starts_with("Codec `")) section = section.substr(7, section.size() - 8);
    }
    if (!line.starts_with("| ") || line.starts_with("| in the file")) continue;
    const std::size_t first = line.find(" | "), last = line.rfind(" | ");
    rows[{section, line.substr(2, first - 2)}] = line.substr(last + 3, line.size() - last - 5);
  }
  return rows;
}

struct Report {
  LossClass of;
  std::string path, what;
};

CallOptions hearing(std::vector<Report>& reports) {
  CallOptions call;
  call.on_loss = [&reports](LossClass of, std::string_view path, std::string_view what) {
    reports.push_back({of, std::string(path), std::string(what)});
  };
  return call;
}

TEST(Tolerant, EveryRowOfThePageIsSo) {
  const Rows rows = rows_of_page();
  std::set<std::pair<std::string, std::string>> seen;
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.codec + ": " + c.rule);
    std::pair<std::string, std::string> key{c.codec, c.rule};
    if (!rows.contains(key)) key.first = "JSON";
    ASSERT_TRUE(rows.contains(key));
    seen.insert(key);
    std::vector<Report> reports;
    const Codec codec = shipped(c.codec, {{"tolerant", true}});
    ASSERT_NO_THROW(static_cast<void>(decode(codec, c.file, hearing(reports))));
    ASSERT_FALSE(reports.empty());
    bool is_reported = false;
    for (const Report& report : reports) {
      const std::string word = report.of == LossClass::mended ? "`mended`" : "`note`";
      EXPECT_EQ(word, rows.at(key)) << report.what;
      is_reported = is_reported || (report.what.find(c.old_word) != std::string::npos &&
                                    report.what.find(c.new_word) != std::string::npos &&
                                    (c.path.empty() || report.path == c.path));
      EXPECT_NE(report.what.find("byte"), std::string::npos) << report.what;
    }
    EXPECT_TRUE(is_reported) << reports[0].path << ": " << reports[0].what;
    // Where no loss is wanted, this file cannot be read.
    CallOptions lossless;
    lossless.flags = POLYCODEC_CALL_LOSSLESS;
    EXPECT_THROW(static_cast<void>(decode(codec, c.file, lossless)), Error);
  }
  for (const auto& [row, loss] : rows)
    if (loss == "`note`" || loss == "`mended`") {
      EXPECT_TRUE(seen.contains(row)) << "no case: " << row.first << ": " << row.second;
    }
}

/// The places of what was reported, each of them once.
std::set<std::string> places_of(const std::vector<Report>& reports) {
  std::set<std::string> places;
  for (const Report& report : reports)
    EXPECT_TRUE(places.insert(report.path + ": " + report.what).second)
        << "twice: " << report.path << ": " << report.what;
  return places;
}

/// Checks that reading with `options` reports places that reading the whole reports, too.
void expect_places_of_whole(const Codec& codec, const std::string& file, const CallOptions& options,
                            const std::set<std::string>& whole) {
  std::vector<Report> reports;
  CallOptions call = hearing(reports);
  call.columns = options.columns;
  call.first_row = options.first_row;
  call.rows = options.rows;
  call.select = options.select;
  try {
    static_cast<void>(decode(codec, file, call));
  } catch (const Error&) {  // what is there has no such part, or no rows
  }
  for (const std::string& place : places_of(reports))
    EXPECT_TRUE(whole.contains(place)) << "not of the whole: " << place;
}

TEST(Tolerant, PartsReportPlacesOfTheWhole) {
  std::vector<Case> all = cases();
  all.push_back({"msgpack-ndarray", "",
                 "\x82\xa1"
                 "a\x92\x01\xa1\xff\xa1"
                 "b\x92\xa1\xfe\x81\xa1"
                 "c\x93\x01\xa1\xfd\x81\xa1"
                 "d\xa1\xff",
                 "", ""});
  // A list of records, one of which lacks a member; and a stream of documents.
  all.push_back({"msgpack-ndarray", "",
                 "\x93\x82\xa1"
                 "a\xa1\xff\xa1"
                 "b\x01\x82\xa1"
                 "a\xa1\xfe\xa1"
                 "b\xa1\xfd\x81\xa1"
                 "a\xa1\xfc",
                 "", ""});
  all.push_back({"msgpack-ndarray", "",
                 "\x81\xa1"
                 "a\x92\xa1\xff\x01\x81\xa1"
                 "a\x92\xa1\xff\xa1\xfe",
                 "", ""});
  for (const Case& c : all) {
    SCOPED_TRACE(c.codec + ": " + c.rule);
    const Codec codec = shipped(c.codec, {{"tolerant", true}});
    std::vector<Report> reports;
    static_cast<void>(decode(codec, c.file, hearing(reports)));
    const std::set<std::string> whole = places_of(reports);
    std::vector<std::string> paths{"$", "nothing"};
    for (const char* name : {"a", "b", "b.c", "a.nothing", "v", "vt", "f", "l", "v.a", "v.a_2",
                             "facets", "solids", "statements", "facets.vertices", "asset"})
      paths.emplace_back(name);
    for (const std::string& path : paths) {
      SCOPED_TRACE(path);
      CallOptions options;
      options.select = path;
      expect_places_of_whole(codec, c.file, options, whole);
      options.select = path + "[1]";
      expect_places_of_whole(codec, c.file, options, whole);
      options.select = {};
      if (path != "$") options.columns = {path};
      expect_places_of_whole(codec, c.file, options, whole);
      options.rows = 1;
      expect_places_of_whole(codec, c.file, options, whole);
      options.first_row = 1;
      expect_places_of_whole(codec, c.file, options, whole);
    }
  }
}

TEST(Tolerant, WhatIsReadIsTheSameInEveryDoor) {
  const std::string file = "v 1.5D+03 0 0\n";
  std::vector<Report> reports;
  CallOptions call = hearing(reports);
  EXPECT_THROW(static_cast<void>(registry().decode(Source::view(file), call, {.codec = "obj"})),
               Error);
  call.flags = POLYCODEC_CALL_TOLERANT;
  const Value value = registry().decode(Source::view(file), call, {.codec = "obj"});
  EXPECT_EQ(value.view()["v"].child(0)["x"].as_double(), 1500);
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].of, LossClass::mended);
  // The option is the same, and needs no receiver of the reports.
  const Value other = registry().decode(Source::view(file), {},
                                        {.codec = "obj", .options = R"({"tolerant": true})"});
  EXPECT_EQ(other.view()["v"].child(0)["x"].as_double(), 1500);
  // Who gives an option says more than the flag.
  EXPECT_THROW(
      static_cast<void>(registry().decode(Source::view(file), call,
                                          {.codec = "obj", .options = R"({"tolerant": false})"})),
      Error);
  call.flags = POLYCODEC_CALL_TOLERANT | POLYCODEC_CALL_LOSSLESS;
  EXPECT_THROW(static_cast<void>(registry().decode(Source::view(file), call, {.codec = "obj"})),
               Error);
}

TEST(Tolerant, OthersSayThatTheyHaveNone) {
  for (const char* codec : {"awkward", "dynd", "dynd-cbor", "fastbin", "text"}) {
    SCOPED_TRACE(codec);
    const Error refused =
        error_of([&] { static_cast<void>(registry().codec(codec, R"({"tolerant": true})")); });
    EXPECT_EQ(refused.code(), Status::option);
    EXPECT_NE(refused.message().find("no tolerant reading"), std::string::npos)
        << refused.message();
    CallOptions call;
    call.flags = POLYCODEC_CALL_TOLERANT;
    try {
      static_cast<void>(registry().decode(Source::view("\x01"), call, {.codec = codec}));
    } catch (const Error& error) {
      if (error.code() == Status::malformed || error.code() == Status::truncated) {
        EXPECT_NE(error.message().find("no tolerant reading"), std::string::npos)
            << error.message();
      }
    }
  }
}

TEST(Tolerant, StrictIsTheOpposite) {
  for (const char* codec : {"obj", "ply", "stl", "gltf"})
    EXPECT_THROW(
        static_cast<void>(registry().codec(codec, R"({"tolerant": true, "strict": true})")), Error)
        << codec;
}

TEST(Tolerant, ContentNeverBecomesAnEmptyValue) {
  const std::pair<const char*, std::string> files[] = {
      {"obj", std::string("\x01\x02\n\x03\n", 5)},
      {"obj", "f 1 2 3\n"},
      {"ply", "ply\nformat ascii 1.0\nelement v 3\nproperty int a\nend_header\n"},
      {"stl", binary_stl(4, 0, 20)},
      {"json", "// nothing\n"},
      {"yggdrasil", "// nothing\n"},
  };
  for (const auto& [codec, file] : files)
    EXPECT_THROW(static_cast<void>(decode(shipped(codec, {{"tolerant", true}}), file, Losses())),
                 Error)
        << codec;
  EXPECT_THROW(static_cast<void>(decode(shipped("stl"), binary_stl(0, 1))), Error);
}

TEST(Tolerant, PlacesAreBoundedInEveryCodec) {
  std::string stl = "solid a\n";
  for (int i = 0; i < 100; ++i)
    stl +=
        "facet normal 0 0 1\nouter loop\nvertex 0,5 0 0\nvertex 1 0 0\nvertex 0 1 0\nend loop\n"
        "endfacet\n";
  std::vector<Report> reports;
  static_cast<void>(
      decode(shipped("stl", {{"tolerant", true}}), stl + "endsolid a\n", hearing(reports)));
  ASSERT_EQ(reports.size(), 34u);
  EXPECT_EQ(reports[32].what, "84 further places were mended");
  EXPECT_EQ(reports[32].of, LossClass::mended);
  EXPECT_EQ(reports[33].of, LossClass::note);
}

TEST(Tolerant, ManyEqualNamesOfPlyTakeNoLongTime) {
  std::string properties, row;
  for (int i = 0; i < 20000; ++i) {
    properties += "property int a\n";
    row += "1 ";
  }
  const Value value =
      decode(shipped("ply", {{"tolerant", true}}), ply(properties, row + "\n"), Losses());
  EXPECT_EQ(value.view()["v"].child(0).size(), 20000u);
}

}  // namespace
}  // namespace polycodec::test
