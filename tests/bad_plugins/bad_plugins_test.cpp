// SPDX-License-Identifier: MIT
// Plugins that break the contract, each in its own way: the registry refuses them, says at which
// check and why, and the host lives on.

#include "files.hpp"
#include "own_codecs.hpp"
#include "registry/codec/codec_handle.hpp"
#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <string>
#include <system_error>

namespace {

namespace fs = std::filesystem;
using namespace polycodec;

constexpr const char* echo_codec =
    R"({"name": "test.echo", "summary": "bytes as they are", "format_version": "1", "aliases": [], "media_types": [],
        "extensions": [".echo"], "magic": [], "decode": true, "encode": true, "inputs": ["bytes"],
        "options": {"type": "object", "properties": {}, "additionalProperties": false}})";
/// The same, but it looks at bytes.
const std::string sniffing_codec = [] {
  std::string codec = echo_codec;
  return codec.replace(codec.find("\"magic\""), 0, "\"sniff\": true, ");
}();
constexpr const char* throws_codec =
    R"({"name": "test.throws", "summary": "throws", "format_version": "1", "aliases": [], "media_types": [],
        "extensions": [], "magic": [], "sniff": true, "decode": true, "encode": true, "inputs": ["bytes"],
        "read_stream": true,
        "options": {"type": "object", "additionalProperties": false,
                    "properties": {"throw": {"type": "string"}, "in": {"type": "string"}}}})";

/// A plugin directory of its own for each test.
class BadPlugins : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(directory_);
    fs::permissions(directory_,
                    fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec);
  }
  void TearDown() override {
    std::error_code ignored;
    fs::permissions(directory_, fs::perms::owner_all, ignored);
  }

  static fs::path library(const std::string& name) {
    return fs::path(POLYCODEC_TEST_BINARY_DIR) / "bad_plugins" / (name + ".so");
  }

  void copy_library(const std::string& name, const fs::path& to) const {
    fs::remove(
        to);  // a new file: the old one may be mapped, and what is mapped must not be written to
    fs::copy_file(library(name), to);
    fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  }

  void write(const fs::path& path, const std::string& text) const {
    test::write_file(path, text);
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  }

  std::string manifest(const std::string& id, const std::string& file,
                       const std::string& codec) const {
    return R"({"manifest": 2, "id": ")" + id + R"(", "version": "1.0.0", "library": ")" + file +
           R"(", "abi": 2, "summary": "for tests", "license": "MIT", "codecs": [)" + codec + "]}";
  }

  /// Puts the library and a manifest for it into the directory.
  void install(const std::string& name, const std::string& id = "test.echo",
               const char* codec = echo_codec) const {
    copy_library(name, directory_ / "plugin.so");
    write(directory_ / (id + ".polycodec.json"), manifest(id, "plugin.so", codec));
  }

  Registry open() const {
    RegistryOptions options;
    options.plugin_paths = {directory_};
    options.use_environment = false;
    options.use_builtins = false;
    options.policy.isolation.mode = IsolationMode::in_process;
    return Registry::open(options);
  }

  void expect_refused(const std::string& name, Stage stage, const std::string& reason_part) const {
    install(name);
    const Registry registry = open();
    const ProbeRecord record = registry.probe("test.echo");
    EXPECT_EQ(record.outcome, Outcome::refused) << name;
    EXPECT_EQ(record.stage, stage) << stage_name(record.stage) << ": " << record.reason;
    EXPECT_NE(record.reason.find(reason_part), std::string::npos) << record.reason;
    const auto codec = attempt([&] { return registry.codec("test.echo"); });
    ASSERT_FALSE(codec.ok());
    EXPECT_EQ(codec.error().code(), Status::plugin) << codec.error().message();
    EXPECT_NE(codec.error().message().find(reason_part), std::string::npos)
        << codec.error().message();
  }

  const test::TemporaryDirectory temporary_;
  const fs::path root_ = temporary_.path(), directory_ = root_ / "plugins";
};

TEST_F(BadPlugins, TheGoodOneWorks) {
  install("good");
  const Registry registry = open();
  const Value value = registry.codec("test.echo").decode(Source::view("abc"));
  EXPECT_EQ(value.view().as_bytes().size(), 3u);
  EXPECT_EQ(registry.codec("test.echo").encode_to_string(value.view()), "abc");
  EXPECT_EQ(registry.probe("test.echo").outcome, Outcome::loaded);
}

TEST_F(BadPlugins, WrongAbi) {
  expect_refused("abi", Stage::abi, "98");
}
TEST_F(BadPlugins, ShortStruct) {
  expect_refused("short_struct", Stage::entry, "struct");
}
TEST_F(BadPlugins, NoEntry) {
  expect_refused("no_entry", Stage::entry, "polycodec_plugin_v2");
}
TEST_F(BadPlugins, NoInterface) {
  expect_refused("no_interface", Stage::interface, "its manifest");
}
TEST_F(BadPlugins, NullGetInterface) {
  expect_refused("null_get_interface", Stage::entry, "get_interface");
}
TEST_F(BadPlugins, NullFunction) {
  expect_refused("null_function", Stage::interface, "open");
}
TEST_F(BadPlugins, LyingCapabilities) {
  expect_refused("capabilities", Stage::interface, "stream");
}
TEST_F(BadPlugins, AnotherCodecThanTheManifestSays) {
  expect_refused("name", Stage::interface, "test.echo");
}
TEST_F(BadPlugins, SniffersAreInTheManifestAndTheManifestsSniffersAreThere) {
  install("escapes");
  ProbeRecord record = open().probe("test.echo");
  EXPECT_EQ(record.stage, Stage::interface);
  EXPECT_EQ(
      record.reason,
      "its codec 'test.echo' has a sniff function, which hosts never call: add \"sniff\": true "
      "to its entry in the manifest");
  install("good", "test.echo", sniffing_codec.c_str());
  record = open().probe("test.echo");
  EXPECT_EQ(record.stage, Stage::interface);
  EXPECT_EQ(record.reason,
            "its codec 'test.echo' has no sniff function, and its manifest says \"sniff\": true");
}
TEST_F(BadPlugins, MajorOneIsRefusedWithASentence) {
  expect_refused("major_1", Stage::abi, "ABI 1");
}
TEST_F(BadPlugins, InitFails) {
  expect_refused("init_fails", Stage::init, "flux capacitor");
}
TEST_F(BadPlugins, UnresolvedSymbol) {
  expect_refused("unresolved", Stage::load, "polycodec_test_symbol_that_nobody_defines");
}
TEST_F(BadPlugins, MissingDependency) {
  expect_refused("dependency", Stage::load, "polycodec_test_gone");
}
TEST_F(BadPlugins, OtherId) {
  expect_refused("wrong_id", Stage::identity, "test.somebody-else");
}

TEST_F(BadPlugins, ExtraExportsDoNoHarmInLocalScope) {
  install("extra_exports");
  EXPECT_EQ(open().probe("test.echo").outcome,
            Outcome::loaded);  // the conformance kit reports them
}

TEST_F(BadPlugins, SearchPathsThatLeadToTheCurrentDirectory) {
  for (const std::string kind : {"runpath", "rpath"}) {
    for (const char* path : {"dot", "relative", "trailing", "leading", "doubled", "token"})
      expect_refused(kind + "_" + path, Stage::elf, "from the current directory");
    install(kind + "_origin");
    EXPECT_EQ(open().probe("test.echo").outcome, Outcome::loaded) << kind;
  }
}

// The loader compares names first, and the name of a descriptor may come back.
TEST_F(BadPlugins, ADescriptorThatComesBackNamesTheNewLibrary) {
  install("good");
  const Registry first = open();
  const Codec codec = first.codec("test.echo");
  std::set<int> closed;
  for (int fd = 3; fd < 256; ++fd) {
    std::error_code none;
    const auto target = fs::read_symlink("/proc/self/fd/" + std::to_string(fd), none);
    if (!none && target.extension() == ".so" && ::close(fd) == 0) closed.insert(fd);
  }
  ASSERT_FALSE(closed.empty());
  // All of them are used for this library in turn, until none is free.
  for (std::size_t i = 0; i < closed.size(); ++i) {
    install("init_fails");
    const ProbeRecord record = open().probe("test.echo");
    EXPECT_EQ(record.stage, Stage::init) << record.reason;
  }
  EXPECT_EQ(codec.decode(Source::view("abc")).view().as_bytes().size(), 3u);
}

TEST_F(BadPlugins, EmptyFile) {
  install("good");
  write(directory_ / "plugin.so", "");
  EXPECT_EQ(open().probe("test.echo").stage, Stage::elf);
}

TEST_F(BadPlugins, TruncatedAnywhere) {
  install("good");
  const std::string bytes = test::read_file(library("good"));
  ASSERT_GT(bytes.size(), 4096u);
  int refused = 0;
  for (std::size_t size = 0; size < bytes.size(); size += bytes.size() / 61) {
    write(directory_ / "plugin.so", bytes.substr(0, size));
    const Registry registry = open();
    const ProbeRecord record = registry.probe("test.echo");
    // What is cut off after the last loadable segment (section names, debug information) is not
    // needed to load.
    if (record.outcome == Outcome::refused) ++refused;
  }
  EXPECT_GT(refused, 20);
}

TEST_F(BadPlugins, CrashInInitHappensInAChildOnly) {
  install("init_crashes");
  const Registry registry = open();  // listing loads nothing
  ASSERT_EQ(registry.codecs().size(), 1u + test::own_codecs);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    (void)registry.probe("test.echo");
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
}

TEST_F(BadPlugins, WorldWritableDirectory) {
  install("good");
  fs::permissions(directory_, fs::perms::all);
  const Registry registry = open();
  EXPECT_EQ(registry.codecs().size(), test::own_codecs);
  ASSERT_FALSE(registry.directories().empty());
  EXPECT_EQ(registry.directories()[0].state, DirectoryRecord::State::denied);
  EXPECT_NE(registry.explain_missing("test.echo").find("writable"), std::string::npos)
      << registry.explain_missing("test.echo");
}

TEST_F(BadPlugins, WorldWritableLibrary) {
  install("good");
  fs::permissions(directory_ / "plugin.so", fs::perms::all);
  const ProbeRecord record = open().probe("test.echo");
  EXPECT_EQ(record.outcome, Outcome::refused);
  EXPECT_EQ(record.stage, Stage::path);
}

TEST_F(BadPlugins, SymlinkOutOfTheDirectory) {
  install("good");
  fs::create_directory(root_ / "outside");
  fs::rename(directory_ / "plugin.so", root_ / "outside" / "plugin.so");
  fs::create_symlink(root_ / "outside" / "plugin.so", directory_ / "plugin.so");
  const ProbeRecord record = open().probe("test.echo");
  EXPECT_EQ(record.outcome, Outcome::refused);
  EXPECT_EQ(record.stage, Stage::path);
}

TEST_F(BadPlugins, LibraryNameThatLeavesTheDirectory) {
  install("good");
  write(directory_ / "test.echo.polycodec.json", manifest("test.echo", "../plugin.so", echo_codec));
  const Registry registry = open();
  EXPECT_EQ(registry.codecs().size(), test::own_codecs);
  ASSERT_EQ(registry.records().size(), 1u);
  EXPECT_EQ(registry.records()[0].stage, Stage::manifest);
}

TEST_F(BadPlugins, DuplicateIdsAndNames) {
  install("good");
  const fs::path other = root_ / "other";
  fs::create_directory(other);
  fs::copy_file(directory_ / "plugin.so", other / "plugin.so");
  write(other / "test.echo.polycodec.json", manifest("test.echo", "plugin.so", echo_codec));
  RegistryOptions options;
  options.plugin_paths = {directory_, other};
  options.use_environment = false;
  options.use_builtins = false;
  const Registry registry = Registry::open(options);
  ASSERT_EQ(registry.codecs().size(), 1u + test::own_codecs);
  EXPECT_EQ(fs::path(registry.codecs()[1].library).parent_path(), directory_);
  bool told = false;
  for (const auto& record : registry.records())
    told |= record.outcome == Outcome::refused && record.stage == Stage::duplicate &&
            fs::path(record.path).parent_path() == other;
  EXPECT_TRUE(told);
}

TEST_F(BadPlugins, BrokenManifests) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "JSON"},
      {"{", "JSON"},
      {"[]", "object"},
      {R"({"manifest": 1})", "manifest"},
      {R"({"manifest": 2, "id": "test.echo", "versoin": "1"})", "versoin"},
  };
  for (const auto& [text, part] : cases) {
    write(directory_ / "test.echo.polycodec.json", text);
    const Registry registry = open();
    ASSERT_EQ(registry.records().size(), 1u) << text;
    EXPECT_EQ(registry.records()[0].stage, Stage::manifest) << text;
    EXPECT_NE(registry.records()[0].reason.find(part), std::string::npos)
        << registry.records()[0].reason;
  }
}

// -- plugins that load, and then break their word
// ----------------------------------------------------------------------

Error decode_error(const Registry& registry) {
  const auto result =
      attempt([&] { return registry.codec("test.echo").decode(Source::view("abc")); });
  return result.ok() ? Error(Status::ok, "no error") : result.error();
}

TEST_F(BadPlugins, InvalidValuesAreCaught) {
  for (const char* name : {"value_kind", "value_null_child", "value_cycle"}) {
    install(name);
    const Error error = decode_error(open());
    EXPECT_TRUE(error.code() == Status::invalid || error.code() == Status::limit)
        << name << ": " << error.describe();
    EXPECT_EQ(error.codec(), "test.echo");
  }
}

TEST_F(BadPlugins, PointersThatTheLayoutDoesNotUse) {
  install("value_unused");
  const Error error = decode_error(open());
  EXPECT_EQ(error.code(), Status::invalid) << error.describe();
  EXPECT_EQ(error.codec(), "test.echo");
  EXPECT_NE(error.message().find("field 'buffer' of an array is set: the layout 'list_offsets'"),
            std::string::npos)
      << error.describe();
}

TEST_F(BadPlugins, SuccessWithoutARoot) {
  install("root_null");
  EXPECT_EQ(decode_error(open()).code(), Status::plugin);
}

TEST_F(BadPlugins, CapabilityWithoutItsFunction) {
  install("null_decode");
  EXPECT_EQ(decode_error(open()).code(), Status::plugin);
}

TEST_F(BadPlugins, PointerOutsideOfTheRegions) {
  install("value_stray");
  EXPECT_EQ(decode_error(open()).code(), Status::plugin);
}

TEST_F(BadPlugins, MoreCreditThanWasGranted) {
  install("credit");
  EXPECT_EQ(decode_error(open()).code(), Status::plugin);
}

TEST_F(BadPlugins, UnknownStatus) {
  install("status");
  EXPECT_EQ(decode_error(open()).code(), Status::plugin);
}

TEST_F(BadPlugins, ErrorTextsWithoutAnEnd) {
  install("error_text");
  const Error error = decode_error(open());
  EXPECT_EQ(error.code(), Status::malformed);
  EXPECT_FALSE(error.message().empty());
}

// -- exceptions
// ---------------------------------------------------------------------------------------------------------

struct Thrown {
  const char* what;
  Status code;
};
constexpr Thrown thrown[] = {{"error", Status::malformed},
                             {"bad_alloc", Status::memory},
                             {"runtime_error", Status::internal},
                             {"int", Status::internal},
                             {"string", Status::internal}};

class Throwing : public BadPlugins, public ::testing::WithParamInterface<const char*> {};

TEST_P(Throwing, NothingEscapesFromAnyFunction) {
  install(GetParam(), "test.throws", throws_codec);
  const Registry registry = open();
  const auto options = [](const char* what, const char* where) {
    return std::string(R"({"throw": ")") + what + R"(", "in": ")" + where + R"("})";
  };
  const Value text = Value::build([](Builder& b) { return b.string_copy("abc"); });
  for (const Thrown& t : thrown) {
    const auto code = [&](const char* where) {
      try {
        const Codec codec = registry.codec_with_json("test.throws", options(t.what, where));
        if (std::string_view(where) == "decode") (void)codec.decode(Source::view("abc"));
        if (std::string_view(where) == "encode") (void)codec.encode_to_string(text.view());
        if (std::string_view(where) == "encoded_size") (void)codec.encoded_size(text.view());
        if (std::string_view(where) == "next") {
          ValueStream stream(codec);
          stream.feed("abc");
          stream.end();
          Value value;
          (void)stream.next(value);
        }
        return Status::ok;
      } catch (const Error& error) {
        EXPECT_FALSE(error.message().empty());
        return error.code();
      }
    };
    for (const char* where : {"open", "decode", "encode", "encoded_size", "next"})
      EXPECT_EQ(code(where), t.code) << t.what << " in " << where;
    EXPECT_EQ(code("nowhere"), Status::ok);
  }
  EXPECT_NO_THROW((void)registry.sniff(Source::view("throw")));
}

TEST_P(Throwing, OffsetDetailAndPathArrive) {
  install(GetParam(), "test.throws", throws_codec);
  const auto codec = open().codec_with_json("test.throws", R"({"throw": "error", "in": "decode"})");
  const auto result = attempt([&] { return codec.decode(Source::view("abc")); });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().offset(), 7u);
  EXPECT_EQ(result.error().detail(), "test.word");
  EXPECT_EQ(result.error().path(), "$.x");
  EXPECT_EQ(result.error().codec(), "test.throws");
}

TEST_F(BadPlugins, ExceptionsThatEscapeAreErrorsOfThePlugin) {
  install("escapes_init");
  EXPECT_EQ(open().probe("test.echo").stage, Stage::init);
  expect_refused("escapes_get_interface", Stage::interface, "a C++ exception left the plugin");
  install("escapes", "test.echo", sniffing_codec.c_str());
  const Registry registry = open();
  const auto decode = [&](const char* what) {
    return attempt([&] { return registry.codec("test.echo").decode(Source::view(what)); }).error();
  };
  EXPECT_EQ(decode("memory").code(), Status::memory);
  EXPECT_EQ(decode("int").code(), Status::plugin);
  const Error error = decode("error");
  EXPECT_EQ(error.code(), Status::plugin);
  EXPECT_EQ(error.codec(), "test.echo");
  EXPECT_NE(error.message().find("'out of \\u001b[31mcontrol'"), std::string::npos)
      << error.message();
  const Value text = Value::build([](Builder& b) { return b.string_copy("abc"); });
  EXPECT_EQ(attempt([&] { return registry.codec("test.echo").encode_to_string(text.view()); })
                .error()
                .code(),
            Status::plugin);
  const auto matches = registry.sniff(Source::view("abc"));
  ASSERT_EQ(matches.size(), 1u + test::own_codecs);
  const Match& match = matches[1];  // after json
  EXPECT_NE(match.reason.find("a C++ exception left"), std::string::npos) << match.reason;
}  // release() and deinit() throw as well

INSTANTIATE_TEST_SUITE_P(Libraries, Throwing, ::testing::Values("throws", "throws_static"));

}  // namespace
