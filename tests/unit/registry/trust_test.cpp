// SPDX-License-Identifier: MIT
// Which files are loaded at all: places, owners, permissions, pins, complete ELF files.
#include "own_codecs.hpp"
#include "plugin_directory.hpp"
#include "sanitized.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>

namespace polycodec {
namespace {

namespace fs = std::filesystem;

class Trust : public PluginDirectory {
 protected:
  ProbeRecord probe(const RegistryOptions& with) {
    return Registry::open(with).probe("test.sample");
  }

  void expect_denied(const Registry& registry, const std::string& why) {
    ASSERT_EQ(registry.directories().size(), 1u);
    EXPECT_EQ(registry.directories()[0].state, DirectoryRecord::State::denied);
    EXPECT_NE(registry.directories()[0].reason.find(why), std::string::npos)
        << registry.directories()[0].reason;
    EXPECT_EQ(registry.codecs().size(), test::own_codecs);
    EXPECT_NE(registry.explain_missing("test.raw").find(why), std::string::npos);
  }
};

TEST_F(Trust, AGoodPluginLoads) {
  install_sample(directory);
  const ProbeRecord record = probe(options());
  EXPECT_EQ(record.outcome, Outcome::loaded) << record.reason;
  EXPECT_EQ(record.stage, Stage::ready);
}

TEST_F(Trust, WorldWritableDirectories) {
  install_sample(directory);
  fs::permissions(directory, fs::perms(0777));
  expect_denied(Registry::open(options()), "writable by all");
  fs::permissions(directory, fs::perms(0755));
  fs::permissions(root, fs::perms(0777));
  expect_denied(Registry::open(options()), "writable by all");
  fs::permissions(root, fs::perms(01777));
  EXPECT_EQ(probe(options()).outcome, Outcome::loaded);
}

TEST_F(Trust, WritableFiles) {
  install_sample(directory);
  fs::permissions(directory / "sample.so", fs::perms(0666));
  ProbeRecord record = probe(options());
  EXPECT_EQ(record.stage, Stage::path);
  EXPECT_NE(record.reason.find("0666"), std::string::npos) << record.reason;
  fs::permissions(directory / "sample.so", fs::perms(0644));
  fs::permissions(directory / "test.sample.polycodec.json", fs::perms(0646));
  const Registry registry = Registry::open(options());
  ASSERT_EQ(registry.records().size(), 1u);
  EXPECT_EQ(registry.records()[0].stage, Stage::path);
}

TEST_F(Trust, FilesOfOthers) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  install_sample(directory);
  ASSERT_EQ(::chown((directory / "sample.so").c_str(), 12345, 12345), 0);
  EXPECT_NE(probe(options()).reason.find("user 12345"), std::string::npos);
  RegistryOptions trusting = options();
  trusting.policy.trusted_owners = {12345};
  EXPECT_EQ(probe(trusting).outcome, Outcome::loaded);
  // A group that is not the owner's private one.
  ASSERT_EQ(::chmod((directory / "sample.so").c_str(), 0664), 0);
  EXPECT_NE(probe(trusting).reason.find("group 12345"), std::string::npos);
  ASSERT_EQ(::chown((directory / "sample.so").c_str(), 0, 0), 0);
  EXPECT_EQ(probe(options()).outcome, Outcome::loaded);
  ASSERT_EQ(::chown(directory.c_str(), 12345, 0), 0);
  expect_denied(Registry::open(options()), "user 12345");
}

TEST_F(Trust, SymbolicLinks) {
  install_sample(directory);
  fs::rename(directory / "sample.so", directory / "sample.so.1");
  fs::create_symlink("sample.so.1", directory / "sample.so");
  EXPECT_EQ(probe(options()).outcome, Outcome::loaded);
  fs::rename(directory / "sample.so.1", root / "sample.so.1");
  fs::remove(directory / "sample.so");
  fs::create_symlink("../sample.so.1", directory / "sample.so");
  const ProbeRecord record = probe(options());
  EXPECT_EQ(record.stage, Stage::path);
  EXPECT_NE(record.reason.find("outside"), std::string::npos);
}

TEST_F(Trust, WhatIsNoRegularFile) {
  install_sample(directory);
  fs::remove(directory / "sample.so");
  EXPECT_EQ(probe(options()).stage, Stage::path);
  ASSERT_EQ(::mkfifo((directory / "sample.so").c_str(), 0644), 0);
  EXPECT_NE(probe(options()).reason.find("regular"), std::string::npos);
  fs::remove(directory / "sample.so");
  fs::create_directory(directory / "sample.so");
  EXPECT_EQ(probe(options()).stage, Stage::path);
}

TEST_F(Trust, RelativePathsAndTheEnvironment) {
  RegistryOptions relative = options();
  relative.plugin_paths = {"plugins"};
  EXPECT_NE(message_of([&] { (void)Registry::open(relative); }, Status::option), "");
  install_sample(directory);
  RegistryOptions plain;
  plain.use_builtins = false;
  ::setenv("POLYCODEC_PLUGIN_SYSTEM_PATH", ("plugins::" + directory.string()).c_str(), 1);
  const Registry registry = Registry::open(plain);
  ::setenv("POLYCODEC_PLUGIN_SYSTEM_PATH", "", 1);
  const Registry nothing = Registry::open(plain);
  ::setenv("POLYCODEC_PLUGIN_PATH", directory.c_str(), 1);
  const Registry added = Registry::open(plain);
  ::unsetenv("POLYCODEC_PLUGIN_PATH");
  ::unsetenv("POLYCODEC_PLUGIN_SYSTEM_PATH");
  ASSERT_EQ(registry.directories().size(), 2u);
  EXPECT_EQ(registry.directories()[0].state, DirectoryRecord::State::denied);
  EXPECT_NE(registry.directories()[0].reason.find("absolute"), std::string::npos);
  EXPECT_EQ(registry.directories()[1].origin, "POLYCODEC_PLUGIN_SYSTEM_PATH");
  EXPECT_NE(registry.find("raw"), nullptr);
  EXPECT_TRUE(nothing.directories().empty());
  EXPECT_NE(added.find("raw"), nullptr);
  EXPECT_EQ(added.directories()[0].origin, "POLYCODEC_PLUGIN_PATH");
}

TEST_F(Trust, Pins) {
  install_sample(directory);
  RegistryOptions pinned = options();
  pinned.policy.require_pins = true;
  ProbeRecord record = probe(pinned);
  EXPECT_EQ(record.stage, Stage::pin);
  const auto at = record.reason.find("library's is ");
  ASSERT_NE(at, std::string::npos) << record.reason;
  const std::string digest = record.reason.substr(at + 13, 64);
  pinned.policy.pins["test.sample"] = {digest};
  EXPECT_EQ(probe(pinned).outcome, Outcome::loaded);
  std::string other = digest;
  other[0] = other[0] == '0' ? '1' : '0';
  pinned.policy.pins["test.sample"] = {other};
  EXPECT_EQ(probe(pinned).stage, Stage::pin);
}

TEST_F(Trust, TruncatedLibrariesAreNeverLoaded) {
  install_sample(directory);
  const std::string bytes = read_file(sample() / "sample.so");
  // Each part of the headers, then some places: each opening reads all that is left.
  const std::size_t headers = 4096,
                    step = std::max<std::size_t>(64, bytes.size() / test::cases_of(512));
  for (std::size_t size = 0; size < bytes.size(); size += size < headers ? 64 : step) {
    write(directory / "sample.so", bytes.substr(0, size));
    const ProbeRecord record = probe(options());
    ASSERT_EQ(record.outcome, Outcome::refused) << size;
    ASSERT_EQ(record.stage, Stage::elf) << size << ": " << record.reason;
  }
}

TEST_F(Trust, DamagedHeadersAreRefusedOrLoadedButNeverKill) {
  install_sample(directory);
  const std::string bytes = read_file(sample() / "sample.so");
  const auto with = [&](std::size_t at, char value) {
    std::string damaged = bytes;
    damaged[at] = value;
    write(directory / "sample.so", damaged);
    return probe(options());
  };
  EXPECT_EQ(with(0, 'X').stage, Stage::elf);
  EXPECT_EQ(with(4, 1).stage, Stage::elf);     // class
  EXPECT_EQ(with(5, 2).stage, Stage::elf);     // byte order
  EXPECT_EQ(with(16, 2).stage, Stage::elf);    // ET_EXEC
  EXPECT_EQ(with(18, 99).stage, Stage::elf);   // machine
  EXPECT_EQ(with(39, 127).stage, Stage::elf);  // offset of the segments
  EXPECT_EQ(with(54, 1).stage, Stage::elf);    // size of a segment's header
  EXPECT_EQ(with(56, 0).stage, Stage::elf);    // number of segments
}

}  // namespace
}  // namespace polycodec
