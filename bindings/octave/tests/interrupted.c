/* SPDX-License-Identifier: MIT
 * Preloaded: a signal interrupts every second read from standard input and write to standard output.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

static ssize_t interrupted(int* calls) {
  errno = EINTR;
  return ++*calls % 2 != 0 ? -1 : 0;
}

ssize_t read(int fd, void* to, size_t n) {
  static int calls;
  if (fd == 0 && interrupted(&calls) < 0) return -1;
  return syscall(SYS_read, fd, to, n);
}

ssize_t write(int fd, const void* from, size_t n) {
  static int calls;
  if (fd == 1 && interrupted(&calls) < 0) return -1;
  return syscall(SYS_write, fd, from, n);
}
