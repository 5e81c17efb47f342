// SPDX-License-Identifier: MIT
// A plugin is the package's by its id and its place. Others are searched in places of their own.
#include "installed_tree.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace polycodec::test {
namespace {

using Trust = InstalledTree;

TEST_F(Trust, PluginsOfThePackageRunInProcess) {
  const Json record = record_of(doctor(), "ply");
  EXPECT_EQ(record["outcome"], "loaded") << record;
  EXPECT_EQ(record["runs"], "in-process");
  EXPECT_EQ(record["why"], "a plugin of the package");
  EXPECT_TRUE(record["isolation"].is_null());
}

TEST_F(Trust, AForeignIdInThePackagesDirectoryIsForeignAndNamed) {
  add_sample(package_);
  const Json found = doctor();
  const Json record = record_of(found, "test.sample", "loaded");
  EXPECT_EQ(record["runs"], "process") << found;
  EXPECT_EQ(record["why"], "not a plugin of the package");
  EXPECT_EQ(record["isolation"]["rule"]["mode"], "process");
  EXPECT_EQ(record_of(found, "test.sample", "note")["reason"],
            "it is not a plugin of the package, though it lies in the package's directory: install "
            "it in " +
                site_.string());
  EXPECT_EQ(found["ok"], true);
}

TEST_F(Trust, AnIdOfThePackageElsewhereIsForeign) {
  for (const char* file : {"ply.so", "ply.polycodec.json"})
    fs::rename(package_ / file, site_ / file);
  const Json record = record_of(doctor(), "ply");
  EXPECT_EQ(record["outcome"], "loaded") << record;
  EXPECT_EQ(record["runs"], "process");
  EXPECT_EQ(record["why"], "not a plugin of the package");
  // The package's directory under another name is the same place.
  for (const char* file : {"ply.so", "ply.polycodec.json"})
    fs::rename(site_ / file, package_ / file);
  fs::create_directory_symlink(package_, directory_ / "link");
  EXPECT_EQ(
      record_of(doctor("POLYCODEC_PLUGIN_PATH=" + (directory_ / "link").string()), "ply")["runs"],
      "in-process");
}

TEST_F(Trust, ThePolicyDecidesAndIsNamed) {
  add_sample(site_);
  const auto place = [&](const std::string& mode) {
    const Json all = Json::parse(run_there("list --json -v --isolate " + mode).out)["plugins"];
    for (const Json& one : all)
      if (one["id"] == "test.sample")
        return one["runs"].get<std::string>() + ": " + one["why"].get<std::string>();
    return std::string();
  };
  EXPECT_EQ(place("auto"), "process: not a plugin of the package");
  EXPECT_EQ(place("in-process"), "in-process: policy.isolation says so");
  // The doctor says where others run it, and isolates it all the same.
  const Json found = Json::parse(run_there("doctor --json --isolate in-process").out);
  EXPECT_EQ(record_of(found, "test.sample")["runs"], "in-process");
  EXPECT_EQ(record_of(found, "test.sample")["isolation"]["rule"]["mode"], "process");
}

TEST_F(Trust, ListAndDoctorSayWhereEachRuns) {
  add_sample(site_);
  const std::string list = run_there("list -v").out;
  EXPECT_NE(list.find("ply  runs in-process: a plugin of the package\n"), std::string::npos)
      << list;
  EXPECT_NE(list.find("test.sample  runs in a process of its own: not a plugin of the package\n"),
            std::string::npos)
      << list;
  EXPECT_EQ(run_there("list").out.find("runs in"), std::string::npos);
  const std::string text = run_there("doctor").out;
  EXPECT_NE(text.find("runs in a process of its own: not a plugin of the package\n"),
            std::string::npos)
      << text;
}

// -- places --

std::string origin_of(const Json& doctor, const fs::path& path) {
  for (const Json& one : doctor["directories"])
    if (one["path"] == path.string())
      return one["origin"].get<std::string>() + " " + one["state"].get<std::string>();
  return {};
}

TEST_F(Trust, OthersHavePlacesOfTheirOwn) {
  const fs::path home = directory_ / "home/.local/share/polycodec/plugins/abi2";
  add_sample(home);
  const Json found = doctor();
  EXPECT_EQ(origin_of(found, home), "HOME used") << found["directories"];
  EXPECT_EQ(origin_of(found, site_), "default empty");
  EXPECT_EQ(origin_of(found, package_), "default used");
  EXPECT_NE(origin_of(found, "/usr/local/lib/polycodec/site/abi2"), "");
  EXPECT_EQ(record_of(found, "test.sample")["outcome"], "loaded");
  EXPECT_EQ(record_of(found, "test.sample")["runs"], "process");
  // XDG_DATA_HOME takes its place.
  const Json other = doctor("XDG_DATA_HOME=" + (directory_ / "data").string());
  EXPECT_EQ(origin_of(other, home), "");
  EXPECT_EQ(origin_of(other, directory_ / "data/polycodec/plugins/abi2"), "XDG_DATA_HOME missing");
  // A prefix has both directories; each is listed once.
  const Json both =
      doctor("VIRTUAL_ENV=" + (directory_ / "v").string() + " CONDA_PREFIX=" + prefix_.string());
  EXPECT_EQ(origin_of(both, directory_ / "v/lib/polycodec/site/abi2"), "VIRTUAL_ENV missing");
  EXPECT_EQ(origin_of(both, site_), "CONDA_PREFIX empty");
  EXPECT_EQ(origin_of(both, package_), "default used");
}

TEST_F(Trust, AHomeOfAnotherUserIsRejected) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  add_sample(directory_ / "home/.local/share/polycodec/plugins/abi2");
  // As sudo leaves HOME to root.
  ASSERT_EQ(::chown((directory_ / "home").c_str(), 12345, 12345), 0);
  const Json found = doctor();
  for (const Json& one : found["directories"])
    if (one["origin"] == "HOME") {
      EXPECT_EQ(one["state"], "denied");
      EXPECT_NE(one["reason"].get<std::string>().find("belongs to user 12345"), std::string::npos)
          << one;
    }
  EXPECT_TRUE(record_of(found, "test.sample").is_null());
}

// -- digests --

TEST_F(Trust, FilesAreComparedWithTheirDigests) {
  const Finished none = run_there("doctor --verify");
  EXPECT_NE(none.status, 0);
  EXPECT_NE(none.err.find("there are no digests in"), std::string::npos) << none.err;
  fs::create_directory(lib_ / "polycodec/digests");
  const auto write_digests = [&] {
    ASSERT_EQ(run_line(lib_,
                       "sha256sum libpolycodec.so.0 polycodec/polycodec-sandbox > "
                       "polycodec/digests/runtime.sha256 && sha256sum "
                       "polycodec/plugins/abi2/ply.* > polycodec/digests/plugins.sha256")
                  .status,
              0);
  };
  write_digests();
  const Finished good = run_there("doctor --verify");
  EXPECT_EQ(good.status, 0) << good.out << good.err;
  EXPECT_NE(good.out.find("4 compared with their digests, 0 wrong"), std::string::npos) << good.out;
  write("prefix/lib/polycodec/plugins/abi2/ply.polycodec.json",
        read_file(package_ / "ply.polycodec.json") + "\n");
  const Finished changed = run_there("doctor --verify --json");
  EXPECT_EQ(changed.status, 3);
  const Json found = Json::parse(changed.out);
  EXPECT_EQ(found["ok"], false);
  ASSERT_EQ(found["verified"]["wrong"].size(), 1u) << found["verified"];
  EXPECT_EQ(found["verified"]["wrong"][0]["path"], (package_ / "ply.polycodec.json").string());
  // A plugin of the package that nobody has written a digest for.
  write_digests();
  add(own_plugins(), "msgpack-ndarray", "msgpack-ndarray.so", package_);
  EXPECT_EQ(run_there("doctor").status, 0);
  EXPECT_EQ(run_there("doctor --verify").status, 3);
}

}  // namespace
}  // namespace polycodec::test
