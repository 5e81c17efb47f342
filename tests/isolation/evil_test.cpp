// SPDX-License-Identifier: MIT
// A host outlives every deed of the evil plugin, says what happened, and goes on.
#include <polycodec/error.hpp>

#include "core/text/text.hpp"
#include "evil_host.hpp"
#include "files.hpp"
#include "mapped_files.hpp"
#include "processes.hpp"
#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <string>

namespace polycodec {
namespace {

using test::evil_deeds;
using test::EvilDeed;
using test::EvilHost;

/// A number from the environment, for runs that are longer than those of CI.
int setting(const char* name, int standard) {
  const char* const text = std::getenv(name);
  return text == nullptr ? standard : std::atoi(text);
}

class Evil : public testing::TestWithParam<EvilDeed> {};

TEST_P(Evil, IsAnErrorAndTheNextCallWorks) {
  const EvilDeed& deed = GetParam();
  // The others end of themselves, also on a machine that is busy.
  const EvilHost host(deed.slow ? 1 : 60);
  const auto error = host.try_deed(deed);
  if (deed.may_succeed && !error) {
    EXPECT_EQ(host.good(), test::good_text);
    return;
  }
  ASSERT_TRUE(error) << "the deed went unnoticed";
  const bool has_ended = deed.may_end && error->code() == Status::plugin;
  EXPECT_TRUE(error->code() == deed.code || has_ended) << error->describe();
  EXPECT_NE(error->describe().find(deed.says), std::string::npos) << error->describe();
  EXPECT_NE(error->describe().find("test.evil"), std::string::npos) << error->describe();
  EXPECT_EQ(host.good(), test::good_text);
}

INSTANTIATE_TEST_SUITE_P(All, Evil, testing::ValuesIn(evil_deeds), [](const auto& it) {
  std::string name(it.param.name);
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(EvilCalls, EncodersAndOpening) {
  const EvilHost host;
  const Codec codec = host.registry().codec("test.evil");
  for (const char* wish : {"crash", "stray"}) {
    const Value value = parse_text('"' + std::string(wish) + '"');
    EXPECT_EQ(attempt([&] { return codec.encode_to_string(value.view()); }).error().code(),
              Status::plugin)
        << wish;
  }
  const Value endless = parse_text("\"endless\"");
  CallOptions options;
  options.limits = Limits();
  options.limits->max_output_bytes = 1 << 20;
  EXPECT_EQ(attempt([&] { return codec.encode_to_string(endless.view(), options); }).error().code(),
            Status::limit);
  EXPECT_EQ(
      attempt([&] { return host.registry().codec_with_json("test.evil", R"({"open": "crash"})"); })
          .error()
          .code(),
      Status::plugin);
  EXPECT_EQ(codec.encode_to_string(parse_text("\"well\"").view()), "well");
  EXPECT_EQ(host.good(), test::good_text);
}

TEST(EvilCalls, AnErrorIsWhole) {
  const EvilHost host;
  const auto error = host.try_deed({"long-error", ""});
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->message(), std::string(50'000, 'x') + "\\x1b: do this");
  EXPECT_EQ(error->path(), "$." + std::string(1000, 'p'));
  EXPECT_EQ(error->detail(), "evil.long");
  EXPECT_EQ(error->offset(), 3u);
}

TEST(EvilCalls, SniffingGoesOnWithOtherCodecs) {
  const EvilHost host;
  (void)host.registry().sniff(Source::view("sniff-crash"));
  EXPECT_EQ(host.good(), test::good_text);
}

TEST(EvilCalls, APluginThatHangsOverBytesChoosesNothing) {
  for (const std::uint32_t wall_seconds : {1u, 600u}) {
    const EvilHost host(wall_seconds);
    const auto begin = std::chrono::steady_clock::now();
    const auto result =
        attempt([&] { return host.registry().choose(Source::view("sniff-hang", "x")); });
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
    ASSERT_FALSE(result.ok()) << "the answer would depend on the time that it takes";
    EXPECT_EQ(result.error().code(), Status::plugin) << result.error().describe();
    EXPECT_NE(result.error().message().find("'test.evil'"), std::string::npos);
    EXPECT_NE(result.error().message().find("from.codec"), std::string::npos);
    // Who is asked first is not kept waiting.
    EXPECT_EQ(host.registry()
                  .choose(Source::view(R"({"type": "int8", "value": 1})", "sniff-hang.json"))
                  .codec->name,
              "text");
    // Nor is a codec that has the extension for itself and looks at no bytes.
    EXPECT_EQ(host.registry().choose(Source::view("sniff-hang", "x.json")).codec->name, "json");
    EXPECT_EQ(host.good(), test::good_text);
  }
}

TEST(EvilCalls, LargeValuesMayHavePartsElsewhereNowAndThen) {
  const EvilHost host;
  const Codec codec = host.registry().codec("test.evil");
  int losses = 0;
  CallOptions options;
  options.on_loss = [&](LossClass, std::string_view, std::string_view) { ++losses; };
  const auto decode = [&](const char* deed) {
    return to_json(codec.decode(Source::view(deed), options).view(), json_compact);
  };
  const std::string expected = decode("large");
  // Workers stop searching for such parts, until the host finds one.
  for (const char* deed : {"large", "large", "large-constant", "large", "large-constant"})
    EXPECT_EQ(decode(deed), expected) << deed;
  const EvilHost other;
  const Codec told = other.registry().codec("test.evil");
  (void)told.decode(Source::view("large"));
  EXPECT_EQ(to_json(told.decode(Source::view("large-loss"), options).view(), json_compact),
            expected);
  EXPECT_EQ(losses, 1);
}

TEST(EvilCalls, AValueStaysAsItWas) {
  const EvilHost host;
  const Value kept = host.decode("keep");
  const std::string before(kept.view().as_string());
  for (int i = 0; i < 10; ++i) {
    (void)attempt([&] { return host.decode("torn"); });
    EXPECT_TRUE(kept.view().as_string() == before);
  }
  EXPECT_EQ(before, std::string(before.size(), 'v'));
}

TEST(EvilCalls, ANewWorkerFindsNothingOfEarlierCalls) {
  const EvilHost host(5, false);
  const std::string pattern = [&] {
    return std::string(host.decode("leave-secret").view().as_string().substr(0, 1 << 20));
  }();
  for (int i = 0; i < 4; ++i) {
    (void)host.decode("leave-secret");
    (void)host.decode("good " + pattern);  // as input
    EXPECT_FALSE(host.decode("find-secret").view().as_bool());
  }
}

TEST(EvilCalls, ANewWorkerFindsNothingOfEarlierSmallCalls) {
  const EvilHost host(5, false);
  for (int i = 0; i < 6; ++i) {
    (void)host.decode("leave-small-secret");
    EXPECT_FALSE(host.decode("find-secret").view().as_bool());
    for (int small = 0; small < 4; ++small) (void)host.decode("leave-small-secret");
    EXPECT_FALSE(host.decode("find-secret").view().as_bool());
  }
}

TEST(EvilCalls, TheEndBySpentProcessorTimeIsNamed) {
  RegistryOptions options;
  options.plugin_paths = {POLYCODEC_TEST_BINARY_DIR "/evil_plugins"};
  options.use_environment = false;
  options.policy.isolation.cpu_seconds = 1;
  const Registry registry = Registry::open(options);
  const auto result =
      attempt([&] { return registry.codec("test.evil").decode(Source::view("loop")); });
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().describe().find("cpu_seconds"), std::string::npos)
      << result.error().describe();
}

TEST(EvilCalls, AWorkerThatIsReusedKeepsNoFileOfAnEarlierCall) {
  const EvilHost host(5);
  const test::TemporaryDirectory directory;
  const std::string path = directory.path() / "input";
  test::write_file(path, "remember-input " + std::string(1 << 20, 'x'));
  const Source source = Source::file(path);
  ASSERT_TRUE(source.is_mapped());
  EXPECT_EQ(to_json(host.registry().codec("test.evil").decode(source).view(), json_compact),
            test::good_text);
  if (!test::workers_map_files(host.registry(), "test.evil"))
    GTEST_SKIP() << "without seccomp the host itself reads the file";
  const auto error = attempt([&] { return host.decode("read-remembered"); });
  ASSERT_FALSE(error.ok());
  EXPECT_NE(error.error().describe().find("SIGSEGV"), std::string::npos)
      << error.error().describe();
}

TEST(EvilCalls, TheReportCountsDeaths) {
  const EvilHost host;
  (void)host.good();
  const auto before = *host.registry().probe("test.evil").isolation;
  for (int i = 0; i < 3; ++i) (void)attempt([&] { return host.decode("segv"); });
  (void)attempt([&] { return host.decode("sleep"); });
  EXPECT_EQ(host.good(), test::good_text);
  const auto after = *host.registry().probe("test.evil").isolation;
  EXPECT_GE(after.starts, before.starts + 4);
  EXPECT_EQ(after.deaths, before.deaths + 3);
  EXPECT_EQ(after.kills, before.kills + 1);
  EXPECT_EQ(after.rule.mode, IsolationMode::process);
  EXPECT_FALSE(after.layers.empty());
}

TEST(EvilCalls, NothingIsLeftBehind) {
  const int quick = setting("POLYCODEC_EVIL_CALLS", 100);
  const int slow = setting("POLYCODEC_EVIL_SLOW_CALLS", 10);
  std::vector<const EvilDeed*> deeds[2];
  for (const EvilDeed& deed : evil_deeds) deeds[deed.slow ? 1 : 0].push_back(&deed);
  std::mt19937 random(15);
  const pid_t self = ::getpid();
  test::adopt_orphans();
  {
    const EvilHost host;
    (void)host.good();
    for (const EvilDeed* deed : deeds[0]) (void)host.try_deed(*deed);
    (void)host.good();
    const std::size_t descriptors = test::count_descriptors();
    const std::size_t mappings = test::count_mappings();
    const std::size_t processes = test::descendants(self).size();
    const std::uint64_t memory = test::resident_bytes();
    for (int i = 0, slow_left = slow; i < quick + slow; ++i) {
      const bool is_slow = slow_left > 0 && i % (quick / slow + 1) == 0;
      if (is_slow) --slow_left;
      const auto& choice = deeds[is_slow ? 1 : 0];
      const EvilDeed& deed = *choice[random() % choice.size()];
      const auto error = host.try_deed(deed);
      ASSERT_TRUE(error || deed.may_succeed) << deed.name;
      if (random() % 2 == 0) {
        ASSERT_EQ(host.good(), test::good_text) << "after " << deed.name;
      }
    }
    ASSERT_EQ(host.good(), test::good_text);
    EXPECT_TRUE(test::wait_until([&] { return test::descendants(self).size() <= processes; }));
    EXPECT_LE(test::count_descriptors(), descriptors + 2);
    EXPECT_LE(test::count_mappings(), mappings + 20);
    EXPECT_LE(test::resident_bytes(), memory + (std::uint64_t{64} << 20));
  }
  EXPECT_TRUE(test::wait_until([&] { return test::descendants(self).empty(); }));
}

/// Kills a host in the middle of a deed.
void expect_no_survivor(const char* deed) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    const EvilHost host(600);
    (void)host.good();
    if (::write(ends[1], "x", 1) != 1) ::_exit(1);
    for (;;) (void)attempt([&] { return host.decode(deed); });
  }
  ::close(ends[1]);
  char ready;
  ASSERT_EQ(::read(ends[0], &ready, 1), 1);
  ::close(ends[0]);
  ::usleep(200000);
  const auto processes = test::descendants(child);
  EXPECT_FALSE(processes.empty());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  for (const auto& process : processes)
    EXPECT_TRUE(test::wait_until([&] { return !test::is_alive(process); })) << process.id;
}

TEST(EvilCalls, NoProcessOutlivesAHostThatIsKilled) {
  for (const char* deed : {"good", "sleep", "loop", "blocked-signals", "flood"})
    expect_no_survivor(deed);
}

}  // namespace
}  // namespace polycodec
