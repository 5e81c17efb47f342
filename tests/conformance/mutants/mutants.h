/* SPDX-License-Identifier: MIT
 *
 * What mutate.py puts into a copy of a reference codec: each mutant is one changed place, which the
 * environment chooses by its number.
 */
#ifndef MUTANTS_H
#define MUTANTS_H

#include <polycodec/abi.h>

#include <stdlib.h>
#include <sys/resource.h>

static unsigned long chosen_mutant;

__attribute__((constructor)) static void choose_mutant(void) {
  const char* number = getenv("POLYCODEC_TEST_MUTANT");
  chosen_mutant = number == NULL ? 0 : strtoul(number, NULL, 10);
  /* Some never stop to allocate. */
  const struct rlimit memory = {(rlim_t)3 << 30, (rlim_t)3 << 30};
  if (chosen_mutant != 0) setrlimit(RLIMIT_AS, &memory);
}

#define MUTANT(n) (chosen_mutant == (n))

/* The stride of an axis, as if the elements were contiguous. */
static inline int64_t dense_stride(const polycodec_array* a, uint32_t axis) {
  int64_t stride = a->item_size;
  for (uint32_t i = a->ndim; i-- > axis + 1;) stride *= a->shape[i];
  return stride;
}

#endif
