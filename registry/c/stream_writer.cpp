// SPDX-License-Identifier: MIT
#include "core/io/atomic_file.hpp"
#include "registry/c/options.hpp"
#include "registry/c/sink.hpp"

#include <optional>

struct polycodec_stream_writer : polycodec::c::HandleOf<11> {
  polycodec_stream_writer(const polycodec_opened_codec& codec,
                          const polycodec::CallOptions& options)
      : writer(codec.codec, options), allow_partial(options.allow_partial) {}
  polycodec::ValueWriter writer;
  std::optional<polycodec::AtomicFile> file;
  polycodec::SegmentSink buffer;  // on the way to the file
  bool allow_partial;
  bool closed = false;  // finished, or lost with an error
};

namespace polycodec::c {
namespace {

/// Where the next bytes go.
Sink& output_of(polycodec_stream_writer& writer, polycodec_sink* sink) {
  if (writer.closed) throw_argument("writer", "has ended, or was lost with the error before");
  if (!writer.file) return sink_of(sink);
  if (sink != nullptr) throw_argument("sink", "must be NULL: the stream goes to a file");
  return writer.buffer;
}

/// Runs `write`, which leaves `to` empty and the stream closed if it fails.
template <class Write>
void write_to(polycodec_stream_writer& writer, Sink& to, const Write& write) {
  writer.closed = true;
  try {
    write();
    check_bound(to);
  } catch (...) {
    to.reset();
    throw;
  }
  writer.closed = false;
}

void flush(polycodec_stream_writer& writer) {
  writer.file->write(writer.buffer.segments());
  writer.buffer.reset();
}

}  // namespace
}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_stream_writer_open(const polycodec_opened_codec* codec, polycodec_bytes path,
                                     const polycodec_write_options* options,
                                     const polycodec_call_options* call,
                                     polycodec_stream_writer** writer, polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& with = c::need(codec, "codec");
    c::place(writer, "writer");
    const std::string to = c::string(path, "path");
    const WriteOptions how = c::write_options(options);
    auto made = std::make_unique<polycodec_stream_writer>(with, c::call_options(call, with.limits));
    if (!to.empty()) made->file.emplace(to, how);
    *writer = made.release();
  });
}

int32_t polycodec_stream_writer_append(polycodec_stream_writer* writer, polycodec_value* value,
                                       polycodec_sink* sink, polycodec_error* error) {
  return c::enter(error, [&] {
    auto& by = c::need(writer, "writer");
    auto& what = c::need(value, "value");
    Sink& to = c::output_of(by, sink);
    if (what.value.is_partial() && !by.allow_partial)
      throw Error(Status::invalid, "the value is partial: allow partial values to write it");
    c::write_to(by, to, [&] {
      by.writer.append(what.value.view(), to);
      if (by.file)
        c::flush(by);
      else
        c::keep_for(to, what);
    });
  });
}

int32_t polycodec_stream_writer_finish(polycodec_stream_writer* writer, polycodec_sink* sink,
                                       polycodec_error* error) {
  return c::enter(error, [&] {
    auto& by = c::need(writer, "writer");
    Sink& to = c::output_of(by, sink);
    c::write_to(by, to, [&] {
      by.writer.finish(to);
      if (!by.file) return;
      c::flush(by);
      by.file->commit();
    });
    by.closed = true;
  });
}

void polycodec_stream_writer_free(polycodec_stream_writer* writer) {
  c::release(writer);
}
