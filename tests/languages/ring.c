/* SPDX-License-Identifier: MIT
 * Sends each message of standard input on to standard output, through <polycodec/host.h>. */
#include <polycodec/host.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static polycodec_error failure = {.struct_size = sizeof failure};

static void must(int32_t status) {
  if (status == POLYCODEC_OK) return;
  fprintf(stderr, "ring in C: %s: %s\n", polycodec_status_name(status), failure.message);
  exit(1);
}

static polycodec_bytes text(const char* s) {
  const polycodec_bytes bytes = {s, strlen(s)};
  return bytes;
}

/* Writes the id of a header as a header of its own. */
static polycodec_bytes id_of(polycodec_sink* header, char* own, size_t size) {
  polycodec_bytes json;
  polycodec_value* value = NULL;
  polycodec_sink* id = NULL;
  polycodec_item item;
  polycodec_text_options plain = {.struct_size = sizeof plain, .flags = POLYCODEC_TEXT_PLAIN};
  must(polycodec_sink_bytes(header, &json, &failure));
  must(polycodec_value_parse(NULL, json, text(""), &value, &failure));
  must(polycodec_value_find(value, text("__meta__.id"), &item, &failure));
  must(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &id, &failure));
  must(polycodec_value_print(value, &item, &plain, id, &failure));
  must(polycodec_sink_bytes(id, &json, &failure));
  snprintf(own, size, "{\"id\": %s}", (const char*)json.data);
  polycodec_sink_free(id);
  polycodec_value_release(value);
  return text(own);
}

static void send_message(polycodec_channel* to, polycodec_value* value, polycodec_bytes header) {
  polycodec_message* message = NULL;
  const polycodec_bytes* pieces = NULL;
  uint64_t n = 0;
  uint64_t part = 0;
  must(polycodec_channel_pack(to, value, header, &message, &failure));
  for (; polycodec_message_part(message, part, &pieces, &n, NULL) == POLYCODEC_OK; ++part)
    for (uint64_t i = 0; i < n; ++i) fwrite(pieces[i].data, 1, pieces[i].size, stdout);
  polycodec_message_free(message);
}

int main(void) {
  static char buffer[65536];
  char own[1024];
  polycodec_registry* registry = NULL;
  polycodec_channel* in = NULL;
  polycodec_channel* out = NULL;
  polycodec_sink* header = NULL;
  must(polycodec_registry_open(NULL, &registry, &failure));
  must(polycodec_channel_open(registry, text(""), NULL, &in, &failure));
  must(polycodec_channel_open(registry, text(""), NULL, &out, &failure));
  must(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &header, &failure));
  for (int ended = 0; !ended;) {
    polycodec_bytes piece = {buffer, fread(buffer, 1, sizeof buffer, stdin)};
    ended = piece.size == 0;
    must(polycodec_channel_feed(in, piece, ended, &failure));
    for (;;) {
      polycodec_value* value = NULL;
      int32_t control = 0;
      must(polycodec_sink_reset(header, &failure));
      must(polycodec_channel_next(in, &value, &control, header, &failure));
      if (value == NULL) break;
      send_message(out, control == 0 ? value : NULL,
                   control == 0 ? id_of(header, own, sizeof own) : text(""));
      polycodec_value_release(value);
    }
  }
  polycodec_sink_free(header);
  polycodec_channel_free(out);
  polycodec_channel_free(in);
  polycodec_registry_release(registry);
  return fflush(stdout) == 0 ? 0 : 1;
}
