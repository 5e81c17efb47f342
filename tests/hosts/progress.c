/* SPDX-License-Identifier: MIT
 * polycodec_call_options.on_progress. Usage: host_progress DIRECTORY */
#include "codecs.h"
#include "program_objects.h"

int failures;

static polycodec_progress last;
static int32_t answer_with;

static int32_t hear(void* data, const polycodec_progress* progress) {
  CHECK(progress->struct_size == sizeof *progress);
  CHECK(progress->work >= last.work && progress->output >= last.output);
  last = *progress;
  ++reports_heard;
  ++*(int*)data;
  return answer_with;
}

static polycodec_source* source_of(const char* bytes) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_source* source = NULL;
  OK(from_bytes(text(bytes), NULL, NULL, none, &source, &error));
  return source;
}

static void begin(polycodec_call_options* call, int* heard) {
  memset(call, 0, sizeof *call);
  memset(&last, 0, sizeof last);
  *heard = 0;
  answer_with = 0;
  call->struct_size = sizeof *call;
  call->on_progress = &hear;
  call->progress_data = heard;
}

static void test_reports(polycodec_opened_codec* codec, polycodec_sink* sink) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_call_options call;
  polycodec_value* value = NULL;
  int heard = 0;
  /* A call that works until it was heard, and then ends: one more report. */
  polycodec_source* source = source_of("SHOUT\n~long");
  begin(&call, &heard);
  OK(polycodec_opened_codec_decode(codec, source, &call, &value, &error));
  CHECK(heard == 2 && last.is_last == 1 && last.input == 11 && last.input_size == 11);
  /* The first report ends it. */
  polycodec_value* other = NULL;
  begin(&call, &heard);
  answer_with = 1;
  FAILS(POLYCODEC_ERROR_CANCELLED,
        polycodec_opened_codec_decode(codec, source, &call, &other, &error));
  CHECK(heard == 1 && last.is_last == 0 && other == NULL);
  polycodec_source_release(source);
  /* What is written is counted. */
  polycodec_bytes bytes = {NULL, 0};
  begin(&call, &heard);
  OK(polycodec_opened_codec_encode(codec, value, &call, sink, NULL, NULL, &error));
  OK(polycodec_sink_bytes(sink, &bytes, &error));
  CHECK(heard == 1 && last.is_last == 1 && last.output == bytes.size && last.input_size == 0);
  answer_with = 1;
  FAILS(POLYCODEC_ERROR_CANCELLED,
        polycodec_opened_codec_encode(codec, value, &call, sink, NULL, NULL, &error));
  OK(polycodec_sink_bytes(sink, &bytes, &error));
  CHECK(bytes.size == 0);
  polycodec_value_release(value);
}

static void test_files(void) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_call_options call;
  const polycodec_format json = {.struct_size = sizeof json,
                                 .flags = 0,
                                 .codec = text("text"),
                                 .options = none,
                                 .filters = none};
  int heard = 0;
  polycodec_source* source = source_of("SHOUT\nabc");
  polycodec_source* written = NULL;
  polycodec_bytes bytes = {NULL, 0};
  begin(&call, &heard);
  OK(polycodec_convert(registry, source, NULL, text(file("progress.json")), &json, &call, NULL,
                       NULL, &error));
  OK(from_path(text(file("progress.json")), 0, NULL, &written, &error));
  OK(polycodec_source_bytes(written, &bytes, &error));
  CHECK(heard == 1 && last.is_last == 1 && last.input_size == 9 && last.output == bytes.size);
  polycodec_source_release(written);
  polycodec_source_release(source);
}

static void test_wrong_options(polycodec_opened_codec* codec) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_call_options call;
  polycodec_budget* budget = NULL;
  polycodec_stream* stream = NULL;
  polycodec_value* value = NULL;
  int heard = 0;
  polycodec_source* source = source_of("SHOUT\nabc");
  begin(&call, &heard);
  FAILS(POLYCODEC_ERROR_OPTION, polycodec_stream_open(codec, NULL, &call, &stream, &error));
  OK(polycodec_budget_create(registry, NULL, NULL, NULL, &budget, &error));
  call.budget = budget;
  FAILS(POLYCODEC_ERROR_OPTION,
        polycodec_opened_codec_decode(codec, source, &call, &value, &error));
  CHECK(heard == 0);
  polycodec_budget_release(budget);
  polycodec_source_release(source);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  where = argv[1];
  polycodec_error error = {.struct_size = sizeof error};
  const polycodec_codec* const codecs[] = {&shout};
  const polycodec_objects objects = {
      .struct_size = sizeof objects, .n_codecs = 1, .codecs = codecs};
  const polycodec_registry_options options = {.struct_size = sizeof options, .objects = &objects};
  OK(polycodec_registry_open(&options, &registry, &error));
  polycodec_opened_codec* codec = opened("test.shout", "");
  polycodec_sink* sink = NULL;
  OK(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, &error));
  test_reports(codec, sink);
  test_files();
  test_wrong_options(codec);
  polycodec_sink_free(sink);
  polycodec_opened_codec_release(codec);
  polycodec_registry_release(registry);
  if (failures == 0) puts("ok");
  return failures == 0 ? 0 : 1;
}
