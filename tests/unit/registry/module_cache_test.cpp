// SPDX-License-Identifier: MIT
#include "registry/load/module_cache.hpp"

#include "files.hpp"
#include "run.hpp"

#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace polycodec {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

struct Kept : testing::Test {
  test::TemporaryDirectory place;
  std::string directory = (place.path() / "code").string(), log;
  const LogHook hook = [this](polycodec_log_level, std::string_view, std::string_view text) {
    log += std::string(text) + "\n";
  };

  std::string find(const std::string& module = "module", const std::string& runtime = "1") {
    return ModuleCache(directory, runtime, module, hook).find();
  }
  void keep(const std::string& code, const std::string& module = "module") {
    const std::string runtime = "1";
    ModuleCache cache(directory, runtime, module, hook);
    EXPECT_EQ(cache.find(), "");
    cache.keep(code);
  }
  fs::path file() const { return fs::directory_iterator(directory)->path(); }
};

TEST_F(Kept, CodeIsThereForTheSameModuleAndRuntimeAlone) {
  const std::string code = "\0code"s;
  keep(code);
  EXPECT_EQ(find(), code);
  EXPECT_EQ(find("other"), "");
  EXPECT_EQ(find("module", "2"), "");
  EXPECT_EQ(log, "");
  EXPECT_EQ(fs::status(directory).permissions(), fs::perms(0700));
  EXPECT_EQ(fs::status(file()).permissions(), fs::perms(0600));
}

TEST_F(Kept, NothingIsKeptWithoutADirectory) {
  directory.clear();
  keep("code");
  EXPECT_EQ(find(), "");
  EXPECT_EQ(log, "");
}

TEST_F(Kept, DamagedCodeIsRemoved) {
  const std::string sound = "some code";
  for (std::size_t at = 0; at < 64 + sound.size(); ++at) {
    keep(sound);
    const fs::path path = file();
    std::string bytes = test::read_file(path);
    if (at % 2 == 0)
      bytes[at] = static_cast<char>(bytes[at] ^ 1);
    else
      bytes.resize(at);
    test::write_file(path, bytes);
    log.clear();
    EXPECT_EQ(find(), "") << at;
    EXPECT_NE(log.find("it is damaged; the module is compiled"), std::string::npos) << log;
    EXPECT_FALSE(fs::exists(path));
  }
}

TEST_F(Kept, CodeOfAnotherModuleIsDamage) {
  keep("code");
  const fs::path first = file(), aside = place.path() / "aside";
  fs::rename(first, aside);
  keep("other", "other module");
  fs::rename(aside, file());
  EXPECT_EQ(find("other module"), "");
  EXPECT_NE(log.find("it is damaged"), std::string::npos) << log;
}

TEST_F(Kept, WhatOthersMayWriteIsNotUsed) {
  keep("code");
  ASSERT_EQ(::chmod(file().c_str(), 0666), 0);
  EXPECT_EQ(find(), "");
  EXPECT_NE(log.find("it is writable by all users"), std::string::npos) << log;
  keep("code");
  EXPECT_EQ(find(), "code") << "the new file has its own permissions";
  ASSERT_EQ(::chmod(directory.c_str(), 0777), 0);
  log.clear();
  EXPECT_EQ(find(), "");
  EXPECT_NE(log.find("it is writable by all users"), std::string::npos) << log;
}

TEST_F(Kept, WhatAnotherUserOwnsIsNotUsed) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  keep("code");
  ASSERT_EQ(::chown(file().c_str(), 65534, 65534), 0);
  EXPECT_EQ(find(), "");
  EXPECT_NE(log.find("it belongs to user 65534"), std::string::npos) << log;
  keep("code");
  ASSERT_EQ(::chown(directory.c_str(), 65534, 65534), 0);
  log.clear();
  EXPECT_EQ(find(), "");
  EXPECT_NE(log.find("belongs to user 65534"), std::string::npos) << log;
}

TEST_F(Kept, LinksOutOfTheDirectoryAreNotFollowed) {
  keep("code");
  const fs::path path = file(), outside = place.path() / "outside";
  fs::rename(path, outside);
  fs::create_symlink(outside, path);
  EXPECT_EQ(find(), "");
  EXPECT_NE(log.find("it is a symbolic link to"), std::string::npos) << log;
  keep("new");
  EXPECT_TRUE(test::read_file(outside).ends_with("code"));
}

TEST_F(Kept, ADirectoryThatCannotBeIsAReason) {
  directory = (place.path() / "missing/code").string();
  keep("code");
  EXPECT_NE(log.find("No such file or directory; the module is compiled"), std::string::npos)
      << log;
}

// A copy of this program that belongs to somebody else runs with that owner's rights.
TEST_F(Kept, ProcessesWithOtherRightsKeepNothing) {
  if (const char* const given = std::getenv("POLYCODEC_TEST_CHILD"); given != nullptr) {
    if (::getauxval(AT_SECURE) == 0) std::_Exit(2);
    directory = given;
    keep("code");
    std::_Exit(fs::exists(directory) ? 1 : 0);
  }
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  const fs::path root = place.path();
  ASSERT_EQ(::chown(root.c_str(), 65534, 65534), 0);
  ASSERT_EQ(::chmod(root.c_str(), 0755), 0);
  fs::copy_file("/proc/self/exe", root / "test");
  ASSERT_EQ(::chown((root / "test").c_str(), 65534, 65534), 0);
  ASSERT_EQ(::chmod((root / "test").c_str(), 04755), 0);
  const test::Finished child =
      test::run_line(root,
                     "POLYCODEC_TEST_CHILD=$PWD/code ./test "
                     "--gtest_filter=Kept.ProcessesWithOtherRightsKeepNothing");
  if (child.status != 0 && child.status != 1) GTEST_SKIP() << "such programs do not run here";
  EXPECT_EQ(child.status, 0);
}

}  // namespace
}  // namespace polycodec
