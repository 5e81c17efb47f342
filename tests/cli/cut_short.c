/* SPDX-License-Identifier: MIT
 *
 * Loaded with LD_PRELOAD: cuts the file that CUT_SHORT names to CUT_SHORT_TO bytes (one page) as
 * soon as it is mapped, as another program may do at any time. With CUT_SHORT_IN_THREADS, when the
 * program then starts a thread.
 *
 * What EXCHANGE names gives way to what EXCHANGE_BY names, when the program starts a thread, or
 * with EXCHANGE_WHEN as soon as it reads from the file of this name. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef void* (*map_function)(void*, size_t, int, int, int, off_t);
typedef ssize_t (*read_function)(int, void*, size_t);
typedef int (*create_function)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

static char mapped[4096]; /* waits for the first thread */

static void cut(const char* path) {
  const char* const size = getenv("CUT_SHORT_TO");
  if (truncate(path, size != NULL ? atol(size) : 4096) != 0) abort();
}

static void exchange(void) {
  const char* const name = getenv("EXCHANGE");
  const char* const by = getenv("EXCHANGE_BY");
  char away[4096];
  struct stat status;
  if (name == NULL || by == NULL || lstat(by, &status) != 0) return;
  snprintf(away, sizeof away, "%s.away", name);
  if (rename(name, away) != 0 || rename(by, name) != 0) abort();
}

void* mmap(void* at, size_t size, int protection, int flags, int fd, off_t offset) {
  map_function next;
  void* const found = dlsym(RTLD_NEXT, "mmap");
  void* made;
  char link[64], path[4096];
  const char* const wanted = getenv("CUT_SHORT");
  ssize_t length;
  memcpy(&next, &found, sizeof next);
  made = next(at, size, protection, flags, fd, offset);
  if (made == MAP_FAILED || fd < 0 || wanted == NULL) return made;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  length = readlink(link, path, sizeof path - 1);
  if (length < 0) return made;
  path[length] = '\0';
  if (strstr(path, wanted) == NULL) return made;
  if (getenv("CUT_SHORT_IN_THREADS") != NULL)
    memcpy(mapped, path, sizeof mapped);
  else
    cut(path);
  return made;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* data) {
  create_function next;
  void* const found = dlsym(RTLD_NEXT, "pthread_create");
  memcpy(&next, &found, sizeof next);
  if (getenv("EXCHANGE_WHEN") == NULL) exchange();
  if (mapped[0] != '\0') cut(mapped);
  mapped[0] = '\0';
  return next(thread, attributes, start, data);
}

ssize_t read(int fd, void* to, size_t size) {
  read_function next;
  void* const found = dlsym(RTLD_NEXT, "read");
  char link[64], path[4096];
  const char* const when = getenv("EXCHANGE_WHEN");
  memcpy(&next, &found, sizeof next);
  if (when != NULL) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    if (strstr(path, when) != NULL) exchange();
  }
  return next(fd, to, size);
}
