// SPDX-License-Identifier: MIT
// A kernel or a container that refuses something: isolated calls work all the same.
#include "confined.hpp"
#include "evil_host.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <tuple>

namespace polycodec {
namespace {

struct RefusedCall {
  const char* name;
  long number;
  unsigned argument;
  std::uint32_t value;
};

const RefusedCall refused_calls[] = {
    {"unshare", SYS_unshare, 0, 0},
    {"user_namespace", SYS_unshare, 0, CLONE_NEWUSER},
    {"mount_namespace", SYS_unshare, 0, CLONE_NEWNS},
    {"pid_namespace", SYS_unshare, 0, CLONE_NEWPID},
    {"clone3", SYS_clone3, 0, 0},
    {"landlock", SYS_landlock_create_ruleset, 0, 0},
    {"fsopen", SYS_fsopen, 0, 0},
    {"fsmount", SYS_fsmount, 0, 0},
    {"mount_setattr", SYS_mount_setattr, 0, 0},
    {"setlease", SYS_fcntl, 1, F_SETLEASE},
    {"setsig", SYS_fcntl, 1, F_SETSIG},
    {"capset", SYS_capset, 0, 0},
};

/// Runs `body` in a process of its own; true if it threw nothing.
template <class Body>
bool passes_apart(Body&& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto result = attempt(body);
    if (!result.ok()) std::fprintf(stderr, "%s\n", result.error().describe().c_str());
    ::_exit(result.ok() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void need(bool condition, const std::string& what) {
  if (condition) return;
  throw Error(Status::internal, what);
}

class RefusedByKernel : public testing::TestWithParam<std::tuple<RefusedCall, int>> {};

TEST_P(RefusedByKernel, CallsWorkAllTheSame) {
  const auto& [call, error] = GetParam();
  EXPECT_TRUE(passes_apart([refused = call, number = error] {
    sandbox::refuse_call(refused.number, number, refused.argument, refused.value);
    const test::EvilHost host;
    need(host.good() == test::good_text, "a good call before");
    const Value large = host.decode("keep");
    const auto crash = attempt([&] { return host.decode("segv"); });
    need(!crash.ok() && crash.error().code() == Status::plugin, "a crash that is an error");
    const std::string text(large.view().as_string());
    need(text == std::string(text.size(), 'v'), "a value that stays");
    need(host.good() == test::good_text, "a good call after");
  }));
}

INSTANTIATE_TEST_SUITE_P(All, RefusedByKernel,
                         testing::Combine(testing::ValuesIn(refused_calls),
                                          testing::Values(EPERM, ENOSYS)),
                         [](const auto& it) {
                           return std::string(std::get<0>(it.param).name) +
                                  (std::get<1>(it.param) == EPERM ? "_eperm" : "_enosys");
                         });

TEST(RequiredLayer, IsAnErrorThatNamesIt) {
  EXPECT_TRUE(passes_apart([] {
    sandbox::refuse_call(SYS_landlock_create_ruleset, ENOSYS);
    RegistryOptions options;
    options.plugin_paths = {POLYCODEC_TEST_BINARY_DIR "/evil_plugins"};
    options.use_environment = false;
    options.policy.isolation.require = 1u << static_cast<unsigned>(Layer::landlock);
    const ProbeRecord record = Registry::open(options).probe("test.evil");
    need(record.outcome == Outcome::refused && record.stage == Stage::policy, "a rejection");
    need(record.reason.find("landlock") != std::string::npos, record.reason);
  }));
}

}  // namespace
}  // namespace polycodec
