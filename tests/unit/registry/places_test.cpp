// SPDX-License-Identifier: MIT
// Where plugins are found that people installed: prefixes of the environment, libraries by
// platform, trees of an administrator.
#include "plugin_directory.hpp"
#include "registry/load/manifest.hpp"
#include "registry/load/path_check.hpp"
#include "registry/load/search_path.hpp"
#include "run.hpp"

#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace polycodec {
namespace {

namespace fs = std::filesystem;
using State = DirectoryRecord::State;

class Places : public PluginDirectory {
 protected:
  Places() { clear(); }
  ~Places() override { clear(); }

  static void clear() {
    for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX", "XDG_DATA_HOME", "HOME",
                             "POLYCODEC_PLUGIN_PATH", "POLYCODEC_PLUGIN_SYSTEM_PATH"})
      ::unsetenv(name);
  }
  static void set(const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); }

  /// The plugin directory below a prefix, made with all that is above it.
  fs::path made(const std::string& prefix) const {
    fs::path at = root;
    for (const auto& part : fs::path(prefix) / "polycodec" / "plugins" / "abi2") {
      at /= part;
      if (!fs::exists(at)) make(at);
    }
    return at;
  }

  /// The registry as the environment says.
  static Registry opened() {
    RegistryOptions options;
    options.use_builtins = false;
    return Registry::open(options);
  }

  /// The places that somebody has named: all but those that are always searched.
  static std::vector<DirectoryRecord> named(const Registry& registry) {
    const auto all = registry.directories();
    std::vector<DirectoryRecord> places(all.begin(), all.end());
    std::erase_if(places, [](const DirectoryRecord& d) { return d.origin == "default"; });
    return places;
  }
};

TEST_F(Places, PrefixesComeBeforeTheDefault) {
  install_sample(made("venv/lib"));
  (void)made("conda/lib");
  set("VIRTUAL_ENV", root / "venv");
  set("CONDA_PREFIX", root / "conda");
  set("XDG_DATA_HOME", root / "share");
  const Registry registry = opened();
  const auto places = named(registry);
  ASSERT_EQ(places.size(), 5u);
  EXPECT_EQ(places[0].origin, "VIRTUAL_ENV");
  EXPECT_EQ(places[0].path, (root / "venv/lib/polycodec/site/abi2").string());
  EXPECT_EQ(places[0].state, State::missing);
  EXPECT_EQ(places[1].path, (root / "venv/lib/polycodec/plugins/abi2").string());
  EXPECT_EQ(places[1].state, State::used);
  EXPECT_EQ(places[3].origin, "CONDA_PREFIX");
  EXPECT_EQ(places[3].state, State::empty);
  EXPECT_EQ(places[4].origin, "XDG_DATA_HOME");
  EXPECT_EQ(places[4].path, (root / "share/polycodec/plugins/abi2").string());
  EXPECT_EQ(places[4].state, State::missing);
  EXPECT_EQ(registry.directories().back().path, default_plugin_directory());
  EXPECT_EQ(registry.codec("raw").info().plugin_id, "test.sample");
}

TEST_F(Places, TheDefaultOfXdgIsSearched) {
  install_sample(made("home/.local/share"));
  set("HOME", root / "home");
  const Registry registry = opened();
  ASSERT_EQ(named(registry).size(), 1u);
  EXPECT_EQ(named(registry)[0].origin, "HOME");
  EXPECT_EQ(named(registry)[0].state, State::used);
  EXPECT_EQ(registry.codec("raw").info().plugin_id, "test.sample");
  set("HOME", "home");
  EXPECT_TRUE(named(opened()).empty());
}

// A copy of this program that belongs to somebody else runs with that owner's rights.
TEST_F(Places, ProgramsOfAnotherOwnerSearchNoHome) {
  const auto searches_home = [] {
    const auto all = search_path({});
    return std::ranges::find(all, "HOME", &SearchEntry::origin) != all.end();
  };
  if (std::getenv("POLYCODEC_TEST_CHILD") != nullptr) {
    ::setenv("HOME", "/nonexistent", 1);
    if (::getauxval(AT_SECURE) == 0) std::_Exit(2);
    std::_Exit(searches_home() ? 1 : 0);
  }
  set("HOME", "/nonexistent");
  EXPECT_TRUE(searches_home());
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  ASSERT_EQ(::chmod(root.c_str(), 0755), 0);
  const fs::path program = root / "test";
  fs::copy_file("/proc/self/exe", program);
  ASSERT_EQ(::chown(program.c_str(), 65534, 65534), 0);
  ASSERT_EQ(::chmod(program.c_str(), 04755), 0);
  const test::Finished child =
      test::run_line(root,
                     "POLYCODEC_TEST_CHILD=1 ./test "
                     "--gtest_filter=Places.ProgramsOfAnotherOwnerSearchNoHome");
  if (child.status != 0 && child.status != 1) GTEST_SKIP() << "such programs do not run here";
  EXPECT_EQ(child.status, 0);
}

TEST_F(Places, RelativeAndEmptyPrefixesAreIgnoredAndReported) {
  set("VIRTUAL_ENV", "venv");
  set("CONDA_PREFIX", "");
  const Registry registry = opened();
  const auto places = named(registry);
  ASSERT_EQ(places.size(), 3u);
  EXPECT_EQ(places[0].state, State::denied);
  EXPECT_EQ(places[0].reason,
            "it is not an absolute path; the current directory is never searched");
  EXPECT_EQ(places[2].state, State::denied);
  EXPECT_EQ(places[2].reason, "CONDA_PREFIX is empty: unset it, or set it to an absolute path");
}

TEST_F(Places, PrefixesAreTrustedAsAllDirectories) {
  install_sample(made("venv/lib"));
  fs::permissions(root / "venv", fs::perms(0777));
  set("VIRTUAL_ENV", root / "venv");
  const Registry registry = opened();
  EXPECT_EQ(named(registry)[1].state, State::denied);
  EXPECT_EQ(registry.find("raw"), nullptr);
}

TEST_F(Places, PrefixesAreAPartOfTheDefault) {
  install_sample(made("venv/lib"));
  set("VIRTUAL_ENV", root / "venv");
  RegistryOptions without;
  without.use_environment = false;
  EXPECT_EQ(named(Registry::open(without)).size(), 0u);
  RegistryOptions elsewhere;
  elsewhere.plugin_paths = {directory};
  EXPECT_EQ(Registry::open(elsewhere).directories().size(), 1u);
  set("POLYCODEC_PLUGIN_SYSTEM_PATH", directory);
  EXPECT_EQ(opened().directories().size(), 1u);
}

TEST_F(Places, APrefixTwiceIsSearchedOnce) {
  install_sample(made("venv/lib"));
  set("VIRTUAL_ENV", root / "venv");
  set("CONDA_PREFIX", root / "venv/.");
  EXPECT_EQ(named(opened()).size(), 2u);  // site is missing
  // An environment that the library itself is installed in.
  fs::path prefix = default_plugin_directory();
  for (int i = 0; i < 4; ++i) prefix = prefix.parent_path();
  if (!default_plugin_directory().starts_with((prefix / "lib/polycodec").string()))
    GTEST_SKIP() << "the library is not in lib";
  clear();
  set("VIRTUAL_ENV", prefix);
  for (const DirectoryRecord& place : named(opened()))
    EXPECT_NE(place.path, default_plugin_directory());
  EXPECT_EQ(opened().directories().back().origin, "default");
}

std::string with_libraries(const std::string& libraries) {
  std::string text =
      read_file(fs::path(POLYCODEC_TEST_BINARY_DIR) / "test_plugins/test.sample.polycodec.json");
  const std::string name = "\"sample.so\"";
  return text.replace(text.find(name), name.size(), libraries);
}

TEST_F(Places, ADirectoryServesSeveralPlatforms) {
  const std::string own(platform_name);
  const std::string other = own == "linux_arm64" ? "linux_amd64" : "linux_arm64";
  install_sample(directory);
  fs::rename(directory / "sample.so", directory / ("sample-" + own + ".so"));
  write(directory / "sample-other.so", "of another machine");
  write(directory / "test.sample.polycodec.json",
        with_libraries("{\"" + other + "\": \"sample-other.so\", \"" + own + "\": \"sample-" + own +
                       ".so\", \"freebsd_amd64\": \"sample-other.so\"}"));
  const Registry registry = Registry::open(options());
  const ProbeRecord record = registry.probe("test.sample");
  EXPECT_EQ(record.outcome, Outcome::loaded) << record.reason;
  EXPECT_EQ(fs::path(registry.codecs()[1].library).filename(), "sample-" + own + ".so");

  write(directory / "test.sample.polycodec.json",
        with_libraries("{\"" + other + "\": \"sample-other.so\"}"));
  const Registry none = Registry::open(options());
  ASSERT_EQ(none.records().size(), 1u);
  EXPECT_EQ(none.records()[0].stage, Stage::abi);
  EXPECT_EQ(none.records()[0].reason, "its manifest names no library for " + own +
                                          ": install a build of the plugin for this machine");
}

TEST_F(Places, UntrustedOwnersAreThoseOfTheWholePath) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const fs::path place = made("lab/lib");
  EXPECT_TRUE(untrusted_owners({}, place).empty());
  ASSERT_EQ(::chown((root / "lab").c_str(), 12346, 0), 0);
  ASSERT_EQ(::chown((root / "lab/lib").c_str(), 12345, 0), 0);
  ASSERT_EQ(::chown(place.c_str(), 12346, 0), 0);
  EXPECT_EQ(untrusted_owners({}, place), (std::vector<std::uint32_t>{12345, 12346}));
  Policy policy;
  policy.trusted_owners = {12346};
  EXPECT_EQ(untrusted_owners(policy, place), std::vector<std::uint32_t>{12345});
  EXPECT_TRUE(untrusted_owners({}, root / "missing").empty());
}

}  // namespace
}  // namespace polycodec
