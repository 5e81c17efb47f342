/* SPDX-License-Identifier: MIT
 * A library that one plugin alone uses. Another one has the same name. */
__attribute__((visibility("default"))) int polycodec_test_private(void);
int polycodec_test_private(void) {
  return NUMBER;
}
