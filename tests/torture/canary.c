/* SPDX-License-Identifier: MIT
 *
 * A library that nobody may load: its constructor makes the file that TORTURE_CANARY names. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void sing(void) {
  const char* const name = getenv("TORTURE_CANARY");
  FILE* const file = name == NULL ? NULL : fopen(name, "w");
  if (file != NULL) fclose(file);
}
