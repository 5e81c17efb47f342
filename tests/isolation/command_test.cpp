// SPDX-License-Identifier: MIT
// Isolation as operators see it: the command, the kit and the interface for C.
#include "tests/cli/command.hpp"

#include <polycodec/host.h>

namespace polycodec::test {
namespace {

const std::string evil_plugins = POLYCODEC_TEST_BINARY_DIR "/evil_plugins";

class IsolationCommand : public Command {
 protected:
  /// The record of the evil plugin.
  Json record(const std::vector<std::string>& more) {
    std::vector<std::string> words{"doctor", "--json", "--plugin-path", evil_plugins};
    words.insert(words.end(), more.begin(), more.end());
    const Finished doctor = run(words);
    const Json records = Json::parse(doctor.out)["records"];
    for (const Json& one : records)
      if (one["id"] == "test.evil") return one;
    return {};
  }
};

TEST_F(IsolationCommand, DoctorShowsLayersAndCounters) {
  const Json isolation = record({})["isolation"];
  EXPECT_EQ(isolation["rule"]["mode"], "process");
  EXPECT_TRUE(isolation["layers"]["seccomp"].is_null());
  EXPECT_TRUE(isolation["layers"].contains("user_namespace"));
  EXPECT_GE(isolation["starts"], 1);
  EXPECT_EQ(isolation["deaths"], 0);
  const Finished text = run({"doctor", "--plugin-path", evil_plugins});
  EXPECT_NE(text.out.find("isolated by "), std::string::npos) << text.out;
}

TEST_F(IsolationCommand, DoctorNeverLoadsForeignPluginsInItsProcess) {
  EXPECT_EQ(record({"--isolate", "in-process"})["isolation"]["rule"]["mode"], "process");
  write("c.json", R"({"policy": {"isolation": {"plugins": {"test.*": "in-process"}}}})");
  EXPECT_EQ(record({"--config", (directory_ / "c.json").string()})["isolation"]["rule"]["mode"],
            "process");
}

TEST_F(IsolationCommand, LayersThatTheKernelRefusesCanBeRequired) {
  write("c.json", R"({"policy": {"isolation": {"require": ["seccomp"]}}})");
  EXPECT_EQ(record({"--config", (directory_ / "c.json").string()})["outcome"], "loaded");
}

TEST_F(IsolationCommand, ACrashIsAnErrorOfThePlugin) {
  write("x.evil", "segv");
  const Finished crash =
      run({"decode", "x.evil", "--from", "test.evil", "--plugin-path", evil_plugins, "--json"});
  EXPECT_EQ(crash.status, 3);
  const Json error = Json::parse(crash.out)["error"];
  EXPECT_EQ(error["code"], "plugin");
  EXPECT_NE(error["message"].get<std::string>().find("SIGSEGV"), std::string::npos) << error;
}

TEST_F(IsolationCommand, FilesOfTheProcessMayBeBounded) {
  const auto decode = [&](const char* kilobytes) {
    return run_line(directory_, "ulimit -f " + std::string(kilobytes) +
                                    " && " POLYCODEC_BIN_DIR "/polycodec decode " +
                                    shell_word(vector("mp_array_16_16")) + " --isolate process");
  };
  EXPECT_EQ(decode("65536").status, 0) << decode("65536").err;
  const Finished small = decode("100");
  EXPECT_EQ(small.status, 1);
  EXPECT_NE(small.err.find("RLIMIT_FSIZE"), std::string::npos) << small.err;
}

TEST_F(IsolationCommand, PluginsOfThePackageCanBeIsolatedToo) {
  const std::string in_process = run({"decode", vector("mp_array_16_16")}).out;
  EXPECT_FALSE(in_process.empty());
  EXPECT_EQ(run({"decode", vector("mp_array_16_16"), "--isolate", "process"}).out, in_process);
  EXPECT_EQ(run({"decode", vector("mp_array_16_16"), "--isolate", "jail"}).status, 2);
}

TEST_F(IsolationCommand, TheConfigurationIsShownInFull) {
  write("c.json",
        R"({"policy": {"isolation": {"mode": "process", "plugins": {"a": {"memory": 5}}}}})");
  const Finished show = run({"config", "show", "--json", "--config",
                             (directory_ / "c.json").string(), "--isolate", "auto"});
  const Json setting = Json::parse(show.out)["settings"]["policy.isolation"];
  EXPECT_EQ(setting["value"]["mode"], "auto") << show.out;
  EXPECT_EQ(setting["origin"], "--isolate");
}

TEST_F(IsolationCommand, TheKitOutlivesPluginsThatKill) {
  const std::string kit = POLYCODEC_BIN_DIR "/polycodec-kit";
  const Finished run = run_line(
      directory_, kit + " " POLYCODEC_TEST_BINARY_DIR
                        "/evil_loading/test.kill_parent.polycodec.json --filter 'plugin/*'");
  EXPECT_EQ(run.status, 1) << run.err;
  EXPECT_NE(run.out.find(" passed, "), std::string::npos) << run.out << run.err;
}

TEST(IsolationInC, TheOptionIsAModeOrJson) {
  const auto open = [](std::string_view isolation, std::int32_t& code) {
    static const std::string directory = evil_plugins;
    const polycodec_bytes paths[] = {{directory.data(), directory.size()}};
    polycodec_registry_options options{};
    options.struct_size = sizeof options;
    options.flags = POLYCODEC_REGISTRY_NO_ENVIRONMENT;
    options.plugin_paths = paths;
    options.n_plugin_paths = 1;
    options.isolation = {isolation.data(), isolation.size()};
    polycodec_registry* registry = nullptr;
    code = polycodec_registry_open(&options, &registry, nullptr);
    return registry;
  };
  std::int32_t code = POLYCODEC_OK;
  for (const char* good : {"", "auto", "process", R"({"mode": "process", "memory": 1000000000})"}) {
    polycodec_registry* const registry = open(good, code);
    EXPECT_EQ(code, POLYCODEC_OK) << good;
    polycodec_registry_release(registry);
  }
  EXPECT_EQ(open("jail", code), nullptr);
  EXPECT_EQ(code, POLYCODEC_ERROR_OPTION);
}

}  // namespace
}  // namespace polycodec::test
