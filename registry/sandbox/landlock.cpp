// SPDX-License-Identifier: MIT
#include "registry/sandbox/landlock.hpp"

#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace polycodec::sandbox {
namespace {

/// The attribute as kernels of version 6 of Landlock know it: the installed header may be older.
struct Ruleset {
  std::uint64_t files;
  std::uint64_t network;
  std::uint64_t scoped;
};

/// How many rights on files each version has, from version 1.
constexpr unsigned file_rights[] = {13, 14, 15, 15, 16};
constexpr std::uint64_t all_network = 3;  // bind and connect: since version 4
constexpr std::uint64_t all_scopes = 3;   // abstract sockets and signals: since version 6
constexpr std::uint64_t signal_scope = 2;

int restrict_to(const Ruleset& rules, std::size_t size) {
  const long ruleset = ::syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (ruleset < 0) return errno;
  const int error = ::syscall(SYS_landlock_restrict_self, ruleset, 0) == 0 ? 0 : errno;
  ::close(static_cast<int>(ruleset));
  return error;
}

}  // namespace

int forbid_signals() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 6) return version < 0 ? errno : EOPNOTSUPP;
  Ruleset rules{};
  rules.scoped = signal_scope;
  // Without it an ordinary user may not restrict itself. Every layer comes after it anyway.
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return restrict_to(rules, sizeof rules);
}

int restrict_by_landlock() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return errno;
  constexpr long known = sizeof file_rights / sizeof file_rights[0];
  Ruleset rules{};
  rules.files = (std::uint64_t{1} << file_rights[(version < known ? version : known) - 1]) - 1;
  std::size_t size = sizeof rules.files;
  if (version >= 4) {
    rules.network = all_network;
    size += sizeof rules.network;
  }
  if (version >= 6) {
    rules.scoped = all_scopes;
    size += sizeof rules.scoped;
  }
  return restrict_to(rules, size);
}

}  // namespace polycodec::sandbox
