// SPDX-License-Identifier: MIT
// Values one after another: streams that are read and written.
#include "from_python.hpp"
#include "registry.hpp"
#include "source.hpp"

#include <optional>

namespace polycodec_python {
namespace {

/// For one thread at a time: a second one waits for the interpreter, which next() does not unlock.
class Stream {
 public:
  Stream(Registry& registry, nb::handle codec, nb::handle options, nb::handle source,
         const nb::kwargs& given)
      : call_(given), stream_(opened(registry, codec, options, source)) {}

  nb::object next() {
    std::optional<host::Value> value = stream_.next();
    return value ? nb::cast(Value(*std::move(value))) : nb::none();
  }
  void feed(nb::handle data) { stream_.feed(Buffer(data).bytes()); }
  void end() { stream_.end_of_input(); }
  std::uint64_t position() const noexcept { return stream_.position(); }

 private:
  host::Stream opened(Registry& registry, nb::handle codec, nb::handle options,
                      nb::handle source) const {
    const host::Codec by = registry.opened(Format(codec, options, nb::none(), call_.of_others()));
    if (source.is_none()) return host::Stream::fed(by, call_.host());
    return host::Stream(by, source_of(source, {}, registry.bounds(call_)), call_.host());
  }

  CallOptions call_;
  host::Stream stream_;
};

class Writer {
 public:
  Writer(Registry& registry, nb::handle codec, nb::handle options, nb::handle path, bool keep,
         bool sync, const nb::kwargs& given)
      : registry_(registry.handle()),
        call_(given),
        limits_(call_.host().limits),
        to_file_(!path.is_none()) {
    const host::Codec by = registry.opened(Format(codec, options, nb::none(), call_.of_others()));
    writer_.emplace(by, path_or_empty(path), host::WriteOptions{.keep = keep, .sync = sync},
                    call_.host());
  }

  /// The bytes of the value; empty with a file.
  nb::object append(nb::handle object) {
    const host::Value value = value_of(object, false, nullptr, {&registry_, limits_}, &call_);
    host::Sink sink;
    if (to_file_) {
      writer().append(value);
    } else {
      writer().append(value, sink);
    }
    return bytes_object(sink.segments());
  }
  nb::object finish() {
    host::Sink sink;
    if (to_file_) {
      writer().finish();
    } else {
      writer().finish(sink);
    }
    return bytes_object(sink.segments());
  }
  /// Drops what was not finished.
  void close() { writer_.reset(); }

 private:
  host::StreamWriter& writer() {
    if (!writer_) throw Error(Status::invalid, "the stream is closed");
    return *writer_;
  }

  host::Registry registry_;
  CallOptions call_;
  host::Limits limits_;
  bool to_file_;
  std::optional<host::StreamWriter> writer_;
};

}  // namespace

void bind_stream(nb::module_& module) {
  nb::class_<Stream>(module, "Stream",
                     "Values one after another, from a source or from bytes that are fed.")
      .def(nb::init<Registry&, nb::handle, nb::handle, nb::handle, const nb::kwargs&>(),
           nb::arg("registry"), nb::arg("codec"), nb::arg("options").none(),
           nb::arg("source").none(), nb::arg("call"))
      .def("next", &Stream::next,
           "Returns the next value, or None at the end or until more bytes are fed.")
      .def("feed", &Stream::feed, nb::arg("data"), "Takes more bytes.")
      .def("end", &Stream::end, "Says that no bytes follow.")
      .def_prop_ro("position", &Stream::position, "The byte after the last value.");
  nb::class_<Writer>(module, "Writer", "Writes values one after another.")
      .def(nb::init<Registry&, nb::handle, nb::handle, nb::handle, bool, bool, const nb::kwargs&>(),
           nb::arg("registry"), nb::arg("codec"), nb::arg("options").none(), nb::arg("path").none(),
           nb::arg("keep"), nb::arg("sync"), nb::arg("call"))
      .def("append", &Writer::append, nb::arg("value").none(),
           "Encodes the next value, and returns its bytes, or none where they go to a file.")
      .def("finish", &Writer::finish, "Writes the end of the stream, and puts a file in place.")
      .def("close", &Writer::close, "Drops what was not finished.");
}

}  // namespace polycodec_python
