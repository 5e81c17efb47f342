// SPDX-License-Identifier: MIT
// A host that isolates the evil plugin, and what each of its deeds comes to.
#pragma once

#include "core/text/text.hpp"
#include "registry/codec/codec_handle.hpp"
#include "registry/codec/registry.hpp"
#include "sanitized.hpp"

#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace polycodec::test {

struct EvilDeed {
  std::string_view name;
  std::string_view says;  ///< a part of the error
  Status code = Status::plugin;
  bool slow = false;         ///< ends at a deadline
  bool may_succeed = false;  ///< harmless where the worker has nothing to misuse
  /// AddressSanitizer takes memory of its own, so that there the process may end before it answers.
  bool may_end = false;

  friend std::ostream& operator<<(std::ostream& out, const EvilDeed& deed) {
    return out << deed.name;
  }
};

inline constexpr EvilDeed evil_deeds[] = {
    // Faults.
    {"segv", "SIGSEGV"},
    {"bus", "SIGBUS"},
    {"fpe", "SIGFPE"},
    {"ill", "SIGILL"},
    {"kill-self", "SIGKILL"},
    {"terminate-self", "SIGTERM"},
    {.name = "stop-self", .says = "", .slow = true},
    {"abort", "SIGABRT"},
    {"terminate", "SIGABRT"},
    {"exit", ""},
    {"quick-exit", ""},
    {"exit-thread", ""},
    {"longjmp", "SIG"},
    {"throw", "exception", Status::internal},
    {"stack", "SIGSEGV"},
    {"double-free", POLYCODEC_SANITIZED ? "" : "SIGABRT"},
    {"smash", POLYCODEC_SANITIZED ? "" : "SIG"},
    {.name = "loop", .says = "", .slow = true},
    {.name = "sleep", .says = "", .slow = true},
    {.name = "blocked-signals", .says = "", .slow = true},
    {.name = "slow-clock", .says = "", .slow = true},
    // Forbidden system calls.
    {"open-passwd", "open"},
    {"open-proc-root", "open"},
    {"open-proc-mem", "open"},
    {"create-file", "open"},
    {"symlink", "symlink"},
    {"unlink", "unlink"},
    {"socket", "socket"},
    {"exec", "execve"},
    {"fork", "clone"},
    {"thread", "forbidden system call"},
    {"ptrace", "ptrace"},
    {"kill-parent", "kill"},
    {"kill-all", "kill"},
    {"raise-limits", "prlimit64"},
    {"dumpable", "prctl"},
    {"pause", "pause"},
    {"become-root", "setuid"},
    {"memfd", "memfd_create"},
    {"code", "mmap"},
    {"timer", "setitimer"},
    {"shared-memory", "shmget"},
    {"io-uring", "io_uring_setup"},
    {"read-host", "process_vm_readv"},
    // Values.
    {"wild", ""},
    {"null-page", ""},
    {"kernel", ""},
    {"wrap", "stray pointer"},
    {"past-input", ""},
    {"past-arena", "stray pointer"},
    {"own-heap", "stray pointer"},
    {"own-stack", "stray pointer"},
    {"unused-field", "the layout 'list_offsets' does not use it", Status::invalid},
    {"cycle", "", Status::limit},
    {.name = "kind", .says = "", .code = Status::invalid},
    {"hand-over-file", "of the isolated plugin itself", Status::unsupported},
    {"hand-over-store", "of the isolated plugin itself", Status::unsupported},
    {.name = "torn", .says = "", .may_succeed = true},
    {.name = "write-after-answer", .says = "", .may_succeed = true},
    {.name = "write-input", .says = "", .may_succeed = true},
    // Descriptors.
    {"close-all", ""},
    {"garbage", ""},
    {"zeros", ""},
    {.name = "flood", .says = "", .may_succeed = false},
    {.name = "empty-packets", .says = "", .may_succeed = true},
    {.name = "send-descriptors", .says = "", .may_succeed = true},
    {"exhaust-descriptors", "dup"},
    {"lease", "fcntl"},
    {"seal", "fcntl"},
    {"truncate", "ftruncate"},
    {.name = "read-all", .says = "", .may_succeed = true},
    // Resources.
    {"memory", "memory allows 128"},
    {.name = "arena", .says = "", .code = Status::limit, .may_end = POLYCODEC_SANITIZED != 0},
    {"credit", ""},
    {.name = "cursor", .says = "", .may_succeed = true},
    {.name = "cursor-back", .says = "", .may_succeed = true},
    {.name = "limit", .says = "", .may_succeed = true},
    {.name = "log", .says = "", .may_succeed = true},
    {"work", "", Status::limit},
};

/// The value of the deed `good`, as typed JSON.
inline const std::string good_text = [] {
  std::string text = "[";
  for (int i = 0; i < 20; ++i)
    text += (i == 0 ? "\"value " : ",\"value ") + std::to_string(i) + '"';
  return text + "]";
}();

class EvilHost {
 public:
  explicit EvilHost(std::uint32_t wall_seconds = 1, bool reuse = true) {
    RegistryOptions options;
    options.plugin_paths = {POLYCODEC_TEST_BINARY_DIR "/evil_plugins"};
    options.use_environment = false;
    options.policy.isolation.memory_bytes = std::uint64_t{128} << 20;
    options.policy.isolation.wall_seconds = wall_seconds;
    options.policy.isolation.reuse = reuse;
    options.limits.max_memory_bytes = std::uint64_t{64} << 20;
    registry_ = Registry::open(options);
  }

  const Registry& registry() const { return *registry_; }

  /// The input starts with the name of the deed.
  Value decode(std::string_view deed) const {
    return registry_->codec("test.evil").decode(Source::owned(std::string(deed) + " and more"));
  }
  std::optional<Error> try_deed(const EvilDeed& deed) const {
    const auto result = attempt([&] { return decode(deed.name); });
    return result.ok() ? std::nullopt : std::optional(result.error());
  }
  std::string good() const { return to_json(decode("good").view(), json_compact); }

 private:
  std::optional<Registry> registry_;
};

}  // namespace polycodec::test
