// SPDX-License-Identifier: MIT
// Values one after another: streams that are read and written.
#include "from_python.hpp"
#include "registry.hpp"
#include "source.hpp"

namespace polycodec_python {
namespace {

using StreamHandle = Unique<polycodec_stream, polycodec_stream_free>;
using WriterHandle = Unique<polycodec_stream_writer, polycodec_stream_writer_free>;

/// For one thread at a time: a second one waits for the interpreter, which next() does not unlock.
class Stream {
 public:
  Stream(Registry& registry, nb::handle codec, nb::handle options, nb::handle source,
         const nb::kwargs& given)
      : call_(given) {
    const Format format(codec, options, nb::none(), call_.format_flags());
    const CodecHandle opened = registry.opened(format);
    if (source.is_none()) {
      call(polycodec_stream_open, opened.get(), nullptr, call_.raw(), handle_.out());
      return;
    }
    const bool is_path = PyUnicode_Check(source.ptr()) || nb::hasattr(source, "__fspath__");
    const SourceHandle input = is_path ? source_of_path(source, false, registry.bounds(call_).all())
                                       : source_of_buffer(source, {});
    polycodec_stream_options from{};
    from.struct_size = sizeof from;
    from.from = POLYCODEC_STREAM_SOURCE;
    from.source = input.get();
    call(polycodec_stream_open, opened.get(), &from, call_.raw(), handle_.out());
  }

  nb::object next() {
    ValueHandle value;
    call(polycodec_stream_next, handle_.get(), value.out(), &position_);
    call_.raise_of_callback();
    return value.get() == nullptr ? nb::none() : nb::cast(Value(std::move(value)));
  }
  void feed(nb::handle data) {
    Py_buffer view;
    if (PyObject_GetBuffer(data.ptr(), &view, PyBUF_CONTIG_RO) != 0) throw nb::python_error();
    CallError failure;
    const std::int32_t code = polycodec_stream_feed(
        handle_.get(), {view.buf, static_cast<std::uint64_t>(view.len)}, 0, failure.raw());
    PyBuffer_Release(&view);
    if (code != POLYCODEC_OK) raise(failure);
  }
  void end() { call(polycodec_stream_feed, handle_.get(), polycodec_bytes{nullptr, 0}, 1); }
  std::uint64_t position() const noexcept { return position_; }

 private:
  CallOptions call_;
  StreamHandle handle_;
  std::uint64_t position_ = 0;
};

class Writer {
 public:
  Writer(Registry& registry, nb::handle codec, nb::handle options, nb::handle path, bool keep,
         bool sync, const nb::kwargs& given)
      : registry_(registry.handle()), call_(given), bounds_(registry.bounds(call_)) {
    const Format format(codec, options, nb::none(), call_.format_flags());
    const CodecHandle opened = registry.opened(format);
    polycodec_write_options write{};
    write.struct_size = sizeof write;
    write.flags = (keep ? POLYCODEC_WRITE_KEEP : 0u) | (sync ? POLYCODEC_WRITE_SYNC : 0u);
    to_file_ = !path.is_none();
    const nb::object text =
        to_file_ ? nb::module_::import_("os").attr("fsencode")(path) : nb::object(nb::bytes("", 0));
    const polycodec_bytes to{PyBytes_AsString(text.ptr()),
                             static_cast<std::uint64_t>(PyBytes_Size(text.ptr()))};
    call(polycodec_stream_writer_open, opened.get(), to, &write, call_.raw(), handle_.out());
  }

  /// The bytes of the value; empty with a file.
  nb::object append(nb::handle object) {
    const ValueHandle value = value_of(object, false, nullptr, bounds_);
    SinkHandle sink = new_sink(0);
    call(polycodec_stream_writer_append, handle_.get(), value.get(),
         to_file_ ? nullptr : sink.get());
    call_.raise_of_callback();
    return bytes_object(sink);
  }
  nb::object finish() {
    SinkHandle sink = new_sink(0);
    call(polycodec_stream_writer_finish, handle_.get(), to_file_ ? nullptr : sink.get());
    return bytes_object(sink);
  }
  /// Drops what was not finished.
  void close() { handle_ = WriterHandle(); }

 private:
  RegistryHandle registry_;
  CallOptions call_;
  Bounds bounds_;
  WriterHandle handle_;
  bool to_file_ = false;
};

}  // namespace

void bind_stream(nb::module_& module) {
  nb::class_<Stream>(module, "Stream")
      .def(nb::init<Registry&, nb::handle, nb::handle, nb::handle, const nb::kwargs&>(),
           nb::arg("registry"), nb::arg("codec"), nb::arg("options").none(),
           nb::arg("source").none(), nb::arg("call"))
      .def("next", &Stream::next)
      .def("feed", &Stream::feed, nb::arg("data"))
      .def("end", &Stream::end)
      .def_prop_ro("position", &Stream::position);
  nb::class_<Writer>(module, "Writer")
      .def(nb::init<Registry&, nb::handle, nb::handle, nb::handle, bool, bool, const nb::kwargs&>(),
           nb::arg("registry"), nb::arg("codec"), nb::arg("options").none(), nb::arg("path").none(),
           nb::arg("keep"), nb::arg("sync"), nb::arg("call"))
      .def("append", &Writer::append, nb::arg("value").none())
      .def("finish", &Writer::finish)
      .def("close", &Writer::close);
}

}  // namespace polycodec_python
