// SPDX-License-Identifier: MIT
// polycodec.Channel: messages of yggdrasil.
#include "from_python.hpp"
#include "registry.hpp"
#include "source.hpp"

#include <cstring>

namespace polycodec_python {
namespace {

/// One end of a channel. For one thread at a time: the interpreter stays locked.
class Channel {
 public:
  Channel(const Registry& registry, nb::handle options) {
    const std::string json = to_json(options);
    call(polycodec_channel_open, registry.get(), bytes_of(json), handle_.out());
  }

  nb::list pack(nb::handle object, nb::handle header) {
    const ValueHandle value = value_of(object, false);
    const std::string members = to_json(header);
    MessageHandle message;
    call(polycodec_channel_pack, handle_.get(), value.get(), bytes_of(members), message.out());
    nb::list parts;
    for (std::uint64_t part = 0;; ++part) {
      const polycodec_bytes* pieces = nullptr;
      std::uint64_t n = 0;
      CallError failure;
      const std::int32_t code =
          polycodec_message_part(message.get(), part, &pieces, &n, failure.raw());
      if (code == POLYCODEC_ERROR_RANGE) return parts;
      if (code != POLYCODEC_OK) raise(failure);
      parts.append(joined(pieces, n));
    }
  }

  /// One object of the bytes of all pieces, which are copied once.
  static nb::object joined(const polycodec_bytes* pieces, std::uint64_t n) {
    std::size_t size = 0;
    for (std::uint64_t i = 0; i < n; ++i) size += static_cast<std::size_t>(pieces[i].size);
    const nb::object made =
        nb::steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
    if (!made.is_valid()) throw nb::python_error();
    char* to = PyBytes_AsString(made.ptr());
    for (std::uint64_t i = 0; i < n; ++i) {
      if (pieces[i].size == 0) continue;
      std::memcpy(to, pieces[i].data, static_cast<std::size_t>(pieces[i].size));
      to += pieces[i].size;
    }
    return made;
  }

  void feed(nb::handle data) {
    Py_buffer view;
    if (PyObject_GetBuffer(data.ptr(), &view, PyBUF_CONTIG_RO) != 0) throw nb::python_error();
    CallError failure;
    const std::int32_t code = polycodec_channel_feed(
        handle_.get(), {view.buf, static_cast<std::uint64_t>(view.len)}, failure.raw());
    PyBuffer_Release(&view);
    if (code != POLYCODEC_OK) raise(failure);
  }

  nb::object next() {
    ValueHandle value;
    SinkHandle header = new_sink();
    std::int32_t control = 0;
    call(polycodec_channel_next, handle_.get(), value.out(), &control, header.get());
    return message(std::move(value), control, header);
  }

  nb::object unpack(nb::handle data) {
    const SourceHandle source = source_of_buffer(data, {});
    ValueHandle value;
    SinkHandle header = new_sink();
    std::int32_t control = 0;
    call(polycodec_channel_unpack, handle_.get(), source.get(), value.out(), &control,
         header.get());
    return message(std::move(value), control, header);
  }

 private:
  /// (value or None, header, control number), or None if no message is complete.
  static nb::object message(ValueHandle value, std::int32_t control, SinkHandle& header) {
    if (value.get() == nullptr && control == 0) return nb::none();
    const nb::str text = text_of(header);
    const nb::object members = view_of(text).empty() ? nb::dict() : from_json(text);
    const nb::object body = value.get() == nullptr ? nb::none() : nb::cast(Value(std::move(value)));
    return attribute("polycodec._messages", "Message")(body, members, control);
  }

  ChannelHandle handle_;
};

nb::object offer(const Registry& registry, nb::str peer) {
  SinkHandle sink = new_sink();
  call(polycodec_registry_describe, registry.get(), std::int32_t{POLYCODEC_DESCRIBE_OFFER},
       bytes_of(view_of(peer)), sink.get());
  return from_json(text_of(sink));
}

nb::object agree(const Registry& registry, nb::handle offered, nb::handle object) {
  const std::string json = to_json(offered);
  const ValueHandle value = value_of(object, false);
  SinkHandle sink = new_sink();
  call(polycodec_registry_agree, registry.get(), bytes_of(json), value.get(), sink.get());
  return from_json(text_of(sink));
}

}  // namespace

void bind_channel(nb::module_& module) {
  nb::class_<Channel>(module, "Channel")
      .def(nb::init<const Registry&, nb::handle>(), nb::arg("registry"),
           nb::arg("options") = nb::none())
      .def("pack", &Channel::pack, nb::arg("value").none(), nb::arg("header") = nb::none())
      .def("feed", &Channel::feed, nb::arg("data"))
      .def("next", &Channel::next)
      .def("unpack", &Channel::unpack, nb::arg("data"));
  module.def("offer", &offer, nb::arg("registry"), nb::arg("peer") = "");
  module.def("agree", &agree, nb::arg("registry"), nb::arg("offer"), nb::arg("value").none());
}

}  // namespace polycodec_python
