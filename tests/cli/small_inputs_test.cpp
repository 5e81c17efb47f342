// SPDX-License-Identifier: MIT
// Small inputs that stand for huge values: every command answers within 4 seconds of processor time
// and 350 MB of address space.
#include <base/base64.hpp>
#include <polycodec/byte_order.hpp>

#include "command.hpp"
#include "sanitized.hpp"
#include "zip_file.hpp"

#include <functional>
#include <utility>

namespace polycodec::test {
namespace {

// Sanitizers reserve terabytes, and take longer.
#if POLYCODEC_SANITIZED
constexpr const char* bounds = "ulimit -t 40; ";
#else
constexpr const char* bounds = "ulimit -t 4; ulimit -v 358400; ";
#endif

/// An ndarray of msgpack-ndarray with no data behind its shape.
std::string array_of_nothing(std::initializer_list<std::uint64_t> shape, const std::string& dtype) {
  const auto text = [](const std::string& word) {
    return static_cast<char>(0xa0 + word.size()) + word;
  };
  std::string body = '\x84' + text("shape") + static_cast<char>(0x90 + shape.size());
  for (const std::uint64_t extent : shape) {
    char bytes[8];
    store_be(bytes, extent);
    body += '\xcf' + std::string(bytes, sizeof bytes);
  }
  body += text("typestr") + text(dtype) + text("data") + std::string("\xc4\0", 2) +
          text("version") + '\3';
  return '\xc7' + (static_cast<char>(body.size()) + ("n" + body));
}

/// A body of yggdrasil with as little.
std::string body_of_nothing() {
  const std::string type =
      R"({"type":"ndarray","subtype":"float","precision":8,"shape":[4294967296,0,8]})";
  std::string coded(base64_encoded_size(type.size()), '\0');
  base64_encode(coded.data(), type.data(), type.size());
  return "\"-YGG-" + coded + "-YGG--YGG-\"";
}

std::string awkward_file(const std::string& schema, std::vector<ZipItem> blobs) {
  blobs.push_back({".json", R"({"awkward0": "0.15.5", "schema": )" + schema + "}"});
  return archive(blobs);
}

std::string from_buffer(const std::string& bytes, const char* dtype, std::size_t count,
                        std::size_t id) {
  return R"({"call": ["awkward0", "numpy", "frombuffer"], "args": [)" + bytes + R"(, {"dtype": ")" +
         dtype + R"("}, {"json": )" + std::to_string(count) + R"(}], "id": )" + std::to_string(id) +
         "}";
}

/// Eight levels of lists that all have the same items: 32^9 numbers.
std::string laughs() {
  constexpr std::uint64_t rows = 32;
  std::string starts, stops;
  for (std::uint64_t i = 0; i < rows; ++i) {
    char bytes[8];
    store_le(bytes, rows);
    stops.append(bytes, sizeof bytes);
    starts.append(sizeof bytes, '\0');
  }
  std::string schema = from_buffer(R"({"read": "stops"})", "int64", rows, 1);
  for (std::size_t level = 0; level < 8; ++level) {
    const auto column = [&](const char* name, std::size_t id) {
      return level == 0
                 ? from_buffer(std::string(R"({"read": ")") + name + "\"}", "int64", rows, id)
                 : R"({"ref": )" + std::to_string(id) + "}";
    };
    schema = R"({"call": ["awkward0", "JaggedArray"], "args": [)" + column("starts", 2) + ", " +
             column("stops", 3) + ", " + schema + R"(], "id": )" + std::to_string(10 + level) + "}";
  }
  return awkward_file(schema, {{"starts", starts}, {"stops", stops}});
}

std::string compressed(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  compress2(reinterpret_cast<Bytef*>(out.data()), &size,
            reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), 9);
  out.resize(size);
  return out;
}

/// Sixteen columns of zlib in zlib, each of 128 MiB.
std::string zlib_in_zlib() {
  constexpr std::size_t bytes = std::size_t{128} << 20;
  const std::string packed = compressed(compressed(std::string(bytes, '\0')));
  std::string pairs;
  std::vector<ZipItem> blobs;
  for (std::size_t i = 0; i < 16; ++i) {
    const std::string name = "x" + std::to_string(i);
    blobs.push_back({name, packed});
    const std::string unpacked =
        R"({"call": ["zlib", "decompress"], "args": [{"call": ["zlib", "decompress"], "args": )"
        R"([{"read": ")" +
        name + R"("}]}]})";
    pairs += (i == 0 ? "" : ", ") + ("[\"" + name + "\", ") +
             from_buffer(unpacked, "float64", bytes / 8, 1 + i) + "]";
  }
  return awkward_file(R"({"call": ["awkward0", "Table", "frompairs"], "args": [{"pairs": [)" +
                          pairs + R"(]}, {"json": 0}], "id": 0})",
                      std::move(blobs));
}

TEST_F(Command, ATreeOfSharedPartsEndsWhateverItsDepth) {
  // A table whose two columns are one table, whose two columns are one table: 2^26 lines.
  std::string schema = from_buffer(R"({"read": "x"})", "float64", 3, 1);
  for (int level = 1; level <= 25; ++level)
    schema = R"({"call": ["awkward0", "Table", "frompairs"], "args": [{"pairs": [["x", )" + schema +
             R"(], ["y", {"ref": )" + std::to_string(level) + R"(}]]}, {"json": 0}], "id": )" +
             std::to_string(level + 1) + "}";
  write("in.awkd", awkward_file(schema, {{"x", std::string(24, '\0')}}));
  for (const char* words :
       {"inspect --depth 1000 --json in.awkd", "inspect --depth 1000 in.awkd"}) {
    const Finished done =
        run_line(directory_, bounds + shell_word(polycodec_command) + " " + words);
    ASSERT_EQ(done.status, 0) << words << done.err.substr(0, 300);
    EXPECT_LT(done.out.size(), std::size_t{24} << 20) << words;
  }
  std::uint64_t lines = 0, omitted = 0;
  const std::function<void(const Json&)> count = [&](const Json& node) {
    ++lines;
    omitted += node.value("omitted", std::uint64_t{0});
    for (const Json& child : node.value("children", Json::array())) count(child);
  };
  count(Json::parse(run({"inspect", "--depth", "1000", "--json", "in.awkd"}).out)["tree"]);
  EXPECT_GT(lines, 100u);
  EXPECT_GT(omitted, 1u) << "what is left out is counted";
}

TEST_F(Command, AnswersSmallInputsWithinBounds) {
  const std::vector<std::pair<std::string, std::string>> inputs{
      {"rows.msgpack", array_of_nothing({std::uint64_t{1} << 32, 0, 8}, "<f8")},
      {"flags.msgpack", array_of_nothing({std::uint64_t{1} << 40, 0}, "|b1")},
      {"body.ygg", body_of_nothing()},
      {"laughs.awkd", laughs()},
      {"zlib.awkd", zlib_in_zlib()}};
  write("schema.json",
        R"({"items": {"items": {"type": "array"}}, "minimum": 3, "uniqueItems": true})");
  for (const auto& [file, bytes] : inputs) {
    EXPECT_LT(bytes.size(), 43'000u) << file;
    write(file, bytes);
    std::vector<std::string> lines{"decode " + file,
                                   "decode --plain " + file,
                                   "decode --plain --pretty " + file,
                                   "inspect " + file,
                                   "inspect --depth 1000 --json " + file,
                                   "validate " + file,
                                   "hash " + file,
                                   "sniff " + file,
                                   "mesh " + file,
                                   "render -o out.png " + file,
                                   "schema infer " + file,
                                   "schema validate schema.json " + file,
                                   "schema normalize schema.json -o out.json " + file,
                                   "message pack -o out.msg " + file,
                                   "message pack --codec msgpack-ndarray -o out.msg " + file,
                                   "store add --to awkward new.awkd value " + file};
    for (const char* codec :
         {"text", "awkward", "dynd", "dynd-cbor", "msgpack-ndarray", "obj", "ply", "yggdrasil"})
      lines.push_back(std::string("convert --lossy --to ") + codec + " " + file + " out");
#if POLYCODEC_SANITIZED
    // Where all is ten times as slow: of each input other commands.
    std::vector<std::string> some;
    for (std::size_t i = file.size() % 4; i < lines.size(); i += 4) some.push_back(lines[i]);
    lines.swap(some);
#endif
    for (const std::string& line : lines) {
      fs::remove_all(directory_ / "new.awkd");
      const Finished done =
          run_line(directory_, bounds + shell_word(polycodec_command) + " " + line);
      EXPECT_TRUE(done.status == 0 || done.status == 1)
          << line << " ends with " << done.status << ": " << done.err.substr(0, 300);
      if (done.status == 1) {
        EXPECT_FALSE(done.err.empty() && done.out.empty()) << line;
        EXPECT_EQ(done.err.find("internal"), std::string::npos) << line << done.err;
      }
    }
  }
}

}  // namespace
}  // namespace polycodec::test
