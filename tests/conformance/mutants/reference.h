/* SPDX-License-Identifier: MIT
 *
 * The plugin of a reference codec in C that has decode() and encode() and the name CODEC_NAME.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <polycodec/abi.h>

#include <string.h>

static void release(const polycodec_instance* self) {
  (void)self;
}

static const polycodec_instance the_instance = {sizeof the_instance, .decode = decode,
                                                .encode = encode, .release = release};

static int32_t open(const polycodec_codec* self, polycodec_call* call,
                    const polycodec_node* options, const polycodec_instance** instance,
                    polycodec_error* error) {
  (void)self, (void)call, (void)options, (void)error;
  *instance = &the_instance;
  return POLYCODEC_OK;
}

static const polycodec_codec the_codec = {sizeof the_codec,
                                          POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE,
                                          .name = CODEC_NAME, .open = open};
static const polycodec_codecs the_codecs = {sizeof the_codecs, 1,
                                            (const polycodec_codec* const[]){&the_codec}};

static const void* get_interface(const polycodec_plugin* self, const char* id) {
  return self != NULL && strcmp(id, POLYCODEC_CODECS_INTERFACE) == 0 ? &the_codecs : NULL;
}

POLYCODEC_EXPORT const polycodec_plugin polycodec_plugin_v2 = {
    sizeof(polycodec_plugin), POLYCODEC_ABI_VERSION, POLYCODEC_MANIFEST_ID,
    POLYCODEC_MANIFEST_VERSION, .get_interface = get_interface};

#endif
