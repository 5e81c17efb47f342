// SPDX-License-Identifier: MIT
// Large OBJ and PLY files are read in chunks: values and errors are those of reading them in one
// go, with any number of threads.
#include <polycodec/registry.hpp>
#include <polycodec/sink.hpp>
#include <polycodec/value.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace polycodec;

// Much larger than what is read in one go.
constexpr std::size_t file_size = 5 << 19;

const Registry& registry() {
  static const Registry all = Registry::open();
  return all;
}

/// What comes of reading a file: a value, or the text of an error.
struct Outcome {
  Value value;
  std::string error;
  std::vector<std::string> losses;
};

Outcome read(const Codec& codec, const std::string& text, std::uint32_t threads) {
  Outcome made;
  CallOptions call;
  call.threads = threads;
  call.losses = all_losses;
  call.on_loss = [&](LossClass, std::string_view path, std::string_view what) {
    made.losses.push_back(std::string(path) + ": " + std::string(what));
  };
  try {
    made.value = codec.decode(Source::view(text), call);
  } catch (const Error& error) {
    made.error = std::to_string(static_cast<int>(error.code())) + " " + error.describe();
  }
  return made;
}

/// Reads with 1, 2 and 7 threads, which must not make a difference.
Outcome read(const std::string& format, const std::string& text, const char* options = "{}") {
  const Codec codec = registry().codec_with_json(format, options);
  Outcome one = read(codec, text, 1);
  for (const std::uint32_t threads : {2u, 7u}) {
    const Outcome other = read(codec, text, threads);
    EXPECT_EQ(one.error, other.error);
    EXPECT_EQ(one.losses, other.losses);
    if (one.error.empty() && other.error.empty()) {
      const auto difference = first_difference(one.value.view(), other.value.view());
      EXPECT_FALSE(difference) << difference->path << ": " << difference->reason;
    }
  }
  return one;
}

/// The same, for a file that is right: mending reads all in one go, and finds nothing to mend.
void expect_same_as_whole(const std::string& format, const std::string& text) {
  ASSERT_GT(text.size(), std::size_t{2} << 20);
  const Outcome chunks = read(format, text);
  const Outcome whole = read(registry().codec_with_json(format, R"({"strict": false})"), text, 1);
  ASSERT_EQ(chunks.error, "");
  ASSERT_EQ(whole.error, "");
  EXPECT_TRUE(whole.losses.empty()) << whole.losses.front();
  const auto difference = first_difference(chunks.value.view(), whole.value.view());
  EXPECT_FALSE(difference) << difference->path << ": " << difference->reason;
}

/// Numbers that look like those of meshes, the same in each run.
class Numbers {
 public:
  std::uint32_t below(std::uint32_t bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33) % bound;
  }
  std::string real() { return std::to_string(static_cast<double>(below(2'000'000)) / 1000 - 1000); }

 private:
  std::uint64_t state_ = 1;
};

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

TEST(MeshChunks, NumbersAreFloat32WhereThatIsAskedFor) {
  const std::string text = obj({.textures = true, .normals = true, .colors = true, .others = true});
  const Outcome chunks = read("obj", text, R"({"float32": true})");
  const Outcome whole =
      read(registry().codec_with_json("obj", R"({"float32": true, "strict": false})"), text, 1);
  ASSERT_EQ(chunks.error + whole.error, "");
  EXPECT_EQ(chunks.value.view()["v"]["x"].array()->dtype, POLYCODEC_DTYPE_FLOAT32);
  const auto difference = first_difference(chunks.value.view(), whole.value.view());
  EXPECT_FALSE(difference) << difference->path << ": " << difference->reason;
}

TEST(MeshChunks, ObjIsReadAsInOneGo) {
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

TEST(MeshChunks, ObjOfUnusualLines) {
  std::string text = "\xef\xbb\xbf" + obj({.relative = true});
  text.pop_back();  // no newline at the end
  expect_same_as_whole("obj", text);
  expect_same_as_whole("obj", text + "\n# a comment that does not end");
  // One line is longer than many chunks, and one statement goes on over many lines.
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

/// Where lines of a text begin.
std::vector<std::size_t> lines_of(const std::string& text) {
  std::vector<std::size_t> all{0};
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
    all.push_back(at + 1);
  return all;
}

/// The error of a line is found there, whatever is wrong after it.
TEST(MeshChunks, TheFirstErrorOfObjInOrder) {
  const std::string good = obj({.textures = true, .relative = true});
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
      const std::size_t later = std::min(starts.size() - 1, line + (turn % 3) * 9'000);
      text.insert(starts[later], second.line);
      text.insert(starts[line], first.line);
      const std::string error = read("obj", text).error;
      EXPECT_NE(error.find("line " + std::to_string(line + 1) + ": "), std::string::npos) << error;
      EXPECT_NE(error.find(first.detail), std::string::npos) << first.line << error;
    }
  }
}

TEST(MeshChunks, ErrorsOfTheWholeObj) {
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

/// An ascii PLY file with elements before and after the two large ones.
struct Ply {
  bool ragged = false, others = false;
  std::uint32_t ragged_from = 0;  // faces before it have three corners
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
    const std::uint32_t n =
        shape.ragged && i >= shape.ragged_from ? numbers.below(6) : std::uint32_t{3};
    text += std::to_string(n);
    for (std::uint32_t k = 0; k < n; ++k) text += gap + std::to_string(numbers.below(vertices));
    text += gap + std::to_string(i) + end;
  }
  if (shape.others) text += "-7" + end;
  return text;
}

TEST(MeshChunks, PlyIsReadAsInOneGo) {
  expect_same_as_whole("ply", ply({}));
  expect_same_as_whole("ply", ply({.ragged = true}));
  expect_same_as_whole("ply", ply({.ragged = true, .ragged_from = 45'000}));
  expect_same_as_whole("ply", ply({.ragged = true, .others = true}));
  expect_same_as_whole("ply", ply({.others = true, .newline = "\r\n", .between = "\t "}));
  expect_same_as_whole("ply", ply({.ragged = true, .newline = "\r"}));  // no place to cut
  expect_same_as_whole("ply", ply({.others = true, .between = "\n"}));  // rows are not lines
  std::string text = ply({.ragged = true});
  text.pop_back();  // no newline at the end
  expect_same_as_whole("ply", text);
  // Lines that are not rows begin in the middle.
  const std::string whole = ply({.ragged = true, .others = true});
  for (const std::size_t part : {3, 4, 7}) {
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

TEST(MeshChunks, TheFirstErrorOfPlyInOrder) {
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

/// A call of many threads that has too little for the file fails; one that is cancelled, too.
void expect_bounds(const char* format, const std::string& text) {
  const Codec codec = registry().codec(format);
  for (const std::uint32_t threads : {1u, 2u, 7u}) {
    CallOptions call;
    call.threads = threads;
    Limits limits;
    limits.max_work = text.size() / 3;
    call.limits = limits;
    EXPECT_THROW(
        {
          try {
            static_cast<void>(codec.decode(Source::view(text), call));
          } catch (const Error& error) {
            EXPECT_EQ(error.code(), Status::limit) << error.describe();
            throw;
          }
        },
        Error);
    std::atomic<bool> cancel{true};
    CallOptions cancelled;
    cancelled.threads = threads;
    cancelled.cancel = &cancel;
    try {
      static_cast<void>(codec.decode(Source::view(text), cancelled));
      ADD_FAILURE() << "a call that was cancelled ended";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Status::cancelled) << error.describe();
    }
  }
}

TEST(MeshChunks, BudgetAndCancellationHoldAcrossThreads) {
  expect_bounds("obj", obj({.textures = true}));
  expect_bounds("ply", ply({.ragged = true}));
}

}  // namespace
