/* SPDX-License-Identifier: MIT
 *
 * The structs of layout.hpp are those of abi.h as a compiler for wasm32 has them: each size, and
 * the last field that the host reads.
 */
#include <polycodec/abi.h>

#define SAME(type, size, field, offset)          \
  _Static_assert(sizeof(type) == (size), #type); \
  _Static_assert(offsetof(type, field) == (offset), #type "." #field)

_Static_assert(sizeof(void*) == 4, "for wasm32 alone");
SAME(polycodec_bytes, 16, size, 8);
SAME(polycodec_node, 16, as, 8);
SAME(polycodec_extension, 24, payload, 16);
SAME(polycodec_annotated, 8, metadata, 4);
SAME(polycodec_time, 16, unit, 12);
SAME(polycodec_tagged, 16, node, 8);
SAME(polycodec_column, 24, dtype, 16);
SAME(polycodec_array, 128, shape, 48);
SAME(polycodec_array, 128, index, 56);
SAME(polycodec_array, 128, tags, 80);
SAME(polycodec_array, 128, children, 112);
SAME(polycodec_array, 128, metadata, 124);
SAME(polycodec_error, 824, say, 816);
SAME(polycodec_arena, 32, adopt, 28);
SAME(polycodec_limits, 80, deadline, 72);
SAME(polycodec_projection, 32, first_row, 16);
SAME(polycodec_call, 56, threads, 52);
SAME(polycodec_host, 64, lookup_type, 60);
SAME(polycodec_input, 72, total, 64);
SAME(polycodec_sink, 36, adopt, 32);
SAME(polycodec_output, 48, member, 32);
SAME(polycodec_step, 48, consumed, 32);
SAME(polycodec_sniff, 120, reason, 8);
SAME(polycodec_plugin, 32, get_interface, 28);
SAME(polycodec_codecs, 12, items, 8);
SAME(polycodec_codec, 40, open, 32);
SAME(polycodec_instance, 40, list, 32);
SAME(polycodec_filter, 32, open, 24);
SAME(polycodec_filter_instance, 28, decoded_size, 20);
SAME(polycodec_type, 28, doc, 16);
SAME(polycodec_reader, 20, release, 16);
SAME(polycodec_writer, 24, release, 20);
