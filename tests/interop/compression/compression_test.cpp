// SPDX-License-Identifier: MIT
// Compressed files through the library and the command: what other programs write, and what they
// read of ours; several members, cut and changed files, layers, limits.
#include <polycodec/polycodec.hpp>

#include "error_of.hpp"
#include "files.hpp"
#include "run.hpp"
#include "shipped.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::test {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

/// A compression, and the usual program for it.
struct Tool {
  const char* filter;
  const char* extension;
  const char* pack;     // a line of shell, from standard input to standard output
  const char* unpack;   // likewise
  const char* fastest;  // another line that packs
};

void PrintTo(const Tool& tool, std::ostream* out) {
  *out << tool.filter;
}

constexpr Tool tools[] = {{"gzip", ".gz", "gzip -c", "gzip -dc", "gzip -1c"},
                          {"bzip2", ".bz2", "bzip2 -c", "bzip2 -dc", "bzip2 -1c"},
                          {"xz", ".xz", "xz -c", "xz -dc", "xz -0c --check=crc32"},
                          {"zstd", ".zst", "zstd -qc", "zstd -qdc", "zstd -qc -1 --no-check"},
                          {"lz4", ".lz4", "lz4 -qc", "lz4 -qdc", "lz4 -qc -B4 --content-size"}};

class Compression : public ::testing::TestWithParam<Tool> {
 protected:
  static void SetUpTestSuite() {
    for (const Tool& tool : tools)
      if (run_line("/", "command -v " + std::string(tool.filter)).status != 0)
        GTEST_FAIL() << tool.filter << " is not installed: scripts/install_deps.sh";
  }
  const fs::path& directory() const { return temporary_.path(); }
  std::string path(const std::string& name) const { return (directory() / name).native(); }
  std::string shell(const std::string& line, std::string_view input) const {
    const Finished done = run_line(directory(), line, input);
    EXPECT_EQ(done.status, 0) << line << ": " << done.err;
    return done.out;
  }
  std::string pack(std::string_view bytes) const { return shell(GetParam().pack, bytes); }
  std::string name(const std::string& plain) const { return path(plain + GetParam().extension); }
  Finished command(const std::string& words) const {
    return run_line(directory(), shell_word(POLYCODEC_BIN_DIR "/polycodec") + " " + words);
  }

 private:
  const TemporaryDirectory temporary_;
};

/// A mesh with points on a spiral.
std::string mesh(int points) {
  std::string ply = "ply\nformat ascii 1.0\nelement vertex " + std::to_string(points) +
                    "\nproperty double x\nproperty double y\nend_header\n";
  for (std::int64_t i = 0; i < points; ++i)
    ply +=
        std::to_string(i * i % 977) + "." + std::to_string(i % 10) + " " + std::to_string(i) + "\n";
  return ply;
}

Value of(std::string_view bytes) {
  return registry().decode(Source::owned(std::string(bytes)));
}

TEST_P(Compression, WhatOtherProgramsWriteIsRead) {
  for (const int points : {0, 1, 1'000, 60'000}) {
    const std::string plain = mesh(points);
    const Value wanted = of(plain);
    for (const char* line : {GetParam().pack, GetParam().fastest}) {
      const std::string packed = shell(line, plain);
      EXPECT_EQ(difference(of(packed), wanted), "") << line;
      write_file(name("a.ply"), packed);
      Match match;
      EXPECT_EQ(difference(registry().decode(Source::file(name("a.ply")), {}, {}, &match), wanted),
                "");
      EXPECT_EQ(match.codec, "ply");
      EXPECT_EQ(match.filters, GetParam().filter);
      const Match chosen = registry().choose(Source::file(name("a.ply")));
      EXPECT_EQ(chosen.codec, "ply");
      EXPECT_EQ(chosen.filters, GetParam().filter);
      EXPECT_TRUE(chosen.extension) << "that before " << GetParam().extension;
    }
  }
}

TEST_P(Compression, OtherProgramsReadWhatIsWritten) {
  const std::string plain = mesh(60'000);
  const Value value = of(plain);
  registry().write(value, path("a.ply"));
  const std::string bytes = read_file(path("a.ply"));
  const Result result = registry().write(value, name("a.ply"));
  EXPECT_EQ(result.codec, "ply");
  const std::string packed = read_file(name("a.ply"));
  EXPECT_EQ(result.bytes, packed.size());
  EXPECT_LT(packed.size(), bytes.size());
  EXPECT_EQ(shell(GetParam().unpack, packed), bytes);
  EXPECT_EQ(difference(of(packed), of(bytes)), "");
  // The name alone, without a time or a name in the file.
  fs::create_directory(directory() / "b");
  registry().write(value, name("b/c.ply"));
  EXPECT_TRUE(read_file(name("b/c.ply")) == packed);
  // At another level, by the codec's name.
  const std::string list = "[{\"id\": \"" + std::string(GetParam().filter) + "\", \"level\": 1}]";
  registry().write(value, name("d.ply"), {"", "", list});
  EXPECT_EQ(shell(GetParam().unpack, read_file(name("d.ply"))), bytes);
  // No filters are the word of the caller, too.
  registry().write(value, name("e.ply"), {"", "", "[]"});
  EXPECT_TRUE(read_file(name("e.ply")) == bytes);
  EXPECT_EQ(difference(registry().read(name("e.ply")), value), "");
}

TEST_P(Compression, MembersFollowEachOther) {
  const std::string plain = mesh(5'000);
  const Value wanted = of(plain);
  const std::string first = pack(std::string_view(plain).substr(0, 1'000)), none = pack(""),
                    second = pack(std::string_view(plain).substr(1'000));
  EXPECT_EQ(difference(of(first + second), wanted), "");
  EXPECT_EQ(difference(of(none + first + none + second + none), wanted), "");
  const Error e = error_of([&] { static_cast<void>(of(first + second + "more")); });
  EXPECT_EQ(e.code(), Status::trailing);
  EXPECT_EQ(e.codec(), GetParam().filter);
  EXPECT_EQ(e.offset(), first.size() + second.size());
  // Zeros pad files of gzip (tapes) and xz (to a multiple of 4).
  const std::string_view filter = GetParam().filter;
  const std::string padded = first + second + std::string(512, '\0');
  if (filter == "gzip" || filter == "xz")
    EXPECT_EQ(difference(of(padded), wanted), "");
  else
    EXPECT_EQ(error_of([&] { static_cast<void>(of(padded)); }).code(), Status::trailing);
  if (filter == "xz") {
    EXPECT_EQ(difference(of(first + std::string(8, '\0') + second), wanted), "");
    EXPECT_EQ(
        error_of([&] { static_cast<void>(of(first + std::string(3, '\0') + second)); }).code(),
        Status::trailing);
  }
}

TEST_P(Compression, CutFilesSayWhere) {
  const std::string packed = pack(mesh(40));
  for (std::size_t size = 10; size < packed.size(); ++size) {
    const Error e = error_of([&] { static_cast<void>(of(packed.substr(0, size))); });
    ASSERT_EQ(e.code(), Status::truncated) << size << e.message();
    EXPECT_EQ(e.codec(), GetParam().filter);
    EXPECT_EQ(e.offset(), size);
  }
}

TEST_P(Compression, NoChangedByteGoesUnseen) {
  const std::string plain = mesh(200);
  const Value wanted = of(plain);
  const std::string packed = pack(plain);
  for (std::size_t i = 0; i < packed.size(); ++i) {
    std::string bad = packed;
    bad[i] = static_cast<char>(bad[i] ^ (1 << i % 8));
    try {
      EXPECT_EQ(difference(of(bad), wanted), "") << i;  // a time, a name, flags of the header
    } catch (const Error& e) {
      EXPECT_NE(e.code(), Status::internal) << i << e.message();
      if (e.codec() == GetParam().filter && e.offset() != Error::no_offset) {
        EXPECT_LE(e.offset(), packed.size()) << i << e.message();
      }
      EXPECT_NE(e.code(), Status::invalid) << i << e.message();
    }
  }
}

TEST_P(Compression, TwoLayersAreRead) {
  const std::string plain = mesh(100);
  const Value wanted = of(plain);
  for (const Tool& inner : tools) {
    const std::string twice = pack(shell(inner.pack, plain));
    EXPECT_EQ(difference(of(twice), wanted), "") << inner.filter;
    const std::string file = path("a.ply" + std::string(inner.extension)) + GetParam().extension;
    registry().write(wanted, file);
    EXPECT_EQ(difference(registry().read(file), wanted), "");
    const std::string again = shell(GetParam().unpack, read_file(file));
    EXPECT_EQ(difference(of(shell(inner.unpack, again)), wanted), "") << inner.filter;
    const Error e = error_of([&] { static_cast<void>(of(pack(twice))); });
    EXPECT_EQ(e.code(), Status::unsupported);
    EXPECT_EQ(e.detail(), "filter.layers");
  }
  const Error e = error_of([&] { registry().write(wanted, name("a.ply.gz.xz")); });
  EXPECT_EQ(e.detail(), "filter.layers");
  EXPECT_FALSE(fs::exists(name("a.ply.gz.xz")));
}

TEST_P(Compression, ErrorsNameTheLayerAndWhereBytesAreCounted) {
  const std::string gzip = shell("gzip -c", mesh(100));
  write_file(name("a.ply.gz"), pack(gzip.substr(0, gzip.size() - 5)));
  Error e = error_of([&] { static_cast<void>(registry().read(name("a.ply.gz"))); });
  EXPECT_EQ(e.code(), Status::truncated);
  EXPECT_EQ(e.codec(), "gzip");
  EXPECT_EQ(e.offset(), gzip.size() - 5);
  EXPECT_NE(e.message().find("what " + std::string(GetParam().filter) + " unpacks"),
            std::string::npos)
      << e.message();
  const std::string whole = mesh(100), bad = whole.substr(0, whole.size() - 5) + "x\n";
  write_file(name("b.ply"), pack(bad));
  e = error_of([&] { static_cast<void>(registry().read(name("b.ply"))); });
  EXPECT_EQ(e.codec(), "ply");
  EXPECT_NE(e.message().find("bytes are counted in what " + std::string(GetParam().filter)),
            std::string::npos)
      << e.message();
  const Error plain = error_of([&] { static_cast<void>(of(bad)); });
  EXPECT_EQ(e.code(), plain.code());
  EXPECT_EQ(e.offset(), plain.offset());
}

TEST_P(Compression, ABombEndsAtTheLimits) {
  std::string bomb = shell("head -c 300000000 /dev/zero | " + std::string(GetParam().pack), "");
  CallOptions options;
  options.limits.max_memory_bytes = 32 << 20;
  const auto refused = [&](const std::string& bytes) {
    const Error e =
        error_of([&] { static_cast<void>(registry().decode(Source::owned(bytes), options)); });
    EXPECT_EQ(e.code(), Status::limit) << e.message();
  };
  refused(bomb);
  refused(pack(bomb));
  // Small files earn little, whatever is set.
  if (bomb.size() < 100'000) {
    EXPECT_EQ(error_of([&] { static_cast<void>(of(bomb)); }).code(), Status::limit);
  }
}

TEST_P(Compression, ACodecThatIsNamedGetsBytesAsTheyAre) {
  const std::string plain = mesh(10), packed = pack(plain);
  write_file(name("a.ply"), packed);
  write_file(path("b.ply"), packed);
  EXPECT_EQ(difference(registry().read(name("a.ply"), {}, {"ply"}), of(plain)), "");
  EXPECT_EQ(difference(registry().read(path("b.ply")), of(plain)), "") << "by content";
  const Error e = error_of([&] { static_cast<void>(registry().read(path("b.ply"), {}, {"ply"})); });
  EXPECT_EQ(e.codec(), "ply");
  EXPECT_NE(e.message().find(GetParam().filter), std::string::npos) << e.message();
  const std::string list = "[{\"id\": \"" + std::string(GetParam().filter) + "\"}]";
  EXPECT_EQ(difference(registry().read(path("b.ply"), {}, {"ply", "", list}), of(plain)), "");
}

TEST_P(Compression, TheCommandReadsAndWrites) {
  const std::string extension = GetParam().extension;
  write_file(path("a.ply"), mesh(300));
  Finished done = command("convert a.ply b.msgpack" + extension);
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(shell(GetParam().unpack, read_file(name("b.msgpack"))),
            (command("convert a.ply c.msgpack"), read_file(path("c.msgpack"))));
  done = command("convert b.msgpack" + extension + " d.ply" + extension + " --lossy");
  EXPECT_EQ(done.status, 0) << done.err;
  for (const char* word : {"inspect", "validate", "hash", "detect"}) {
    done = command(std::string(word) + " d.ply" + extension);
    EXPECT_EQ(done.status, 0) << word << done.err;
  }
  EXPECT_NE(
      command("inspect d.ply" + extension).out.find(": ply in " + std::string(GetParam().filter)),
      std::string::npos);
  done = command("diff c.msgpack b.msgpack" + extension);
  EXPECT_EQ(done.status, 0) << done.out << done.err;
  done = command("inspect < b.msgpack" + extension + " -");
  EXPECT_EQ(done.status, 0) << done.err;
  // Values in lines: all of them, in one file.
  write_file(path("e.jsonl"), "{\"a\": 1}\n{\"a\": 2}\n");
  done = command("convert e.jsonl f.jsonl && " + shell_word(POLYCODEC_BIN_DIR "/polycodec") +
                 " convert e.jsonl f.jsonl" + extension);
  EXPECT_EQ(done.status, 0) << done.err;
  const std::string lines = read_file(path("f.jsonl"));
  EXPECT_EQ(std::ranges::count(lines, '\n'), 2) << lines;
  EXPECT_EQ(shell(GetParam().unpack, read_file(name("f.jsonl"))), lines);
  done = command("convert f.jsonl" + extension + " g.jsonl");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(read_file(path("g.jsonl")), lines);
}

TEST_P(Compression, StreamsOfValuesRefuseThem) {
  write_file(name("a.msgpack"), pack("\1\2\3"));
  const Error e = error_of([&] {
    Stream stream(registry().codec("msgpack-ndarray"), Source::file(name("a.msgpack")));
    static_cast<void>(stream.next());
  });
  EXPECT_EQ(e.code(), Status::unsupported);
  EXPECT_NE(e.message().find("compressed with " + std::string(GetParam().filter)),
            std::string::npos)
      << e.message();
}

TEST_P(Compression, ManyFilesAreConverted) {
  fs::create_directory(directory() / "in");
  write_file(name("in/a.ply"), pack(mesh(9)));
  write_file(path("in/b.ply"), mesh(9));
  const Finished done = command("convert in --recursive --to msgpack-ndarray --out-dir out");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(read_file(path("out/a.msgpack")), read_file(path("out/b.msgpack")));
}

TEST_P(Compression, FilesBesideAMeshAreFound) {
  write_file(path("a.mtl"), "newmtl red\nKd 1 0 0\n");
  const std::string obj = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n";
  write_file(path("a.obj"), obj);
  write_file(name("a.obj"), pack(obj));
  for (const char* options : {"", " --from-options '{\"materials\": true}'"}) {
    const Finished a = command("decode a.obj --from obj" + std::string(options));
    const Finished b =
        command("decode a.obj" + std::string(GetParam().extension) + " --from obj" + options);
    EXPECT_EQ(a.status, b.status) << a.err << b.err;
    EXPECT_EQ(a.out, b.out);
  }
}

TEST_P(Compression, StoresAreReadAndNotWritten) {
  const std::string file = std::string(POLYCODEC_TEST_VECTORS) + "/awkward/appendable.awkd";
  write_file(name("a.awkd"), pack(read_file(file)));
  EXPECT_EQ(difference(registry().read(name("a.awkd")), registry().read(file)), "");
  EXPECT_EQ(command("inspect a.awkd" + std::string(GetParam().extension)).status, 0);
  const Error e = error_of([&] { registry().write(registry().read(file), name("b.awkd")); });
  EXPECT_EQ(e.code(), Status::unsupported);
  EXPECT_NE(e.message().find("several blobs"), std::string::npos) << e.message();
  EXPECT_FALSE(fs::exists(name("b.awkd")));
}

INSTANTIATE_TEST_SUITE_P(All, Compression, ::testing::ValuesIn(tools),
                         [](const auto& tool) { return std::string(tool.param.filter); });

/// Members of gzip whose header has everything.
TEST(Gzip, HeadersWithAllFields) {
  const std::string plain = mesh(3);
  const TemporaryDirectory temporary;
  const std::string packed = run_line(temporary.path(), "gzip -nc", plain).out;
  ASSERT_EQ(packed.substr(0, 4), "\x1f\x8b\x08\0"sv);
  const auto with = [&](unsigned char flags, std::string_view fields) {
    std::string bytes = packed;
    bytes[3] = static_cast<char>(flags);
    return bytes.substr(0, 10) + std::string(fields) + bytes.substr(10);
  };
  const Value wanted = of(plain);
  EXPECT_EQ(difference(of(with(4, "\3\0abc"sv)), wanted), "");
  EXPECT_EQ(difference(of(with(8, "a.ply\0"sv)), wanted), "");
  EXPECT_EQ(difference(of(with(16, "what it is\0"sv)), wanted), "");
  EXPECT_EQ(difference(of(with(1 + 4 + 8 + 16, "\0\0a\0b\0"sv)), wanted), "");
  // The CRC-16 of the ten bytes before it: those of `gzip -n`, with this flag.
  EXPECT_EQ(difference(of(with(2, "\xa7\x77"sv)), wanted), "");
  const auto error = [&](const std::string& bytes) {
    return error_of([&] { static_cast<void>(of(bytes)); });
  };
  Error e = error(with(2, "\1\2"sv));
  EXPECT_EQ(e.detail(), "filter.checksum");
  EXPECT_EQ(e.offset(), 10u);
  e = error(with(32, ""));
  EXPECT_EQ(e.code(), Status::malformed);
  EXPECT_EQ(e.offset(), 3u);
  e = error(with(4, "\xff\xff"sv).substr(0, 40));
  EXPECT_EQ(e.code(), Status::truncated);
  // Both numbers of the trailer are compared.
  std::string bad = packed;
  bad[bad.size() - 8] ^= 1;
  e = error(bad);
  EXPECT_EQ(e.detail(), "filter.checksum");
  EXPECT_EQ(e.offset(), packed.size() - 8);
  bad = packed;
  bad[bad.size() - 4] ^= 1;
  e = error(bad);
  EXPECT_EQ(e.code(), Status::malformed);
  EXPECT_EQ(e.offset(), packed.size() - 4);
}

TEST(Gzip, WritesNeitherATimeNorAName) {
  const TemporaryDirectory temporary;
  const std::string file = (temporary.path() / "a.ply.gz").native();
  registry().write(of(mesh(3)), file);
  EXPECT_EQ(read_file(file).substr(0, 10), "\x1f\x8b\x08\0\0\0\0\0\0\xff"sv);
}

TEST(Windows, LargerOnesThanTheLimitsAreRefused) {
  const TemporaryDirectory temporary;
  CallOptions options;
  options.limits.max_memory_bytes = 64 << 20;
  for (const char* line : {"zstd -qc --ultra --long=31", "xz -c --lzma2=preset=0,dict=256MiB"}) {
    // A long file, so that the window is not made smaller.
    const std::string packed = run_line(temporary.path(), std::string(line), mesh(1'000)).out;
    const Error e =
        error_of([&] { static_cast<void>(registry().decode(Source::owned(packed), options)); });
    EXPECT_EQ(e.code(), Status::limit) << line << e.message();
    EXPECT_EQ(e.detail(), "limit.max_memory_bytes") << line;
  }
}

TEST(Skippable, FramesBetweenFramesHoldNothing) {
  const TemporaryDirectory temporary;
  const std::string plain = mesh(50);
  for (const char* line : {"zstd -qc", "lz4 -qc"}) {
    const auto pack = [&](std::string_view bytes) {
      return run_line(temporary.path(), line, bytes).out;
    };
    const std::string skipped("\x5a\x2a\x4d\x18\3\0\0\0abc", 11);
    const std::string packed = pack(std::string_view(plain).substr(0, 99)) + skipped +
                               pack(std::string_view(plain).substr(99));
    EXPECT_EQ(difference(of(packed + skipped), of(plain)), "") << line;
    const Error e = error_of([&] { static_cast<void>(of(packed + skipped.substr(0, 9))); });
    EXPECT_EQ(e.code(), Status::truncated) << line << e.message();
  }
}

}  // namespace
}  // namespace polycodec::test
