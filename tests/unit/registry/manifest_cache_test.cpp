// SPDX-License-Identifier: MIT
// Manifests that an earlier process has read: what is used of them, and what never is.
#include "own_codecs.hpp"
#include "plugin_directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

namespace polycodec {
namespace {

namespace fs = std::filesystem;

constexpr int cached_plugins = 70;

std::string cached_id(int number) {
  return "org.example.p" + std::to_string(number);
}

/// The CRC-32 of ZIP, as the file has it.
std::uint32_t zip_checksum(std::string_view bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    crc ^= static_cast<std::uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

/// One directory of many plugins for all tests, because its files must be two seconds old; each
/// test has a cache of its own.
class ManifestCaches : public PluginDirectory {
 protected:
  static void SetUpTestSuite() {
    all_ = std::make_unique<test::TemporaryDirectory>();
    make(plugins());
    for (int i = 0; i < cached_plugins; ++i) write(path_of(i), text_of(i));
    std::this_thread::sleep_for(std::chrono::milliseconds(2100));
  }
  static void TearDownTestSuite() { all_.reset(); }

  ManifestCaches() {
    for (const char* name : {"POLYCODEC_PLUGIN_PATH", "POLYCODEC_PLUGIN_SYSTEM_PATH"})
      ::unsetenv(name);
    ::setenv("POLYCODEC_CACHE_DIR", caches.c_str(), 1);
  }
  ~ManifestCaches() override { ::unsetenv("POLYCODEC_CACHE_DIR"); }

  static fs::path plugins() { return all_->path() / "plugins"; }
  static fs::path path_of(int number) {
    return plugins() / (cached_id(number) + ".polycodec.json");
  }
  static std::string text_of(int number, const std::string& summary = "real") {
    std::string text = manifest(cached_id(number), codec("codec" + std::to_string(number)));
    return text.replace(text.rfind(R"("summary": "s")"), 14, R"("summary": ")" + summary + '"');
  }

  static RegistryOptions with_cache() {
    RegistryOptions o;
    o.plugin_paths = {plugins()};
    o.use_builtins = false;
    return o;
  }

  /// The only file in the directory of caches.
  fs::path file() const {
    for (const auto& entry : fs::directory_iterator(caches)) return entry.path();
    return {};
  }

  static std::string summary_of(const Registry& registry, int number) {
    const CodecInfo* const codec = registry.find("codec" + std::to_string(number));
    return codec == nullptr ? "missing" : codec->summary;
  }

  /// Puts "fake" for "real" everywhere into the cache, as nobody else than its owner can.
  void forge() const {
    std::string bytes = read_file(file());
    std::size_t count = 0;
    for (std::size_t at = 0; (at = bytes.find("real", at)) != bytes.npos; ++count)
      bytes.replace(at, 4, "fake");
    ASSERT_GT(count, 0u);
    const std::uint32_t sum = zip_checksum(std::string_view(bytes).substr(16));
    std::memcpy(bytes.data() + 8, &sum, sizeof sum);
    write(file(), bytes);
    fs::permissions(file(), fs::perms(0600));
  }

  static std::unique_ptr<test::TemporaryDirectory> all_;
  const fs::path caches = root / "caches";
};

std::unique_ptr<test::TemporaryDirectory> ManifestCaches::all_;

TEST_F(ManifestCaches, AreWrittenOnceAndRead) {
  const Registry first = Registry::open(with_cache());
  ASSERT_EQ(first.codecs().size(), std::size_t{cached_plugins} + test::own_codecs);
  ASSERT_FALSE(file().empty());
  struct stat status {};
  ASSERT_EQ(::stat(file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  const Registry second = Registry::open(with_cache());
  for (int i = 0; i < cached_plugins; ++i) {
    const CodecInfo* const a = first.find("codec" + std::to_string(i));
    const CodecInfo* const b = second.find("codec" + std::to_string(i));
    ASSERT_TRUE(a != nullptr && b != nullptr);
    EXPECT_EQ(a->library, b->library);
    EXPECT_TRUE(equal(a->description, b->description));
    EXPECT_TRUE(equal(a->options_schema, b->options_schema));
  }
  struct stat later {};
  ASSERT_EQ(::stat(file().c_str(), &later), 0);
  EXPECT_EQ(later.st_ino, status.st_ino) << "written again without need";
  forge();
  EXPECT_EQ(summary_of(Registry::open(with_cache()), 3), "fake") << "the cache was not read";
}

TEST_F(ManifestCaches, AreLeftAloneWithoutNeedOrByWish) {
  ::setenv("POLYCODEC_CACHE_DIR", "", 1);
  (void)Registry::open(with_cache());
  EXPECT_FALSE(fs::exists(caches));
  ::setenv("POLYCODEC_CACHE_DIR", "relative", 1);
  (void)Registry::open(with_cache());
  EXPECT_FALSE(fs::exists("relative"));
  ::setenv("POLYCODEC_CACHE_DIR", caches.c_str(), 1);
  RegistryOptions without = with_cache();
  without.use_environment = false;
  (void)Registry::open(without);
  EXPECT_FALSE(fs::exists(caches));
  for (int i = 0; i < 60; ++i) write(directory / path_of(i).filename(), text_of(i));
  std::this_thread::sleep_for(std::chrono::milliseconds(2100));
  RegistryOptions few = with_cache();
  few.plugin_paths = {directory};
  EXPECT_EQ(Registry::open(few).codecs().size(), 60u + test::own_codecs);
  EXPECT_FALSE(fs::exists(caches));
}

TEST_F(ManifestCaches, FollowTheDirectoryForCaches) {
  ::unsetenv("POLYCODEC_CACHE_DIR");
  const char* const before = std::getenv("XDG_CACHE_HOME");
  const std::string old = before == nullptr ? "" : before;
  ::setenv("XDG_CACHE_HOME", (root / "xdg").c_str(), 1);
  (void)Registry::open(with_cache());
  EXPECT_TRUE(fs::exists(root / "xdg" / "polycodec"));
  if (before == nullptr)
    ::unsetenv("XDG_CACHE_HOME");
  else
    ::setenv("XDG_CACHE_HOME", old.c_str(), 1);
}

TEST_F(ManifestCaches, AreIgnoredWhereOthersMayWrite) {
  (void)Registry::open(with_cache());
  forge();
  fs::permissions(file(), fs::perms(0666));
  EXPECT_EQ(summary_of(Registry::open(with_cache()), 3), "real");
  fs::remove_all(caches);
  (void)Registry::open(with_cache());
  forge();
  fs::permissions(caches, fs::perms(0777));
  EXPECT_EQ(summary_of(Registry::open(with_cache()), 3), "real");
  fs::permissions(caches, fs::perms(0700));
  EXPECT_EQ(summary_of(Registry::open(with_cache()), 3), "fake") << "the rest was right";
  fs::rename(file(), root / "elsewhere");
  (void)Registry::open(with_cache());
  const fs::path name = file();
  fs::remove(name);
  fs::create_symlink(root / "elsewhere", name);
  EXPECT_EQ(summary_of(Registry::open(with_cache()), 3), "real") << "a link that leads out";
}

TEST_F(ManifestCaches, OfOtherUsersAreIgnored) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  (void)Registry::open(with_cache());
  forge();
  ASSERT_EQ(::chown(file().c_str(), 12345, 12345), 0);
  EXPECT_EQ(summary_of(Registry::open(with_cache()), 3), "real");
  RegistryOptions trusting = with_cache();
  trusting.policy.trusted_owners = {12345};
  ASSERT_EQ(::chown(file().c_str(), 12345, 12345), 0);
  EXPECT_EQ(summary_of(Registry::open(trusting), 3), "real") << "trusted for plugins alone";
}

TEST_F(ManifestCaches, ThatAreDamagedAreReplaced) {
  (void)Registry::open(with_cache());
  const std::string good = read_file(file());
  const fs::path name = file();
  const auto replaced = [&](const std::string& bytes) {
    write(name, bytes);
    fs::permissions(name, fs::perms(0600));
    const Registry registry = Registry::open(with_cache());
    const std::string now = read_file(name);
    std::uint32_t sum = 0;
    std::memcpy(&sum, now.data() + 8, sizeof sum);
    return registry.codecs().size() == std::size_t{cached_plugins} + test::own_codecs &&
           summary_of(registry, 3) == "real" && now != bytes &&
           sum == zip_checksum(std::string_view(now).substr(16));
  };
  EXPECT_TRUE(replaced("")) << "empty";
  EXPECT_TRUE(replaced(good.substr(0, 15))) << "no head";
  EXPECT_TRUE(replaced(good.substr(0, good.size() / 2))) << "cut off";
  EXPECT_TRUE(replaced(good + "x")) << "longer";
  for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 40) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    EXPECT_TRUE(replaced(bytes)) << "byte " << at;
    // With a checksum that fits, whatever it says is read as any input, and never more than that.
    const std::uint32_t sum = zip_checksum(std::string_view(bytes).substr(16));
    std::memcpy(bytes.data() + 8, &sum, sizeof sum);
    write(name, bytes);
    fs::permissions(name, fs::perms(0600));
    EXPECT_LE(Registry::open(with_cache()).codecs().size(),
              std::size_t{cached_plugins} + test::own_codecs);
  }
}

TEST_F(ManifestCaches, FollowFilesThatChange) {
  (void)Registry::open(with_cache());
  // The same size, inode and time of change that a program can set.
  struct stat before {};
  ASSERT_EQ(::stat(path_of(10).c_str(), &before), 0);
  test::write_file(path_of(10), text_of(10, "REAL"));
  const timespec times[2] = {before.st_atim, before.st_mtim};
  ASSERT_EQ(::utimensat(AT_FDCWD, path_of(10).c_str(), times, 0), 0);
  write(path_of(11), text_of(11, "longer than before"));
  fs::remove(path_of(12));
  const Registry changed = Registry::open(with_cache());
  EXPECT_EQ(summary_of(changed, 10), "REAL");
  EXPECT_EQ(summary_of(changed, 11), "longer than before");
  EXPECT_EQ(summary_of(changed, 12), "missing");
  EXPECT_EQ(summary_of(changed, 13), "real");
  for (const int i : {10, 11, 12}) write(path_of(i), text_of(i));
}

/// Owners, permissions and policy are those of now, whatever was so when the cache was written.
TEST_F(ManifestCaches, DecideNothing) {
  (void)Registry::open(with_cache());
  fs::permissions(path_of(20), fs::perms(0666));
  const Registry registry = Registry::open(with_cache());
  EXPECT_EQ(summary_of(registry, 20), "missing");
  const auto records = registry.records();
  const auto refused = std::ranges::find(records, Outcome::refused, &ProbeRecord::outcome);
  ASSERT_NE(refused, records.end());
  EXPECT_EQ(refused->stage, Stage::path);
  EXPECT_EQ(fs::path(refused->path), path_of(20));
  fs::permissions(path_of(20), fs::perms(0644));
  RegistryOptions strict = with_cache();
  strict.policy.deny_plugins = {cached_id(21)};
  EXPECT_EQ(summary_of(Registry::open(strict), 21), "missing");
  EXPECT_EQ(summary_of(Registry::open(strict), 22), "real");
  fs::permissions(plugins(), fs::perms(0777));
  EXPECT_EQ(Registry::open(with_cache()).codecs().size(), test::own_codecs);
  fs::permissions(plugins(), fs::perms(0755));
  EXPECT_EQ(Registry::open(with_cache()).codecs().size(),
            std::size_t{cached_plugins} + test::own_codecs);
}

}  // namespace
}  // namespace polycodec
