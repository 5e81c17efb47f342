// SPDX-License-Identifier: MIT
// Each layer is refused in turn. It is reported, the others hold, and the worker serves.
#include "confined.hpp"
#include "registry/load/isolation_rule.hpp"

#include <grp.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <string>
#include <tuple>

namespace polycodec::sandbox {
namespace {

constexpr int answered = 1;

struct Refusal {
  Layer layer;
  long number;
  unsigned argument;
  std::uint32_t value;
};

const Refusal refusals[] = {
    {Layer::user_namespace, SYS_unshare, 0, CLONE_NEWUSER},
    {Layer::mount_namespace, SYS_unshare, 0, CLONE_NEWNS},
    {Layer::mount_namespace, SYS_mount_setattr, 0, 0},
    {Layer::mount_namespace, SYS_pivot_root, 0, 0},
    {Layer::network_namespace, SYS_unshare, 0, CLONE_NEWNET},
    {Layer::ipc_namespace, SYS_unshare, 0, CLONE_NEWIPC},
    {Layer::pid_namespace, SYS_unshare, 0, CLONE_NEWPID},
    {Layer::landlock, SYS_landlock_create_ruleset, 0, 0},
    {Layer::landlock, SYS_landlock_restrict_self, 0, 0},
    {Layer::limits, SYS_prlimit64, 1, RLIMIT_NOFILE},
    {Layer::not_dumpable, SYS_prctl, 0, PR_SET_DUMPABLE},
    {Layer::no_new_privileges, SYS_capset, 0, 0},
};

void become_nobody() {
  if (::geteuid() != 0) return;
  constexpr unsigned nobody = 65534;
  if (::setgroups(0, nullptr) != 0 || ::setresgid(nobody, nobody, nobody) != 0 ||
      ::setresuid(nobody, nobody, nobody) != 0)
    ::_exit(96);
  // A change of user makes /proc/self another user's.
  ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

/// The error (EPERM: a container forbids it, ENOSYS: the kernel does not have it), and the user.
class RefusedLayer : public testing::TestWithParam<std::tuple<Refusal, int, bool>> {};

TEST_P(RefusedLayer, IsReportedAndTheOthersHold) {
  const auto& [refusal, error, as_nobody] = GetParam();
  const auto start = [as_nobody = as_nobody] {
    if (as_nobody) become_nobody();
  };
  const Confined whole = run_confined(
      {}, [] { return answered; }, start);
  if (whole.error(refusal.layer) != 0) GTEST_SKIP() << "the kernel refuses the layer anyhow";
  const Confined run = run_confined(
      {}, [] { return answered; },
      [&, refused = refusal, error_number = error] {
        start();
        refuse_call(refused.number, error_number, refused.argument, refused.value);
      });
  EXPECT_EQ(run.answer, answered);
  EXPECT_EQ(run.error(refusal.layer), error);
  for (const auto& [layer, was] : whole.errors) {
    // Without a user namespace a plain user may enter no other one.
    const bool plain = as_nobody || ::geteuid() != 0;
    const bool depends = refusal.layer == Layer::user_namespace && plain &&
                         layer >= Layer::mount_namespace && layer <= Layer::pid_namespace;
    if (layer == refusal.layer || depends) continue;
    EXPECT_EQ(run.error(layer), was) << layer_name(layer);
  }
}

INSTANTIATE_TEST_SUITE_P(All, RefusedLayer,
                         testing::Combine(testing::ValuesIn(refusals),
                                          testing::Values(EPERM, ENOSYS), testing::Bool()));

TEST(Layers, UserNamespacesForbiddenBySysctl) {
  const Confined run = run_confined(
      {}, [] { return answered; },
      [] {
        const unsigned uid = ::geteuid();
        if (::unshare(CLONE_NEWUSER) != 0) ::_exit(95);
        std::ofstream("/proc/self/setgroups") << "deny";
        std::ofstream("/proc/self/uid_map") << "0 " << uid << " 1\n";
        std::ofstream sysctl("/proc/sys/user/max_user_namespaces");
        sysctl << "0";
        sysctl.close();
        if (!sysctl) ::_exit(94);
      });
  if (run.errors.empty()) GTEST_SKIP() << "no user namespace can be made here";
  EXPECT_EQ(run.answer, answered);
  EXPECT_EQ(run.error(Layer::user_namespace), ENOSPC);
  EXPECT_EQ(run.error(Layer::network_namespace), 0);
  EXPECT_EQ(run.error(Layer::seccomp), 0);
}

TEST(Layers, MissingOnesAreThoseThatAreRequiredAndDoNotHold) {
  const auto bit = [](Layer layer) { return 1u << static_cast<unsigned>(layer); };
  IsolationRule rule;
  const LayerResult results[] = {{Layer::seccomp, 0},
                                 {Layer::landlock, ENOSYS},
                                 {Layer::mount_namespace, 0},
                                 {Layer::mount_namespace, EPERM}};
  EXPECT_EQ(missing_layers(rule, results), 0u);
  rule.require =
      bit(Layer::seccomp) | bit(Layer::landlock) | bit(Layer::mount_namespace) | bit(Layer::limits);
  EXPECT_EQ(missing_layers(rule, results),
            bit(Layer::landlock) | bit(Layer::mount_namespace) | bit(Layer::limits));
}

}  // namespace
}  // namespace polycodec::sandbox
