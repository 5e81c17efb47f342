// SPDX-License-Identifier: MIT
// Where plugins are found that people installed: prefixes of the environment, libraries by
// platform, trees of an administrator.
#include "plugin_directory.hpp"
#include "registry/load/manifest.hpp"
#include "registry/load/path_check.hpp"
#include "registry/load/search_path.hpp"

#include <unistd.h>

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
    for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX", "XDG_DATA_HOME",
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
};

TEST_F(Places, PrefixesComeBeforeTheDefault) {
  install_sample(made("venv/lib"));
  (void)made("conda/lib");
  set("VIRTUAL_ENV", root / "venv");
  set("CONDA_PREFIX", root / "conda");
  set("XDG_DATA_HOME", root / "share");
  const Registry registry = opened();
  const auto places = registry.directories();
  ASSERT_EQ(places.size(), 4u);
  EXPECT_EQ(places[0].origin, "VIRTUAL_ENV");
  EXPECT_EQ(places[0].path, (root / "venv/lib/polycodec/plugins/abi2").string());
  EXPECT_EQ(places[0].state, State::used);
  EXPECT_EQ(places[1].origin, "CONDA_PREFIX");
  EXPECT_EQ(places[1].state, State::empty);
  EXPECT_EQ(places[2].origin, "XDG_DATA_HOME");
  EXPECT_EQ(places[2].path, (root / "share/polycodec/plugins/abi2").string());
  EXPECT_EQ(places[2].state, State::missing);
  EXPECT_EQ(places[3].path, default_plugin_directory());
  EXPECT_EQ(registry.codec("raw").info().plugin_id, "test.sample");
}

TEST_F(Places, RelativeAndEmptyPrefixesAreIgnoredAndReported) {
  set("VIRTUAL_ENV", "venv");
  set("CONDA_PREFIX", "");
  const Registry registry = opened();
  const auto places = registry.directories();
  ASSERT_EQ(places.size(), 3u);
  EXPECT_EQ(places[0].state, State::denied);
  EXPECT_EQ(places[0].reason,
            "it is not an absolute path; the current directory is never searched");
  EXPECT_EQ(places[1].state, State::denied);
  EXPECT_EQ(places[1].reason, "CONDA_PREFIX is empty: unset it, or set it to an absolute path");
}

TEST_F(Places, PrefixesAreTrustedAsAllDirectories) {
  install_sample(made("venv/lib"));
  fs::permissions(root / "venv", fs::perms(0777));
  set("VIRTUAL_ENV", root / "venv");
  const Registry registry = opened();
  EXPECT_EQ(registry.directories()[0].state, State::denied);
  EXPECT_EQ(registry.find("raw"), nullptr);
}

TEST_F(Places, PrefixesAreAPartOfTheDefault) {
  install_sample(made("venv/lib"));
  set("VIRTUAL_ENV", root / "venv");
  RegistryOptions without;
  without.use_environment = false;
  EXPECT_EQ(Registry::open(without).directories().size(), 1u);
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
  EXPECT_EQ(opened().directories().size(), 2u);
  // An environment that the library itself is installed in.
  fs::path prefix = default_plugin_directory();
  for (int i = 0; i < 4; ++i) prefix = prefix.parent_path();
  if (!default_plugin_directory().starts_with((prefix / "lib/polycodec").string()))
    GTEST_SKIP() << "the library is not in lib";
  clear();
  set("VIRTUAL_ENV", prefix);
  ASSERT_EQ(opened().directories().size(), 1u);
  EXPECT_EQ(opened().directories()[0].origin, "default");
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
