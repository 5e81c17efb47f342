/* SPDX-License-Identifier: MIT
 *
 * A correct plugin with one object of each kind, and with one of the FAULT_* macros one that breaks
 * the contract where only use shows it. The conformance tests must find each fault.
 */
#ifndef FAULTY_H
#define FAULTY_H

#include <polycodec/abi.h>

#include "polycodec_manifest.h"

#include <stdlib.h>
#include <string.h>

#define TRY(call)                                  \
  do {                                             \
    const int32_t try_code = (call);               \
    if (try_code != POLYCODEC_OK) return try_code; \
  } while (0)

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
#if defined(FAULT_CHARGES_NOTHING)
  (void)call, (void)units, (void)error;
  return POLYCODEC_OK;
#elif defined(FAULT_IGNORES_SPEND)
  (void)polycodec_spend(call, units, error);
  return POLYCODEC_OK;
#else
  return polycodec_spend(call, units, error);
#endif
}

/* Faults of faulty_regions.c. */
#if defined(FAULT_STRAY_SHAPE) || defined(FAULT_STRAY_STRIDES) || defined(FAULT_STRAY_BUFFER) ||   \
    defined(FAULT_STRAY_COLUMN) || defined(FAULT_SHORT_COLUMN) || defined(FAULT_STRAY_CHILDREN) || \
    defined(FAULT_STRAY_CHILD) || defined(FAULT_STRAY_NAME) || defined(FAULT_STRAY_METADATA) ||    \
    defined(FAULT_STRAY_NODES) || defined(FAULT_STRAY_EXTENSION) || defined(FAULT_STRAY_MEMBER) || \
    defined(FAULT_MISALIGNED)
#define FAULT_STRAYS
int32_t make_stray(polycodec_call* call, polycodec_node* out, polycodec_error* error);
#endif

extern const polycodec_codecs faulty_codecs;
extern const polycodec_filters faulty_filters;
extern const polycodec_stores faulty_stores;

#endif
