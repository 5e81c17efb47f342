// SPDX-License-Identifier: MIT
#include "registry/sandbox/namespaces.hpp"

#include "registry/sandbox/confine.hpp"

#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace polycodec::sandbox {
namespace {

bool has_own_mounts = false;

int write_file(const char* path, const char* text) {
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  const std::size_t size = std::strlen(text);
  const int error = ::write(fd, text, size) == static_cast<ssize_t>(size) ? 0 : errno;
  ::close(fd);
  return error;
}

/// The user keeps its number, so files have the owners that they have outside.
int enter_user_namespace() {
  const unsigned uid = ::geteuid(), gid = ::getegid();
  if (::unshare(CLONE_NEWUSER) != 0) return errno;
  char line[64];
  std::snprintf(line, sizeof line, "%u %u 1\n", uid, uid);
  if (const int error = write_file("/proc/self/uid_map", line); error != 0) return error;
  if (const int error = write_file("/proc/self/setgroups", "deny"); error != 0) return error;
  std::snprintf(line, sizeof line, "%u %u 1\n", gid, gid);
  return write_file("/proc/self/gid_map", line);
}

/// Files can be read until the plugin is loaded. Nothing can be written from now on, not even the
/// devices that belong to root.
int enter_mount_namespace() {
  if (::unshare(CLONE_NEWNS) != 0) return errno;
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return errno;
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  if (::syscall(SYS_mount_setattr, AT_FDCWD, "/", AT_RECURSIVE, &attributes, sizeof attributes) !=
      0)
    return errno;
  // The files of processes are not files: a nested user namespace is described there.
  attributes.attr_set = 0;
  attributes.attr_clr = MOUNT_ATTR_RDONLY;
  (void)::syscall(SYS_mount_setattr, AT_FDCWD, "/proc", 0, &attributes, sizeof attributes);
  has_own_mounts = true;
  return 0;
}

/// A plugin's constructor has all capabilities of its namespaces. In a nested one it can't make the
/// mounts of the outer one writable again.
int lock_mounts() {
  if (const int error = enter_user_namespace(); error != 0) return error;
  return ::unshare(CLONE_NEWNS) == 0 ? 0 : errno;
}

int enter(int flag) {
  return ::unshare(flag) == 0 ? 0 : errno;
}

}  // namespace

std::vector<LayerResult> enter_namespaces() {
  std::vector<LayerResult> results;
  // The first one gives the right to enter the others.
  results.push_back({Layer::user_namespace, enter_user_namespace()});
  const bool has_user = results.front().error == 0;
  int mounts = enter_mount_namespace();
  if (mounts == 0 && has_user) mounts = lock_mounts();
  results.push_back({Layer::mount_namespace, mounts});
  results.push_back({Layer::network_namespace, enter(CLONE_NEWNET)});
  results.push_back({Layer::ipc_namespace, enter(CLONE_NEWIPC)});
  results.push_back({Layer::pid_namespace, enter(CLONE_NEWPID)});
  return results;
}

int leave_files() {
  if (!has_own_mounts) return 0;
  // Any directory serves as the place of the new root: the old one is gone afterwards.
  const char* const places[] = {"/tmp", "/proc", "/dev", "/usr"};
  int error = ENOENT;
  for (const char* place : places) {
    if (::mount("none", place, "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC,
                "size=4k,mode=555") == 0) {
      if (::chdir(place) == 0 && ::syscall(SYS_pivot_root, ".", ".") == 0 &&
          ::umount2(".", MNT_DETACH) == 0 && ::chdir("/") == 0)
        return 0;
      return errno;
    }
    error = errno;
  }
  return error;
}

}  // namespace polycodec::sandbox
