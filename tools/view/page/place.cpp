// SPDX-License-Identifier: MIT
#include "place.hpp"

#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "common/descriptor.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace polycodec::page {
namespace {

[[noreturn]] void fail(const char* what, const std::string& path, int error) {
  throw Error(Status::io, std::string("cannot ") + what + " " + quote(path) + ": " +
                              std::generic_category().message(error) +
                              "; name a file for the page with -o");
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// True for a directory of this user that nobody else can enter.
bool is_private(const std::string& path) {
  struct stat status {};
  return path.starts_with('/') && ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == ::geteuid() && (status.st_mode & 077) == 0;
}

std::string private_directory() {
  if (const std::string runtime = variable("XDG_RUNTIME_DIR"); is_private(runtime)) return runtime;
  std::string name = variable("TMPDIR");
  if (!name.starts_with('/')) name = "/tmp";
  name += "/polycodec-view-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) fail("make the directory", name, errno);
  return name;
}

}  // namespace

std::string write_private(std::string_view page) {
  std::string path = private_directory() + "/polycodec-view-XXXXXX.html";
  const cli::Descriptor file(::mkostemps(path.data(), 5, O_CLOEXEC));  // with mode 0600
  if (!file) fail("create", path, errno);
  while (!page.empty()) {
    const ::ssize_t done = ::write(file.get(), page.data(), page.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      const int error = errno;
      ::unlink(path.c_str());
      fail("write", path, error);
    }
    page.remove_prefix(static_cast<std::size_t>(done));
  }
  return path;
}

void open_in_browser(const std::string& path) {
  if (variable("DISPLAY").empty() && variable("WAYLAND_DISPLAY").empty()) return;
  std::string program = "/usr/bin/xdg-open";
  std::string argument = path;
  char* const words[] = {program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0) return;
  // What the browser prints is not the result of this command.
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  ::pid_t child = 0;
  static_cast<void>(::posix_spawn(&child, program.c_str(), &actions, nullptr, words, environ));
  ::posix_spawn_file_actions_destroy(&actions);
}

}  // namespace polycodec::page
