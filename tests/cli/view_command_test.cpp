// SPDX-License-Identifier: MIT
// The pages that `polycodec view` writes, without a browser (tests/view has one).
#include <base/base64.hpp>

#include "command.hpp"
#include "png_file.hpp"

#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace polycodec::test {
namespace {

using namespace std::string_literals;

constexpr const char* no_display =
    "env -u DISPLAY -u WAYLAND_DISPLAY ";  // no test shows a browser to anybody

class ViewCommand : public Command {
 protected:
  std::string page(const std::vector<std::string>& arguments) {
    std::vector<std::string> all{"view", "-o", "page.html"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Finished done = run(all);
    EXPECT_EQ(done.status, 0) << done.err;
    return read_file(directory_ / "page.html");
  }
  static Json data(const std::string& page) {
    const std::string start = "<script type=\"application/json\" id=\"data\">";
    const std::size_t from = page.find(start) + start.size();
    return Json::parse(page.substr(from, page.find("</script>", from) - from));
  }
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
    return n;
  }
};

/// A flat grid of 2 * (side - 1)^2 triangles, or so many that lie on each other and fill all.
std::string triangles_of_ply(std::uint32_t side, bool is_pile) {
  std::string text = "ply\nformat binary_little_endian 1.0\nelement vertex " +
                     std::to_string(side * side) +
                     "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
                     std::to_string(2 * (side - 1) * (side - 1)) +
                     "\nproperty list uchar uint vertex_indices\nend_header\n";
  const auto put = [&](auto number) {
    const auto bytes = std::bit_cast<std::array<char, sizeof number>>(number);
    text.append(bytes.data(), bytes.size());
  };
  for (std::uint32_t i = 0; i < side * side; ++i)
    for (const std::uint32_t c : {i / side, i % side, 0u}) put(static_cast<float>(c));
  for (std::uint32_t i = 0; i < (side - 1) * (side - 1); ++i) {
    const std::uint32_t a = is_pile ? 0 : i / (side - 1) * side + i % (side - 1);
    const std::uint32_t right = is_pile ? side - 1 : 1, down = is_pile ? side * (side - 1) : side;
    for (const std::uint32_t middle : {right, down}) {
      text += '\3';
      for (const std::uint32_t corner : {a, a + middle, a + right + down}) put(corner);
    }
  }
  return text;
}

TEST_F(ViewCommand, ManyFacesHaveAPictureOrAdvice) {
  write("grid.ply", triangles_of_ply(600, false));
  const Json grid = data(page({"grid.ply"}));
  EXPECT_TRUE(grid["mesh"]["picture"].is_string());
  EXPECT_EQ(grid["notes"].dump().find("WebGL"), std::string::npos) << grid["notes"];
  write("pile.ply", triangles_of_ply(400, true));
  const Json pile = data(page({"pile.ply"}));
  EXPECT_TRUE(pile["mesh"]["picture"].is_null());
  const std::string notes = pile["notes"].dump();
  EXPECT_NE(notes.find("no picture for browsers without WebGL: its 318402 triangles take too much "
                       "work; make one with polycodec render"),
            std::string::npos)
      << notes;
  EXPECT_EQ(notes.find("max_work"), std::string::npos) << notes;
}

TEST_F(ViewCommand, PageHasValueFiguresAndPlacesOfAPly) {
  write("a.ply",
        "ply\nformat binary_little_endian 1.0\nelement vertex 2\nproperty float x\nproperty float "
        "y\nproperty float z\nend_header\n" +
            std::string(24, '\0'));
  const std::string text = page({"a.ply"});
  EXPECT_LT(text.size(), std::size_t{2} << 20);
  const Json all = data(text);
  EXPECT_EQ(all["codec"], "ply");
  EXPECT_EQ(all["file"], "a.ply");
  EXPECT_EQ(all["outline"]["nodes"][1][1], ".vertex");
  EXPECT_EQ(all["outline"]["tables"][0]["rows"], 2);
  EXPECT_EQ(all["outline"]["tables"][0]["cells"][1], Json({"0.0", "0.0", "0.0"}));
  EXPECT_EQ(all["figures"]["columns"][0]["path"], "$.vertex.x");
  EXPECT_EQ(all["figures"]["columns"][0]["histogram"]["counts"], Json({2}));
  // The two rows end the file; y begins after the first x, and its last number 16 bytes later.
  const std::size_t bytes = read_file(directory_ / "a.ply").size();
  EXPECT_EQ(all["figures"]["uses"][1], Json({"$.vertex.y", "data", bytes - 20, 16}));
  EXPECT_EQ(all["mesh"]["vertices"], 2);
  EXPECT_EQ(all["addresses"]["exact"], Json::parse(run({"hash", "--json", "a.ply"}).out)["sha256"]);
}

TEST_F(ViewCommand, ForeignTextEndsNoElement) {
  const std::string evil = "</script><script>alert(1)</script><!--";
  write("a.json", Json({{evil, evil}}).dump());
  const std::string text = page({"a.json", "--title", evil});
  EXPECT_EQ(count(text, "alert(1)"),
            count(text, "u003cscript>alert(1)") + count(text, "&lt;script&gt;alert(1)"));
  EXPECT_EQ(count(text, "</script>"), 2u);
  EXPECT_EQ(count(text, "<!--"), 0u);
  EXPECT_EQ(data(text)["file"], evil);
  EXPECT_NE(text.find("default-src 'none'; script-src 'sha256-"), std::string::npos);
}

TEST_F(ViewCommand, LargeValuesAreWindowed) {
  write("a.json", "{\"type\": \"{a: 5000 * int32, b: 3000 * {x: int32}}\", \"value\": {\"a\": " +
                      Json(std::vector<int>(5000, 7)).dump() +
                      ", \"b\": " + Json(std::vector<Json>(3000, Json{{"x", 1}})).dump() + "}}");
  const Json all = data(page({"a.json"}));
  EXPECT_LT(all["outline"]["nodes"].size(), 400u);
  EXPECT_EQ(all["outline"]["nodes"][1][5], 5000);
  EXPECT_EQ(all["outline"]["nodes"][1][6], 5000 - 110);
  EXPECT_EQ(all["figures"]["columns"][0]["line"]["buckets"], 512);
}

/// Pairs of floats of a page: base64 of deflated planes of bytes, of differences to the pair
/// before.
std::vector<float> pairs_of(const std::string& text, std::size_t count) {
  std::string packed(base64_decoded_bound(text.size()), '\0');
  EXPECT_EQ(base64_decode(packed.data(), packed.size(), text).status, Base64Status::ok);
  std::vector<unsigned char> bytes(8 * count);
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = bytes.data();
  stream.avail_out = static_cast<uInt>(bytes.size());
  EXPECT_EQ(inflateInit2(&stream, -15), Z_OK);
  inflate(&stream, Z_FINISH);
  EXPECT_EQ(stream.total_out, bytes.size());
  inflateEnd(&stream);
  std::vector<std::uint32_t> words(2 * count);
  std::vector<float> numbers;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t k = 0; k < 4; ++k)
      words[i] |= std::uint32_t{bytes[k * words.size() + i]} << 8 * k;
    words[i] += i < 2 ? 0 : words[i - 2];
    numbers.push_back(std::bit_cast<float>(words[i]));
  }
  return numbers;
}

TEST_F(ViewCommand, ColumnsHaveTheirUnits) {
  const std::string long_unit(41, 'm');
  write("a.json", R"({"type": "{a: 2 * annotated[float64, unit='mV'], b: 2 * float64, c: 2 * )"
                  R"(annotated[float64, unit=')" +
                      long_unit + R"(']}", "value": {"a": [1, 2], "b": [3, 4], "c": [5, 6]}})");
  const Json columns = data(page({"a.json"}))["figures"]["columns"];
  ASSERT_EQ(columns.size(), 3u);
  EXPECT_EQ(columns[0]["unit"], "mV");
  EXPECT_FALSE(columns[1].contains("unit"));
  EXPECT_FALSE(columns[2].contains("unit"));  // too long for an axis
}

TEST_F(ViewCommand, ALineHasEachNumberOnce) {
  for (const std::size_t count : {2u, 3u, 300u, 511u, 512u, 1024u, 1500u}) {
    std::vector<int> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    write("a.json", "{\"type\": \"" + std::to_string(count) +
                        " * int32\", \"value\": " + Json(numbers).dump() + "}");
    const Json line = data(page({"a.json"}))["figures"]["columns"][0]["line"];
    const std::size_t parts = std::min<std::size_t>(count, 512);
    ASSERT_EQ(line["buckets"], parts);
    const std::vector<float> ends = pairs_of(line["data"], parts);
    float next = 0;
    for (std::size_t i = 0; i < parts; ++i) {
      EXPECT_EQ(ends[2 * i], next) << "part " << i << " of " << count << " numbers";
      next = ends[2 * i + 1] + 1;
    }
    EXPECT_EQ(next, static_cast<float>(count));
  }
}

TEST_F(ViewCommand, TexturesComeFromTheDirectoryAlone) {
  for (const char* directory : {"models/.hidden", "models/sub", "elsewhere"})
    fs::create_directories(directory_ / directory);
  const std::string png = png_file(2, 2, "\xff\0\0"s);
  for (const char* name : {"models/skin.png", "models/.h.png", "models/.hidden/h.png",
                           "outside.png", "elsewhere/skin.png"})
    write(name, png);
  write("models/secret.txt", "secret words");
  fs::create_symlink(directory_ / "outside.png", directory_ / "models/link.png");
  fs::create_symlink("skin.png", directory_ / "models/inside.png");
  fs::create_symlink(directory_ / "elsewhere", directory_ / "models/directory");
  const std::vector<std::string> names{"../outside.png",
                                       "link.png",
                                       "inside.png",
                                       "secret.txt",
                                       (directory_ / "outside.png").string(),
                                       "none.png",
                                       ".h.png",
                                       ".hidden/h.png"};
  std::string library = "newmtl m\nmap_Kd ./skin.png\n";
  for (std::size_t i = 0; i < names.size(); ++i)
    library += "newmtl m" + std::to_string(i) + "\nmap_Kd " + names[i] + "\n";
  write("models/a.mtl", library);
  std::string model = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n";
  for (std::size_t i = 0; i < names.size(); ++i)
    model += "usemtl m" + std::to_string(i) + "\nf 1 2 3\n";
  write("models/a.obj", model);
  const Json all = data(page({"models/a.obj"}));
  const Json& materials = all["mesh"]["materials"];
  ASSERT_EQ(materials.size(), 1 + names.size());
  EXPECT_EQ(materials[0]["texture"], 0);
  ASSERT_EQ(all["mesh"]["images"].size(), 1u);
  EXPECT_TRUE(
      all["mesh"]["images"][0].get<std::string>().starts_with("data:image/png;base64,iVBOR"));
  const std::string notes = all["notes"].dump();
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_FALSE(materials[i + 1].contains("texture")) << names[i];
    EXPECT_NE(notes.find("the texture '" + names[i] + "' is not shown: "), std::string::npos)
        << names[i] << "\n"
        << notes;
  }
  for (const char* why : {"hidden files are not read", "leads over a symbolic link",
                          "it is not a PNG, JPEG, GIF, WebP or BMP image"})
    EXPECT_NE(notes.find(why), std::string::npos) << why << "\n" << notes;
  // A name with a directory that is a link: its last part counts, and is beside the file.
  write("models/a.mtl", "newmtl m\nmap_Kd directory/skin.png\n");
  write("elsewhere/skin.png", png_file(4, 4, "\0\0\xff"s));
  EXPECT_EQ(data(page({"models/a.obj"}))["mesh"]["images"], all["mesh"]["images"]);
}

TEST_F(ViewCommand, ImagesAreInThePageOnce) {
  std::string library;
  for (int i = 0; i < 30; ++i)
    library += "newmtl m" + std::to_string(i) + "\nmap_Kd d" + std::to_string(i) + "/" +
               (i < 15 ? "skin" : "copy") + ".png\n";
  write("a.mtl", library);
  write("a.obj", textured_squares(30, "a.mtl"));
  for (const char* name : {"skin.png", "copy.png"}) write(name, png_file(64, 64, "\xff\0\0"s));
  const Json mesh = data(page({"a.obj"}))["mesh"];
  EXPECT_EQ(mesh["images"].size(), 1u);
  for (const Json& material : mesh["materials"]) EXPECT_EQ(material["texture"], 0);
  EXPECT_EQ(mesh["materials"].size(), 30u);
}

TEST_F(ViewCommand, PixelsOfAllImagesAreBounded) {
  write("a.mtl",
        "newmtl m0\nmap_Kd a.png\nnewmtl m1\nmap_Kd b.png\nnewmtl m2\nmap_Kd c.png\n"
        "newmtl m3\nmap_Kd small.png\n");
  write("a.obj", textured_squares(4, "a.mtl"));
  for (const char* name : {"a.png", "b.png", "c.png"})
    write(name, png_file(8000, 8000, std::string(3, name[0])));
  write("small.png", png_file(64, 64, "\xff\0\0"s));
  const Json all = data(page({"a.obj"}));
  EXPECT_EQ(all["mesh"]["images"].size(), 2u);
  EXPECT_EQ(all["mesh"]["materials"][3]["texture"], 1);
  EXPECT_NE(all["notes"].dump().find(
                "2 images are not shown: a page has no images of more than 67108864 pixels"),
            std::string::npos)
      << all["notes"];
}

TEST_F(ViewCommand, MeshBeyondTheSizeIsDecimated) {
  std::string obj;
  constexpr int side = 250;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      obj += "v " + std::to_string(x) + " " + std::to_string(y) + " " +
             std::to_string((x * 7919 + y * 104729) % 1000 / 100.0) + "\n";
  for (int y = 0; y + 1 < side; ++y)
    for (int x = 1; x < side; ++x) {
      const int at = y * side + x;
      obj += "f " + std::to_string(at) + " " + std::to_string(at + 1) + " " +
             std::to_string(at + side) + "\n";
    }
  write("a.obj", obj);
  EXPECT_FALSE(data(page({"a.obj"}))["mesh"].contains("decimated"));
  const std::string small = page({"a.obj", "--max-size", "2"});
  EXPECT_LT(small.size(), std::size_t{2} << 20);
  const Json all = data(small);
  EXPECT_EQ(all["mesh"]["decimated"], true);
  EXPECT_EQ(all["mesh"]["fileFaces"], (side - 1) * (side - 1));
  EXPECT_LT(all["mesh"]["triangles"], (side - 1) * (side - 1));
  EXPECT_TRUE(all["notes"][0].get<std::string>().starts_with("decimated: ")) << all["notes"];
}

TEST_F(ViewCommand, PageWithoutANameIsPrivate) {
  write("a.json", "[1]");
  fs::create_directories(directory_ / "run");
  fs::permissions(directory_ / "run", fs::perms::owner_all);
  fs::create_directories(directory_ / "open");
  fs::permissions(directory_ / "open", fs::perms::all);
  fs::create_directories(directory_ / "temporary");
  const auto path = [&](const std::string& runtime) {
    const Finished done =
        run({"view", "a.json", "-q"}, "",
            std::string("XDG_RUNTIME_DIR=") + (directory_ / runtime).string() +
                " TMPDIR=" + (directory_ / "temporary").string() + " " + no_display);
    EXPECT_EQ(done.status, 0) << done.err;
    return fs::path(done.out.substr(0, done.out.find('\n')));
  };
  const fs::path in_runtime = path("run");
  EXPECT_EQ(in_runtime.parent_path(), directory_ / "run");
  EXPECT_NE(path("run"), in_runtime);
  const fs::path elsewhere = path("open");
  EXPECT_EQ(elsewhere.parent_path().parent_path(), directory_ / "temporary");
  struct ::stat status {};
  for (const fs::path& file : {in_runtime, elsewhere}) {
    ASSERT_EQ(::stat(file.c_str(), &status), 0) << file;
    EXPECT_EQ(status.st_mode & 0777, 0600u) << file;
  }
  ASSERT_EQ(::stat(elsewhere.parent_path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
}

}  // namespace
}  // namespace polycodec::test
