// SPDX-License-Identifier: MIT
// What a user reads of a plugin that does not work: one row for each way in which plugins of others
// fail when they are distributed.
#include "installed_tree.hpp"
#include "sanitized.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <ostream>

namespace polycodec::test {
namespace {

class Messages : public InstalledTree {
 protected:
  /// Puts one of the bad plugins into a directory, with the manifest of the good one after
  /// `change`.
  void install(const std::string& library, const std::function<void(std::string&)>& change = {}) {
    fs::remove(site_ / "echo.so");
    copy(POLYCODEC_TEST_BINARY_DIR "/bad_plugins/" + library + ".so", site_ / "echo.so");
    fs::permissions(site_ / "echo.so", fs::perms(0644));
    std::string manifest =
        R"({"manifest": 2, "id": "test.echo", "version": "1.0.0", "library": "echo.so", "abi": 2,
            "summary": "for tests", "license": "MIT", "codecs": [
              {"name": "test.echo", "summary": "bytes as they are", "format_version": "1", "aliases": [],
               "media_types": [], "extensions": [".echo"], "magic": [], "decode": true, "encode": true,
               "options": {"type": "object", "additionalProperties": false, "properties": {}}}]})";
    if (change) change(manifest);
    write_file(site_ / "test.echo.polycodec.json", manifest);
    fs::permissions(site_ / "test.echo.polycodec.json", fs::perms(0644));
  }
  static std::function<void(std::string&)> with(const std::string& what, const std::string& by) {
    return [=](std::string& manifest) { manifest.replace(manifest.find(what), what.size(), by); };
  }

  /// What decoding a file of the plugin says.
  Finished decode(const std::string& words = {}) {
    write("x.echo", "abc");
    return run_there("decode x.echo " + words);
  }
  /// A user finds the reason with and without the name of the codec, and in the report of doctor.
  void expect_refused(const std::string& stage, const std::string& reason,
                      const std::string& words = {}) {
    const std::string refused = "rejected (" + stage + "): " + reason;
    for (const std::string& from : {std::string(), std::string("--from test.echo ")}) {
      const Finished finished = decode(from + words);
      EXPECT_EQ(finished.status, from.empty() || stage != "abi" ? 3 : finished.status)
          << finished.err;
      EXPECT_NE(finished.err.find(refused), std::string::npos) << finished.err;
    }
    // Without a name the reason is in the first line after the log.
    const std::string err = decode(words).err;
    const std::size_t line = err.find("polycodec: plugin 'test.echo'");
    ASSERT_NE(line, std::string::npos) << err;
    EXPECT_LT(err.find(refused, line), err.find('\n', line)) << err;
    const Finished doctor = run_there("doctor " + words);
    EXPECT_EQ(doctor.status, 3);
    EXPECT_NE(doctor.out.find("at stage " + stage + ": " + reason), std::string::npos)
        << doctor.out;
  }
};

TEST_F(Messages, TheGoodOneWorks) {
  install("good");
  EXPECT_EQ(decode().status, 0) << decode().err;
  EXPECT_EQ(record_of(doctor(), "test.echo")["runs"], "process");
  install("minor");  // of ABI 2.7
  EXPECT_EQ(decode().status, 0) << decode().err;
}

struct Row {
  const char* library;
  const char* stage;
  const char* reason;
  friend std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.library; }
};

class Library : public Messages, public testing::WithParamInterface<Row> {};

TEST_P(Library, IsRefusedWithItsReason) {
  install(GetParam().library);
  expect_refused(GetParam().stage, GetParam().reason);
}

const Row rows[] = {
    {"major_1", "abi", "it is a plugin of ABI 1 (it exports polycodec_plugin_v1), and this host "},
    {"abi", "abi", "it is of ABI 98, this host loads ABI 2"},
    {"wrong_id", "identity", "its id is 'test.somebody-else', its manifest says 'test.echo'"},
    {"name", "interface", "it does not offer the codec 'test.echo' of its manifest"},
    {"dependency", "load",
     "it needs libpolycodec_test_gone.so, which is not installed (cannot open shared object file: "
     "No such file or directory): install it, link it statically, or put it beside the plugin and "
     "into 'libraries' of the manifest; $ORIGIN is not the directory of a plugin"},
    {"dependency_origin", "load", "it needs libpolycodec_test_gone.so, which is not installed"},
    {"unresolved", "load",
     "it uses the symbol 'polycodec_test_symbol_that_nobody_defines', which none of its libraries "
     "has: link the library that defines it"},
    {"init_fails", "init", "its init function failed: this machine has no flux capacitor"},
    {"init_crashes", "load",
     "it ended while it was loaded (signal 6, SIGABRT): look at its constructors and its init"},
    {"init_exits", "load", "it ended while it was loaded (it exited with status 5)"},
    // AddressSanitizer reports the signal and exits.
    {"init_segv", "load",
     POLYCODEC_SANITIZED != 0 ? "it ended while it was loaded (it exited with status 1)"
                              : "it ended while it was loaded (signal 11, SIGSEGV)"},
};
INSTANTIATE_TEST_SUITE_P(All, Library, testing::ValuesIn(rows),
                         [](const auto& it) { return std::string(it.param.library); });

TEST_F(Messages, AManifestThatSaysOtherwise) {
  install("good", with("1.0.0", "1.0.1"));
  expect_refused("identity", "its version is '1.0.0', its manifest says '1.0.1'");
  install("good", with(R"("abi": 2)", R"("abi": 3)"));
  expect_refused("abi", "its manifest says ABI 3, this host loads ABI 2");
  install("good", with(R"("abi": 2)", R"("abi": 1)"));
  expect_refused("abi", "its manifest says ABI 1, this host loads ABI 2");
  install("good", with(R"("version")", R"("versoin")"));
  EXPECT_NE(run_there("doctor").out.find("test.echo.polycodec.json:1: unknown key 'versoin'"),
            std::string::npos)
      << run_there("doctor").out;
  install("good", with("\n", "\n,"));
  EXPECT_NE(run_there("doctor").out.find("test.echo.polycodec.json:2:"), std::string::npos)
      << run_there("doctor").out;
  install("good");
  fs::rename(site_ / "test.echo.polycodec.json", site_ / "other.polycodec.json");
  EXPECT_NE(run_there("doctor").out.find(
                "the file of plugin 'test.echo' must be called 'test.echo.polycodec.json'"),
            std::string::npos);
}

TEST_F(Messages, FilesThatOthersMayChange) {
  install("good");
  fs::permissions(site_ / "echo.so", fs::perms(0666));
  expect_refused("path",
                 (site_ / "echo.so").string() + ": it is writable by all users (mode 00666)");
  install("good");
  fs::permissions(site_, fs::perms(0777));
  const Finished open = run_there("doctor");
  EXPECT_NE(
      open.out.find("denied, " + site_.string() + ": it is writable by all users (mode 00777)"),
      std::string::npos)
      << open.out;
  EXPECT_NE(decode().err.find("it is writable by all users (mode 00777)"), std::string::npos);
  EXPECT_EQ(decode().status, 3);
  fs::permissions(site_, fs::perms(0755));
  fs::rename(site_ / "echo.so", directory_ / "echo.so");
  fs::create_symlink(directory_ / "echo.so", site_ / "echo.so");
  expect_refused("path", (site_ / "echo.so").string() + ": it is a symbolic link to ");
  if (::geteuid() != 0) return;
  install("good");
  ASSERT_EQ(::chown((site_ / "echo.so").c_str(), 12345, 12345), 0);
  expect_refused("path", (site_ / "echo.so").string() +
                             ": it belongs to user 12345, who is not trusted; add 12345 to "
                             "policy.trusted_owners if you trust this user");
  EXPECT_NE(run_there("doctor").out.find(R"("policy": {"trusted_owners": [12345]})"),
            std::string::npos);
}

TEST_F(Messages, FilesThatAreNotThere) {
  install("good");
  fs::remove(site_ / "echo.so");
  expect_refused("path",
                 (site_ / "echo.so").string() + ": No such file or directory: build or install it");
  install("good");
  fs::resize_file(site_ / "echo.so", 5000);
  expect_refused("elf", "it is cut short: ");
  fs::remove(site_ / "test.echo.polycodec.json");
  EXPECT_NE(run_there("doctor").out.find(site_.string() + " (default): empty"), std::string::npos)
      << run_there("doctor").out;
}

TEST_F(Messages, APolicyThatForbidsIt) {
  install("good");
  write("listed.json", R"({"policy": {"mode": "listed", "allow_plugins": ["ply"]}})");
  expect_refused("policy",
                 "the policy lists what is allowed, and plugin 'test.echo' is not in allow_plugins",
                 "--config listed.json");
  const std::string digest = run_line(site_, "sha256sum echo.so").out.substr(0, 64);
  write("pins.json", R"({"policy": {"require_pins": true}})");
  EXPECT_NE(
      decode("--config pins.json")
          .err.find(
              "the policy requires a pinned SHA-256 digest and has none for plugin 'test.echo'; "
              "the library's is " +
              digest),
      std::string::npos)
      << decode("--config pins.json").err;
}

TEST_F(Messages, NamesThatAreThereTwice) {
  install("good");
  // Two of an id.
  copy(site_ / "echo.so", directory_ / "home/.local/share/polycodec/plugins/abi2/echo.so");
  copy(site_ / "test.echo.polycodec.json",
       directory_ / "home/.local/share/polycodec/plugins/abi2/test.echo.polycodec.json");
  EXPECT_NE(run_there("doctor").out.find("a plugin of this id was found earlier: "),
            std::string::npos);
  fs::remove_all(directory_ / "home/.local");
  // A codec of the package's name.
  install("good", with(R"("name": "test.echo")", R"("name": "ply")"));
  EXPECT_NE(run_there("list").err.find("the codec 'ply' is that of plugin 'test.echo' [" +
                                       (site_ / "test.echo.polycodec.json").string() +
                                       "], and not the package's"),
            std::string::npos)
      << run_there("list").err;
  // Two of an extension, of which one does not work.
  install("good");
  std::string other = read_file(site_ / "test.echo.polycodec.json");
  for (std::size_t at; (at = other.find("test.echo")) != std::string::npos;)
    other.replace(at, 9, "test.other");
  write_file(site_ / "test.other.polycodec.json", other);
  const Finished one = decode();  // both have one library, which is that of test.echo
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_NE(one.err.find("plugin 'test.other' rejected (identity)"), std::string::npos) << one.err;
}

TEST_F(Messages, ADeniedFunctionHasTheLineThatAllowsIt) {
  add_sample(site_);
  write("f.raw", "F");
  const Finished denied = run_there("decode f.raw --from test.raw");
  const std::string line = R"("allow_also": [["test", "answer"]])";
  EXPECT_NE(denied.err.find("; if you trust the data, set " + line + " in the configuration"),
            std::string::npos)
      << denied.err;
  write("also.json", "{" + line + "}");
  const Finished allowed = run_there("decode f.raw --from test.raw --config also.json");
  EXPECT_EQ(Json::parse(allowed.out)["value"], 42) << allowed.err;
  // A configuration of before denies what it denied.
  write("old.json", R"({"allowlist": [["a", "b"]]})");
  EXPECT_NE(run_there("decode f.raw --from test.raw --config old.json").status, 0);
}

// -- libraries of a plugin's own --

class OwnLibraries : public InstalledTree {
 protected:
  static constexpr const char* library = "libpolycodec_test_private.so.1";

  void add_private(int number, const fs::path& to) {
    const std::string id = "test.private_" + std::to_string(number);
    const fs::path from =
        fs::path(POLYCODEC_TEST_BINARY_DIR "/evil_private") / std::to_string(number);
    add(from, id, id + ".so", to);
    copy(from / library, to / library);
  }
  Finished decode(int number, const std::string& words = {}) {
    write("x", "abc");
    return run_there("decode x --from test.private_" + std::to_string(number) + " " + words);
  }
};

TEST_F(OwnLibraries, AreThoseOfEachPlugin) {
  add_private(1, site_);
  add_private(2, directory_ / "home/.local/share/polycodec/plugins/abi2");
  for (const int number : {1, 2}) {
    const Finished finished = decode(number);
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_EQ(Json::parse(finished.out)["value"], number) << finished.out;
  }
  const Finished mixed = decode(1, "--isolate in-process");
  EXPECT_EQ(mixed.status, 3);
  EXPECT_NE(mixed.err.find("rejected (policy): it has libraries of its own, and the policy runs it "
                           "in-process"),
            std::string::npos)
      << mixed.err;
}

TEST_F(OwnLibraries, AreCheckedAsThePluginIs) {
  add_private(1, site_);
  const auto digest = [&](const std::string& name) {
    return run_line(site_, "sha256sum " + name).out.substr(0, 64);
  };
  const std::string own = digest("test.private_1.so"), needed = digest(library);
  write("one.json", R"({"policy": {"pins": {"test.private_1": [")" + own + R"("]}}})");
  write("both.json",
        R"({"policy": {"pins": {"test.private_1": [")" + own + R"(", ")" + needed + R"("]}}})");
  EXPECT_NE(
      decode(1, "--config one.json").err.find("rejected (pin): " + std::string(library) + ": "),
      std::string::npos)
      << decode(1, "--config one.json").err;
  EXPECT_EQ(decode(1, "--config both.json").status, 0) << decode(1, "--config both.json").err;
  fs::permissions(site_ / library, fs::perms(0666));
  EXPECT_NE(decode(1).err.find(std::string(library) + ": it is writable by all users (mode 00666)"),
            std::string::npos)
      << decode(1).err;
  fs::remove(site_ / library);
  EXPECT_NE(decode(1).err.find(std::string(library) + ": No such file or directory"),
            std::string::npos)
      << decode(1).err;
  write_file(site_ / library, "no library");
  EXPECT_NE(decode(1).err.find("rejected (elf): " + std::string(library) + ": "), std::string::npos)
      << decode(1).err;
}

}  // namespace
}  // namespace polycodec::test
