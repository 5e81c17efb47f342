/* SPDX-License-Identifier: MIT
 *
 * A correct plugin with one object of each kind. Where the environment names a fault, it breaks the
 * contract in this way, which only use shows. The conformance tests must find each fault.
 */
#ifndef FAULTY_H
#define FAULTY_H

#include <polycodec/abi.h>

#include <stdlib.h>
#include <string.h>

#define TRY(call)                                  \
  do {                                             \
    const int32_t try_code = (call);               \
    if (try_code != POLYCODEC_OK) return try_code; \
  } while (0)

/* The fault that the process is to show, or "". */
static inline const char* the_fault(void) {
  const char* fault = getenv("POLYCODEC_TEST_FAULT");
  return fault == NULL ? "" : fault;
}
static inline int has_fault(const char* name) {
  return strcmp(the_fault(), name) == 0;
}

static inline uint64_t load64(const uint8_t* at) {
  uint64_t value = 0;
  for (int i = 7; i >= 0; --i) value = value << 8 | at[i];
  return value;
}
static inline void store64(uint8_t* at, uint64_t value) {
  for (int i = 0; i < 8; ++i) at[i] = (uint8_t)(value >> 8 * i);
}

/* Charges `units`; some faults do not. */
static inline int32_t charge(polycodec_call* call, uint64_t units, polycodec_error* error) {
  if (has_fault("CHARGES_NOTHING")) return POLYCODEC_OK;
  const int32_t code = polycodec_spend(call, units, error);
  return has_fault("IGNORES_SPEND") ? POLYCODEC_OK : code;
}

/* Replaces `out` by a value with one pointer that leads out of the memory of the call. */
int32_t make_stray(polycodec_call* call, polycodec_node* out, polycodec_error* error);

extern const polycodec_codecs faulty_codecs;
extern const polycodec_filters faulty_filters;
extern const polycodec_stores faulty_stores;

#endif
