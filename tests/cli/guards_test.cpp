// SPDX-License-Identifier: MIT
// What others do to files while the command reads and writes them, and what they write into files
// for the terminal that shows them.
#include <base/base64.hpp>

#include "command.hpp"

#include <pty.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace polycodec::test {
namespace {

class Guards : public Command {
 protected:
  /// A PLY file that is mapped, not read.
  void write_mesh(const std::string& name) {
    std::string text =
        "ply\nformat ascii 1.0\nelement vertex 40000\nproperty float x\nend_header\n";
    for (int i = 0; i < 40000; ++i) text += "1.25\n";
    write(name, text);
  }
  /// A MessagePack file of one byte string, whose bytes are written where they are mapped.
  void write_bytes(const std::string& name) {
    write(name, std::string("\xc6\x00\x04\x00\x00", 5) + std::string(0x40000, 'b'));
  }
  Finished run_while_cut(const std::string& name, const std::vector<std::string>& words) {
    return run(words, "", "LD_PRELOAD=" POLYCODEC_CUT_SHORT " CUT_SHORT=/" + name);
  }
  /// What the command writes to a terminal, standard output and error together.
  std::string on_a_terminal(const std::vector<std::string>& words) {
    int terminal = -1;
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) {
      std::vector<char*> arguments{const_cast<char*>(polycodec_command)};
      for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
      arguments.push_back(nullptr);
      fs::current_path(directory_);
      ::setenv("TERM", "xterm", 1);
      ::execv(polycodec_command, arguments.data());
      ::_exit(127);
    }
    std::string out;
    char buffer[4096];
    for (ssize_t n = 0; (n = ::read(terminal, buffer, sizeof buffer)) > 0;)
      out.append(buffer, static_cast<std::size_t>(n));
    ::close(terminal);
    ::waitpid(child, nullptr, 0);
    return out;
  }
  std::size_t files() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(directory_)) count += entry.exists() ? 1 : 0;
    return count;
  }
};

TEST_F(Guards, AnInputThatIsCutShortIsAnError) {
  write_mesh("in.ply");
  write("out.obj", "old");
  const Finished cut = run_while_cut("in.ply", {"convert", "in.ply", "out.obj"});
  EXPECT_EQ(cut.status, 1) << cut.err;
  EXPECT_NE(cut.err.find("in.ply': it was cut short"), std::string::npos) << cut.err;
  EXPECT_EQ(read_file(directory_ / "out.obj"), "old");
  EXPECT_EQ(files(), 2u);
  write_bytes("in.msgpack");
  const Finished written = run_while_cut("in.msgpack", {"convert", "in.msgpack", "out.msgpack"});
  EXPECT_EQ(written.status, 1) << written.err;
  EXPECT_NE(written.err.find("cut short"), std::string::npos) << written.err;
  EXPECT_EQ(files(), 3u);
}

TEST_F(Guards, AnInputThatIsCutShortUnderSeveralThreadsIsAnError) {
  std::string obj;
  for (int i = 0; i < 60000; ++i) obj += "v 0.12345 1.12345 " + std::to_string(i) + "\n";
  for (int i = 1; i < 59990; ++i)
    obj +=
        "f " + std::to_string(i) + " " + std::to_string(i + 1) + " " + std::to_string(i + 2) + "\n";
  // Which thread finds the end is chance: the parts of the file are taken one after another.
  for (const double share : {0.35, 0.55, 0.75, 0.9})
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"mesh", "check", "in.obj", "--threads", "4"},
          {"convert", "in.obj", "out.glb", "--lossy", "-q", "--threads", "4"},
          {"validate", "in.obj", "--threads", "4"}}) {
      write("in.obj", obj);
      const auto kept = static_cast<std::size_t>(share * static_cast<double>(obj.size()));
      const Finished cut = run(words, "",
                               "LD_PRELOAD=" POLYCODEC_CUT_SHORT
                               " CUT_SHORT=/in.obj CUT_SHORT_IN_THREADS=1 "
                               "CUT_SHORT_TO=" +
                                   std::to_string(kept));
      EXPECT_EQ(fs::file_size(directory_ / "in.obj"), kept) << words[0] << ": no threads";
      EXPECT_EQ(cut.status, 1) << words[0] << ", " << share << ": " << cut.err;
      EXPECT_NE(cut.err.find("in.obj': it was cut short"), std::string::npos) << cut.err;
    }
}

TEST_F(Guards, AnInputThatIsCutWithinItsLastPageIsAnError) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"convert", "in.msgpack", "out.msgpack"},
        {"convert", "in.msgpack", "out.json"},
        {"convert", "in.msgpack", "--to", "dynd", "--out-dir", "all"},
        {"decode", "in.msgpack"},
        {"hash", "in.msgpack"},
        {"validate", "in.msgpack"},
        {"inspect", "in.msgpack"},
        {"diff", "in.msgpack", "in.msgpack"},
        {"message", "pack", "in.msgpack", "-o", "out.msg"}}) {
    write_bytes("in.msgpack");
    const std::size_t kept = fs::file_size(directory_ / "in.msgpack") - 1;
    ASSERT_NE(kept % 4096, 0u);
    const Finished cut =
        run(words, "",
            "LD_PRELOAD=" POLYCODEC_CUT_SHORT " CUT_SHORT=/in.msgpack CUT_SHORT_TO=" +
                std::to_string(kept));
    EXPECT_EQ(fs::file_size(directory_ / "in.msgpack"), kept) << words[0];
    EXPECT_NE(cut.status, 0) << words[0] << ": " << cut.out.substr(0, 200);
    EXPECT_NE(cut.err.find("in.msgpack': it was cut short"), std::string::npos)
        << words[0] << ": " << cut.err;
    for (const char* made : {"out.msgpack", "out.json", "all/in.dynd", "out.msg"})
      EXPECT_FALSE(fs::exists(directory_ / made)) << made;
  }
}

TEST_F(Guards, WithoutMappingNothingIsMapped) {
  write_mesh("in.ply");
  const Finished read =
      run_while_cut("in.ply", {"convert", "in.ply", "out.msgpack", "--no-mmap", "--lossy"});
  EXPECT_EQ(read.status, 0) << read.err;
  EXPECT_GT(fs::file_size(directory_ / "in.ply"), 100000u);
}

TEST_F(Guards, OutputsAreComplete) {
  write_bytes("in.msgpack");
  for (const char* when : {"none", "end", "file"}) {
    const Finished one = run({"convert", "in.msgpack", "out.msgpack", "--sync", when});
    EXPECT_EQ(one.status, 0) << one.err;
    const Finished many = run(
        {"convert", "in.msgpack", "--to", "msgpack-ndarray", "--out-dir", "all", "--sync", when});
    EXPECT_EQ(many.status, 0) << many.err;
    EXPECT_EQ(read_file(directory_ / "out.msgpack"), read_file(directory_ / "in.msgpack"));
    EXPECT_EQ(read_file(directory_ / "all/in.msgpack"), read_file(directory_ / "in.msgpack"));
  }
  EXPECT_EQ(run({"convert", "in.msgpack", "out.msgpack", "--sync", "never"}).status, 2);
}

TEST_F(Guards, WithoutMemoryTheCommandSaysSo) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
  GTEST_SKIP() << "a sanitizer's allocator can't be replaced";
#endif
  // Not even the report of the failure finds memory.
  for (const char* first : {"1+", "40+", "1000+", "2000+"}) {
    const Finished lacking =
        run({"type", "3 * {x: int32}"}, "",
            "LD_PRELOAD=" POLYCODEC_TORTURE_FAILING " TORTURE_ALLOCATION=" + std::string(first));
    EXPECT_EQ(lacking.status, 1) << first;
    EXPECT_EQ(lacking.err, "polycodec: out of memory\n") << first;
  }
}

TEST_F(Guards, AFullDiskIsAnError) {
  write("in.json", R"({"a": [1, 2, 3], "b": [1.5, 2.5]})");
  for (const char* store : {"s.awkd", "s.h5", "directory"}) {
    if (run({"store", "add", store, "first", "in.json", "--to", "awkward"}).status == 3)
      continue;  // without HDF5
    const std::string before = run({"decode", store, "--from", "awkward"}).out;
    for (int first = 1; first < 40; ++first) {  // the operation with which the disk is full
      const Finished full =
          run({"store", "add", store, "second", "in.json", "--to", "awkward"}, "",
              "LD_PRELOAD=" POLYCODEC_TORTURE_FAILING " TORTURE_DISK=" + std::to_string(first));
      if (full.status == 0) break;
      ASSERT_EQ(full.status, 1) << store << ", " << first << ": " << full.err;
      EXPECT_NE(full.err.find("No space left"), std::string::npos) << store << ": " << full.err;
      const Finished after = run({"decode", store, "--from", "awkward"});
      EXPECT_EQ(after.status, 0) << store << ", " << first << ": " << after.err;
      if (after.out != before) break;  // what failed is after the change
    }
  }
}

TEST_F(Guards, NoNameInASceneLeadsOutOfItsDirectory) {
  const std::string secret = "SECRET-OF-ANOTHER";
  fs::create_directories(directory_ / "in/.hidden");
  fs::create_directories(directory_ / "in/dir");
  for (const char* name : {"outside.bin", "in/.secret.bin", "in/.hidden/secret.bin", "in/good.bin"})
    write(name, secret);
  fs::create_symlink("../outside.bin", directory_ / "in/link.bin");
  fs::create_symlink("..", directory_ / "in/linked");
  ASSERT_EQ(::mkfifo((directory_ / "in/fifo.bin").c_str(), 0600), 0);
  const auto decoded = [&](const std::string& uri) {
    const Json view{{"buffer", 0}, {"byteLength", secret.size()}};
    const Json accessor{
        {"componentType", 5121}, {"type", "SCALAR"}, {"count", secret.size()}, {"bufferView", 0}};
    const Json buffer{{"byteLength", secret.size()}, {"uri", uri}};
    write("in/a.gltf", Json{{"asset", {{"version", "2.0"}}},
                            {"buffers", Json::array({buffer})},
                            {"bufferViews", Json::array({view})},
                            {"accessors", Json::array({accessor})}}
                           .dump());
    return run({"decode", "in/a.gltf", "--plain"}, "", "timeout 20");
  };
  const std::string shown = "83, 69, 67, 82, 69, 84";
  for (const char* uri : {"good.bin", "g%6fod.bin"})
    EXPECT_NE(decoded(uri).out.find(shown), std::string::npos) << "the control: " << uri;
  const std::string outside = (directory_ / "outside.bin").string();
  for (const std::string& uri : {std::string("../outside.bin"),
                                 std::string("..%2foutside.bin"),
                                 std::string("%2e%2e/outside.bin"),
                                 std::string("%2e%2e%2foutside.bin"),
                                 std::string("..\\outside.bin"),
                                 std::string("..%5coutside.bin"),
                                 std::string("dir/../../outside.bin"),
                                 std::string("./../outside.bin"),
                                 std::string("//../outside.bin"),
                                 outside,
                                 "/" + outside,
                                 "file://" + outside,
                                 "FILE://" + outside,
                                 std::string("file:outside.bin"),
                                 std::string("http://127.0.0.1:1/good.bin"),
                                 std::string("//host/good.bin"),
                                 std::string("\\\\host\\good.bin"),
                                 std::string("C:/outside.bin"),
                                 std::string("C:\\outside.bin"),
                                 std::string("good.bin%00"),
                                 std::string("good.bin\0x", 10),
                                 std::string("link.bin"),
                                 std::string("linked/outside.bin"),
                                 std::string("fifo.bin"),
                                 std::string("/dev/zero"),
                                 std::string("dir"),
                                 std::string("dir/"),
                                 std::string("."),
                                 std::string(".."),
                                 std::string(),
                                 std::string(".secret.bin"),
                                 std::string(".hidden/secret.bin"),
                                 std::string("%2esecret.bin"),
                                 std::string("~/outside.bin"),
                                 std::string("$HOME/outside.bin"),
                                 std::string("good.bin/"),
                                 std::string("data:,SECRET-OF-ANOTHER"),
                                 std::string("data:;base64,!!!!")}) {
    const Finished read = decoded(uri);
    EXPECT_EQ(read.status, 1) << uri << ": " << read.err;
    EXPECT_EQ(read.out.find(shown), std::string::npos) << uri;
    EXPECT_NE(read.err.find("$.buffers[0].uri"), std::string::npos) << uri << ": " << read.err;
  }
}

TEST_F(Guards, NoNameInAnObjFileLeadsOutOfItsDirectory) {
  fs::create_directories(directory_ / "in/.hidden");
  fs::create_directories(directory_ / "in/dir");
  const std::string library = "newmtl m\nmap_Kd SECRET.png\n";
  const std::string shown =
      "iVBORw0KGgoAAAANSUhEUgAAAAMAAAAHAQAAAADlwsoEAAAAC0lEQVR4nGNgQAYAAA4AAamRc7EAAAAA"
      "SUVORK5CYII=";  // a square of 3 x 7 pixels
  std::string png(base64_decoded_bound(shown.size()), '\0');
  base64_decode(png.data(), png.size(), shown);
  for (const char* name : {"outside", "in/.secret", "in/.hidden/secret"}) {
    write(name + std::string(".mtl"), library);
    write(name + std::string(".png"), png);
  }
  for (const char* kind : {".mtl", ".png"}) {
    fs::create_symlink("../outside" + std::string(kind),
                       directory_ / ("in/link" + std::string(kind)));
    ASSERT_EQ(::mkfifo((directory_ / ("in/fifo" + std::string(kind))).c_str(), 0600), 0);
  }
  fs::create_symlink("..", directory_ / "in/linked");
  const std::string outside = (directory_ / "outside").string();
  const std::string rows = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n";
  const auto all_that = [&](const std::string& what) {
    std::string found;
    for (const char* before : {"out.html", "out.gltf"}) fs::remove(directory_ / before);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"view", "in/a.obj", "-o", "out.html"},
          {"render", "in/a.obj", "-o", "out.png", "--width", "16", "--height", "16"},
          {"mesh", "check", "in/a.obj"},
          {"convert", "in/a.obj", "out.gltf", "--lossy"}}) {
      const Finished done = run(words, "", "timeout 20");
      EXPECT_LE(done.status, 1) << what << ", " << words[0] << ": " << done.err;
      found += done.out + done.err;
      for (const char* made : {"out.html", "out.gltf"})
        if (fs::exists(directory_ / made)) found += read_file(directory_ / made);
    }
    return found;
  };
  write("in/SECRET.png", png);
  write("in/good.mtl", library);
  write("in/a.obj", "mtllib good.mtl\n" + rows);
  const std::string control = all_that("the control");
  EXPECT_NE(control.find("SECRET"), std::string::npos);
  EXPECT_NE(control.find(shown.substr(0, 80)), std::string::npos);
  for (const std::string& stem :
       {std::string("../outside"), std::string("dir/../../outside"), std::string("..\\outside"),
        outside, "file://" + outside, std::string("linked/outside"), std::string("link"),
        std::string("fifo"), std::string(".secret"), std::string(".hidden/secret"),
        std::string("~/outside"), std::string("$HOME/outside"), std::string("\\\\host\\outside"),
        std::string("C:\\outside")}) {
    write("in/a.obj", "mtllib " + stem + ".mtl\n" + rows);
    EXPECT_EQ(all_that(stem).find("SECRET"), std::string::npos) << stem;
    write("in/a.obj", "mtllib textured.mtl\n" + rows);
    write("in/textured.mtl", "newmtl m\nKd 1 0 0\nmap_Kd " + stem + ".png\n");
    EXPECT_EQ(all_that(stem).find(shown.substr(0, 80)), std::string::npos) << stem;
  }
}

TEST_F(Guards, TheTerminalShowsTheFormatOfALongFileBeforeItIsRead) {
  std::string text = "ply\nformat ascii 1.0\nelement vertex 900000\nproperty float x\nend_header\n";
  for (int i = 0; i < 900000; ++i) text += "1.25\n";
  write("good.ply", text);
  text.replace(text.size() - 5, 4, "what");
  write("bad.ply", text);
  const std::string bad = on_a_terminal({"inspect", "bad.ply"});
  const std::size_t heading = bad.find("bad.ply"), error = bad.find("polycodec:");
  EXPECT_NE(bad.find(", 4.3 MiB"), std::string::npos) << bad;
  EXPECT_LT(heading, error) << bad;
  EXPECT_NE(error, std::string::npos) << bad;
  EXPECT_EQ(run({"inspect", "bad.ply"}).out, "");
  const std::string good = on_a_terminal({"inspect", "good.ply"});
  EXPECT_NE(good.find(", 4.3 MiB"), std::string::npos) << good;
  EXPECT_EQ(good.find(", 4.3 MiB"), good.rfind(", 4.3 MiB")) << good;
}

TEST_F(Guards, TheReadingOfALongFileTakesTheChoiceThatTheTerminalShows) {
  const fs::path plugins = directory_ / "plugins";
  fs::create_directory(plugins);
  fs::permissions(plugins, fs::perms(0755));
  for (const char* name : {"sample.so", "test.sample.polycodec.json"})
    fs::copy(fs::path(POLYCODEC_TEST_BINARY_DIR) / "test_plugins" / name, plugins / name);
  write("long", "Rs" + std::string(std::size_t{5} << 20, 'x'));
  const std::string out =
      on_a_terminal({"inspect", "long", "--plugin-path", plugins.string(), "--verbose"});
  EXPECT_NE(out.find("(content: first byte)"), std::string::npos) << out;
  // Once for the beginning, to see whether it is compressed, and once for the file.
  int asked = 0;
  for (std::size_t at = 0; (at = out.find("plugin: asked", at)) != out.npos; ++at) ++asked;
  EXPECT_EQ(asked, 2) << out;
  EXPECT_EQ(out.find("first byte"), out.rfind("first byte")) << out;
}

TEST_F(Guards, NoForeignTextObeysOnTheTerminal) {
  const std::string evil = "\x1b[31mred\x1b]0;title\x07\xc2\x9b\xe2\x80\xae";
  write("evil.ply", "ply\nformat ascii 1.0\ncomment " + evil +
                        "\nelement vertex 1\nproperty float x\nend_header\n1\n");
  // {"<evil>": "<evil>"}
  const std::string text =
      std::string(1, static_cast<char>(0xd9)) + static_cast<char>(evil.size()) + evil;
  write("evil.msgpack", "\x81" + text + text);
  write("name" + evil + ".msgpack", "\x81" + text + text);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"decode", "evil.msgpack"},
        {"decode", "evil.msgpack", "--plain"},
        {"inspect", "evil.msgpack"},
        {"inspect", "name" + evil + ".msgpack"},
        {"sniff", "missing" + evil},
        {"validate", "evil.msgpack"},
        {"validate", "name" + evil + ".msgpack", "--json"},
        {"convert", "evil.ply", "-", "--to", "ply"},
        {"convert", "evil.msgpack", "-", "--to", "msgpack-ndarray"},
        {"decode", "missing" + evil},
        {"decode", "evil.msgpack", "--no-such" + evil},
        {"decode", "evil.msgpack", "--from", evil},
        {"nothing" + evil}}) {
    const std::string out = on_a_terminal(words);
    EXPECT_NE(out.find("red"), std::string::npos) << words[0] << ": " << out;
    for (const char* raw : {"\x1b[31mred", "\x1b]0;", "\x07", "\xc2\x9b", "\xe2\x80\xae"})
      EXPECT_EQ(out.find(raw), std::string::npos) << words[0] << ": " << out;
  }
  // The command's own colors work.
  EXPECT_NE(on_a_terminal({"validate", "evil.msgpack"}).find("\x1b[32mvalid\x1b[0m"),
            std::string::npos);
  // Data for a file or another program stay as they are.
  EXPECT_NE(run({"convert", "evil.ply", "-", "--to", "ply"}).out.find(evil), std::string::npos);
}

}  // namespace
}  // namespace polycodec::test
