/* SPDX-License-Identifier: MIT
 *
 * Loaded with LD_PRELOAD: makes one operation of a program go wrong, which one an environment
 * variable says. TORTURE_ALLOCATION=N   the Nth allocation after main() begins fails; N+ every one
 * from there on TORTURE_KILL=N         SIGKILL in place of the Nth operation that changes files
 *   TORTURE_DISK=N         from the Nth such operation on, writes fail with ENOSPC
 *   TORTURE_COUNT=FILE     writes both numbers to FILE at the end */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t n, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

/* Which operation fails; 0: none. */
static long fail_allocation, kill_at, disk_full_at;
static int fails_later;
static atomic_long allocations, changes;
static atomic_int has_begun;

static int no_memory(void) {
  long number;
  if (!atomic_load(&has_begun)) return 0;
  number = atomic_fetch_add(&allocations, 1) + 1;
  return fail_allocation != 0 &&
         (number == fail_allocation || (fails_later && number > fail_allocation));
}

void* malloc(size_t size) {
  if (!no_memory()) return __libc_malloc(size);
  errno = ENOMEM;
  return NULL;
}

void* calloc(size_t n, size_t size) {
  if (!no_memory()) return __libc_calloc(n, size);
  errno = ENOMEM;
  return NULL;
}

void* realloc(void* old, size_t size) {
  if (!no_memory()) return __libc_realloc(old, size);
  errno = ENOMEM;
  return NULL;
}

void* aligned_alloc(size_t alignment, size_t size) {
  if (!no_memory()) return __libc_memalign(alignment, size);
  errno = ENOMEM;
  return NULL;
}

int posix_memalign(void** out, size_t alignment, size_t size) {
  void* made;
  if (no_memory()) return ENOMEM;
  made = __libc_memalign(alignment, size);
  if (made == NULL) return ENOMEM;
  *out = made;
  return 0;
}

/* The next definition of a function, as a pointer to data: C has no conversion between the two. */
#define NEXT(name)                               \
  __typeof__(name)* next;                        \
  {                                              \
    void* const found = dlsym(RTLD_NEXT, #name); \
    memcpy(&next, &found, sizeof next);          \
  }

void* mmap(void* at, size_t size, int protection, int flags, int fd, off_t offset) {
  NEXT(mmap)
  if ((flags & MAP_ANONYMOUS) == 0 || (flags & MAP_NORESERVE) != 0 || !no_memory())
    return next(at, size, protection, flags, fd, offset);
  errno = ENOMEM;
  return MAP_FAILED;
}

/* Called before each operation that changes a file. 1: it fails, because the disk is full. */
static int disk_is_full(int fd) {
  struct stat about;
  long number;
  int is_full;
  if (!atomic_load(&has_begun)) return 0;
  if (fd >= 0 && (fd < 3 || fstat(fd, &about) != 0 || S_ISFIFO(about.st_mode))) return 0;
  number = atomic_fetch_add(&changes, 1) + 1;
  if (kill_at != 0 && number == kill_at) kill(getpid(), SIGKILL);
  is_full = disk_full_at != 0 && number >= disk_full_at;
  if (is_full) errno = ENOSPC;
  return is_full;
}

ssize_t write(int fd, const void* from, size_t size) {
  NEXT(write)
  return disk_is_full(fd) ? -1 : next(fd, from, size);
}

ssize_t pwrite(int fd, const void* from, size_t size, off_t offset) {
  NEXT(pwrite)
  return disk_is_full(fd) ? -1 : next(fd, from, size, offset);
}

ssize_t writev(int fd, const struct iovec* pieces, int count) {
  NEXT(writev)
  return disk_is_full(fd) ? -1 : next(fd, pieces, count);
}

ssize_t copy_file_range(int in, off64_t* from, int out, off64_t* to, size_t size, unsigned flags) {
  NEXT(copy_file_range)
  return disk_is_full(out) ? -1 : next(in, from, out, to, size, flags);
}

int fallocate(int fd, int mode, off_t offset, off_t size) {
  NEXT(fallocate)
  return disk_is_full(fd) ? -1 : next(fd, mode, offset, size);
}

int ftruncate(int fd, off_t size) {
  NEXT(ftruncate)
  return disk_is_full(fd) ? -1 : next(fd, size);
}

int fsync(int fd) {
  NEXT(fsync)
  return disk_is_full(fd) ? -1 : next(fd);
}

int fdatasync(int fd) {
  NEXT(fdatasync)
  return disk_is_full(fd) ? -1 : next(fd);
}

/* Names can be changed on a full disk, but not made. */
int rename(const char* from, const char* to) {
  NEXT(rename)
  disk_is_full(-1);
  return next(from, to);
}

int unlink(const char* name) {
  NEXT(unlink)
  disk_is_full(-1);
  return next(name);
}

int unlinkat(int fd, const char* name, int flags) {
  NEXT(unlinkat)
  disk_is_full(-1);
  return next(fd, name, flags);
}

int linkat(int from_fd, const char* from, int to_fd, const char* to, int flags) {
  NEXT(linkat)
  return disk_is_full(-1) ? -1 : next(from_fd, from, to_fd, to, flags);
}

int mkdir(const char* name, mode_t mode) {
  NEXT(mkdir)
  return disk_is_full(-1) ? -1 : next(name, mode);
}

int open(const char* name, int flags, ...) {
  NEXT(open)
  va_list more;
  mode_t mode;
  va_start(more, flags);
  mode = va_arg(more, mode_t);
  va_end(more);
  if ((flags & (O_CREAT | O_TMPFILE)) != 0 && (flags & O_PATH) == 0 &&
      ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) && disk_is_full(-1))
    return -1;
  return next(name, flags, mode);
}

static long number_of(const char* name) {
  const char* const text = getenv(name);
  return text == NULL ? 0 : strtol(text, NULL, 10);
}

static void write_counts(void) {
  const char* const name = getenv("TORTURE_COUNT");
  FILE* file;
  atomic_store(&has_begun, 0);
  if (name == NULL || (file = fopen(name, "w")) == NULL) return;
  fprintf(file, "%ld %ld\n", atomic_load(&allocations), atomic_load(&changes));
  fclose(file);
}

static int (*real_main)(int, char**, char**);

static int main_with_faults(int argc, char** argv, char** environment) {
  const char* const text = getenv("TORTURE_ALLOCATION");
  fail_allocation = number_of("TORTURE_ALLOCATION");
  fails_later = text != NULL && strchr(text, '+') != NULL;
  kill_at = number_of("TORTURE_KILL");
  disk_full_at = number_of("TORTURE_DISK");
  atexit(write_counts);
  atomic_store(&has_begun, 1);
  return real_main(argc, argv, environment);
}

typedef int (*main_function)(int, char**, char**);

int __libc_start_main(main_function program, int argc, char** argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void* stack_end);

int __libc_start_main(main_function program, int argc, char** argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void* stack_end) {
  NEXT(__libc_start_main)
  real_main = program;
  return next(main_with_faults, argc, argv, init, fini, loader_fini, stack_end);
}
