// SPDX-License-Identifier: MIT
// The process that loads the plugin, drops its rights and then only forks workers.
#include "registry/isolation/zygote.hpp"

#include <base/loaded_constants.hpp>
#include <polycodec/error.hpp>

#include "core/call/chunk_pool.hpp"
#include "core/io/posix_file.hpp"
#include "core/value/value.hpp"
#include "registry/isolation/window.hpp"
#include "registry/load/builtin_table.hpp"
#include "registry/load/library.hpp"
#include "registry/load/manifest.hpp"
#include "registry/sandbox/confine.hpp"
#include "registry/sandbox/landlock.hpp"
#include "registry/sandbox/remote_call.hpp"
#include "registry/sandbox/workers.hpp"

#include <dlfcn.h>
#include <linux/mount.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::sandbox {
namespace {

using isolation::Received;

/// Where the host has put the socket.
constexpr int control_descriptor = 3;

/// What the host says of the plugin, in the order of the constructor of the host's Zygote.
class Parameters {
 public:
  explicit Parameters(std::string_view text) : all_(isolation::split_parameters(text)) {}
  std::string text() {
    if (next_ == all_.size()) throw LoadFailure{Stage::load, "the host sent too few parameters"};
    return all_[next_++];
  }
  std::uint64_t number() {
    const std::string given = text();
    std::uint64_t value = 0;
    std::from_chars(given.data(), given.data() + given.size(), value);
    return value;
  }

 private:
  std::vector<std::string> all_;
  std::size_t next_ = 0;
};

std::string read_all(int descriptor) {
  // A zygote before this one has read it.
  ::lseek(descriptor, 0, SEEK_SET);
  std::string text;
  static_cast<void>(posix::append_rest(descriptor, text, max_manifest_bytes));
  return text;
}

/// The plugin that is linked into the host's library. The library is opened by its path, beside
/// which the loader finds those that it needs.
const BuiltinPlugin& open_builtin(const std::string& library, const std::string& id) {
  void* const opened = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) throw LoadFailure{Stage::load, ::dlerror()};
  const auto* table =
      static_cast<const BuiltinTable*>(::dlsym(opened, POLYCODEC_BUILTIN_TABLE_SYMBOL));
  if (table == nullptr || table->struct_size != sizeof(BuiltinTable) ||
      std::string_view(table->version) != POLYCODEC_VERSION)
    throw LoadFailure{Stage::abi, library + " is not of version " POLYCODEC_VERSION
                                            " like polycodec-sandbox: reinstall the package of "
                                            "polycodec"};
  for (const BuiltinPlugin& plugin : table->plugins())
    if (plugin.plugin->id == id) return plugin;
  throw LoadFailure{Stage::entry, library + " has no such plugin linked in"};
}

void load(Parameters given, std::vector<FileHandle> files, Loaded& loaded) {
  if (given.text() != POLYCODEC_VERSION || files.size() == 1)
    throw LoadFailure{Stage::load,
                      "polycodec-sandbox is of another version than the library: reinstall the "
                      "package of polycodec"};
  loaded.window.begin = given.number();
  loaded.window.size = given.number();
  if (!isolation::Window::reserve_at(loaded.window.begin, loaded.window.size))
    throw LoadFailure{Stage::load, "the addresses of the host's segments are taken in its process"};
  const std::string id = given.text();
  const std::string manifest_path = given.text();
  const std::string library_path = given.text();
  loaded.rule.memory_bytes = given.number();
  loaded.rule.cpu_seconds = static_cast<std::uint32_t>(given.number());
  const bool is_builtin = files.empty();
  const BuiltinPlugin builtin = is_builtin ? open_builtin(library_path, id) : BuiltinPlugin();
  try {
    loaded.manifest = is_builtin ? parse_manifest(builtin.manifest, library_path)
                                 : parse_manifest(read_all(files[0].get()), manifest_path);
  } catch (const Error& e) {
    throw LoadFailure{Stage::manifest, e.message()};
  }
  const std::vector<std::string>& own = loaded.manifest.libraries;
  if (!is_builtin && files.size() != 2 + own.size())
    throw LoadFailure{Stage::load, "the manifest has changed since the host read it"};
  for (std::size_t i = 0; i < own.size() && !is_builtin; ++i) try {
      open_needed_library(std::move(files[2 + i]),
                          std::filesystem::path(library_path).replace_filename(own[i]));
    } catch (const LoadFailure& failure) {
      throw LoadFailure{failure.stage, own[i] + ": " + failure.reason};
    }
  const polycodec_plugin* const plugin =
      is_builtin ? builtin.plugin : open_library(std::move(files[1]), library_path);
  loaded.code = constants_around(plugin);
  loaded.plugin = load_plugin(*plugin, loaded.manifest, {std::shared_ptr<void>(), &remote_host});
}

void describe(const Loaded& loaded, Message& message) {
  const auto index = static_cast<std::size_t>(message.a[0]);
  if (message.a[1] != 0) {
    const auto& path = loaded.manifest.functions.at(index);
    const std::vector<std::string_view> parts(path.begin(), path.end());
    const polycodec_function& function = *loaded.plugin->functions.find(parts);
    message.a[0] = function.min_args;
    message.a[1] = function.max_args;
    return;
  }
  const auto tell = [&](const auto& object, std::uint64_t inputs, std::uint64_t outputs) {
    message.a[0] = object.capabilities;
    message.a[1] = inputs;
    message.a[2] = outputs;
    message.a[3] = object.sniff != nullptr ? 1 : 0;
  };
  const void* const object = loaded.plugin->objects.at(index);
  switch (loaded.manifest.codecs.at(index).kind) {
    case Kind::codec: {
      const auto& codec = *static_cast<const polycodec_codec*>(object);
      return tell(codec, codec.inputs, codec.outputs);
    }
    case Kind::filter:
      return tell(*static_cast<const polycodec_filter*>(object), 0, 0);
    case Kind::store:
      return tell(*static_cast<const polycodec_store_format*>(object), 0, 0);
  }
}

/// A file system in memory with huge pages, which nobody else can reach: pages of 4 KiB would take
/// most of the time of a large call. Not open where the kernel refuses it.
FileHandle make_memory_files() {
  const FileHandle context(static_cast<int>(::syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC)));
  const auto set = [&](unsigned command, const char* key, const char* value) {
    return ::syscall(SYS_fsconfig, context.get(), command, key, value, 0) == 0;
  };
  if (!context.is_open() || !set(FSCONFIG_SET_STRING, "huge", "always") ||
      !set(FSCONFIG_SET_STRING, "mode", "0700") || !set(FSCONFIG_CMD_CREATE, nullptr, nullptr))
    return FileHandle();
  return FileHandle(
      static_cast<int>(::syscall(SYS_fsmount, context.get(), FSMOUNT_CLOEXEC,
                                 MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC)));
}

/// Waits for the next request; looks after workers that are about to end meanwhile.
void wait_for_request(Workers& workers) {
  pollfd control{control_descriptor, POLLIN, 0};
  while (!workers.forget_retired() && ::poll(&control, 1, 1) == 0) continue;
}

/// Returns when the host has no more use for the plugin.
void serve(Loaded& loaded, isolation::Channel& control) {
  Workers workers(loaded, control);
  for (;;) {
    wait_for_request(workers);
    Message message;
    std::vector<FileHandle> files;
    if (control.receive(message, &files) != Received::packet) return;
    if (message.op == Op::fork) {
      workers.fork(message, std::move(files));
      workers.retire(message.a[0]);
      continue;
    }
    if (message.op == Op::retire) {
      workers.retire(message.a[0]);
      continue;
    }
    message.code = guard(&message.error, [&] {
      switch (message.op) {
        case Op::describe:
          return describe(loaded, message);
        case Op::leave:
          return loaded.plugin.reset();
        default:
          workers.reap(message);
      }
    });
    if (!control.send(message)) return;
  }
}

[[noreturn]] void run_zygote(isolation::Channel control, std::vector<LayerResult> layers) {
  // Before the plugin can do anything.
  FileHandle memory_files = make_memory_files();
  // Constructors could signal processes of the user where there is no PID namespace.
  static_cast<void>(forbid_signals());
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  static Loaded loaded;  // never destroyed: the plugin's static objects go first
  Message message;
  std::string text;
  std::vector<FileHandle> files;
  if (control.receive(message, &files, &text) != Received::packet) ::_exit(0);
  message.error = make_error();
  send_lines_to(&control);
  try {
    load(Parameters(text), std::move(files), loaded);
    if (!end_others())
      throw LoadFailure{Stage::init,
                        "it starts threads while it is loaded, which isolated plugins may not"};
    const auto dropped = drop_rights();
    layers.insert(layers.end(), dropped.begin(), dropped.end());
    // A change of rights clears it.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  } catch (const LoadFailure& failure) {
    message.code = fill_error(&message.error, Status::plugin, failure.reason);
    message.a[0] = static_cast<std::uint64_t>(failure.stage);
  } catch (const std::exception& e) {
    message.code = fill_error(&message.error, Status::plugin, e.what());
    message.a[0] = static_cast<std::uint64_t>(Stage::load);
  }
  const bool failed = message.code != POLYCODEC_OK;
  const int descriptors[] = {memory_files.get()};
  if (!control.send(message, {descriptors, memory_files.is_open() ? 1u : 0u},
                    isolation::layers_to_text(layers)) ||
      failed)
    ::_exit(0);
  memory_files = FileHandle();
  serve(loaded, control);
  ::_exit(0);
}

}  // namespace
}  // namespace polycodec::sandbox

namespace polycodec::sandbox {
namespace {

/// The zygote, and how it ended, as of waitpid().
volatile sig_atomic_t zygote_id = 0, zygote_status = -1;

/// Processes that a plugin has left become children of process 1.
void reap(int) {
  const int error = errno;
  int status = 0;
  for (pid_t ended; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;)
    if (ended == zygote_id) zygote_status = status;
  errno = error;
}

/// How the zygote ended, as shells say it.
int exit_code(int status) {
  if (status < 0) return 1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Process 1 of the sandbox runs no code of the plugin. All processes of its namespace end with it:
/// when the host is gone, when its parent has ended or when the zygote has.
[[noreturn]] void watch(isolation::Channel control, std::vector<LayerResult> layers) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  sigset_t children;
  ::sigemptyset(&children);
  ::sigaddset(&children, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &children, nullptr);
  (void)::signal(SIGCHLD, reap);
  const pid_t zygote = ::fork();
  if (zygote < 0) ::_exit(1);
  if (zygote == 0) {
    (void)::signal(SIGCHLD, SIG_DFL);
    ::sigprocmask(SIG_UNBLOCK, &children, nullptr);
    run_zygote(std::move(control), std::move(layers));
  }
  zygote_id = zygote;
  ::sigprocmask(SIG_UNBLOCK, &children, nullptr);
  const FileHandle process(static_cast<int>(::syscall(SYS_pidfd_open, zygote, 0)));
  pollfd watched[] = {{control_descriptor, 0, 0}, {process.get(), POLLIN, 0}};
  while (::poll(watched, 2, -1) < 0 && errno == EINTR) {
  }
  while (::poll(&watched[1], 1, isolation::ending_milliseconds) < 0 && errno == EINTR) {
  }
  // The handler may not have run yet.
  if (int status = 0; zygote_status < 0 && ::waitpid(zygote, &status, WNOHANG) == zygote)
    zygote_status = status;
  if (zygote_status < 0) ::kill(zygote, SIGKILL);
  ::_exit(exit_code(zygote_status));
}

}  // namespace
}  // namespace polycodec::sandbox

int main() {
  using namespace polycodec;
  using namespace polycodec::sandbox;
  // More would be kept with the help of a thread, which may not be here.
  set_arena_pool_bytes(ChunkPool::calm_bytes);
  // A signal of a plugin to its process group, or of the terminal to the host's, stays there.
  ::setsid();
  isolation::Channel control{FileHandle(control_descriptor)};
  std::vector<LayerResult> layers = enter_namespaces();
  const pid_t first = ::fork();
  if (first < 0) return 1;
  if (first == 0) watch(std::move(control), std::move(layers));
  control = isolation::Channel();
  int status = -1;
  while (::waitpid(first, &status, 0) < 0 && errno == EINTR) {
  }
  ::_exit(exit_code(status));  // what runs at exit may change the status
}
