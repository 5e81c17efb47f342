/* SPDX-License-Identifier: MIT
 *
 * Loaded with LD_PRELOAD: cuts the file that CUT_SHORT names to one page as soon as it is mapped,
 * as another program may do at any time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef void* (*map_function)(void*, size_t, int, int, int, off_t);

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
  if (strstr(path, wanted) != NULL && truncate(path, 4096) != 0) abort();
  return made;
}
