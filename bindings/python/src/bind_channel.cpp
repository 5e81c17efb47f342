// SPDX-License-Identifier: MIT
// polycodec.Channel: messages of yggdrasil.
#include "from_python.hpp"
#include "registry.hpp"
#include "source.hpp"
#include "to_python.hpp"

namespace polycodec_python {
namespace {

/// One end of a channel. For one thread at a time: the interpreter stays locked.
class Channel {
 public:
  Channel(const Registry& registry, nb::handle options)
      : channel_(registry.handle(), to_json(options)) {}

  nb::list pack(nb::handle object, nb::handle header) {
    const host::Message message = channel_.pack(value_of(object, false), to_json(header));
    nb::list parts;
    for (std::uint64_t i = 0; const auto part = message.part(i); ++i)
      parts.append(bytes_object(*part));
    return parts;
  }

  void feed(nb::handle data) { channel_.feed(Buffer(data).bytes()); }

  nb::object next() {
    const auto received = channel_.next();
    return received ? message(*received) : nb::none();
  }

  nb::object unpack(nb::handle data) {
    return message(channel_.unpack(source_of_buffer(data, {})));
  }

 private:
  static nb::object message(const host::Received& received) {
    const nb::object header = received.header.empty() ? nb::dict() : from_json(received.header);
    return attribute("polycodec._messages", "Message")(Value(received.value), header,
                                                       received.control);
  }

  host::Channel channel_;
};

nb::object offer(const Registry& registry, nb::str peer) {
  return from_json(registry.handle().offer(view_of(peer)));
}

nb::object agree(const Registry& registry, nb::handle offered, nb::handle object) {
  return to_python(registry.handle().agree(to_json(offered), value_of(object, false)));
}

}  // namespace

void bind_channel(nb::module_& module) {
  nb::class_<Channel>(module, "Channel")
      .def(nb::init<const Registry&, nb::handle>(), nb::arg("registry"),
           nb::arg("options") = nb::none())
      .def("pack", &Channel::pack, nb::arg("value").none(), nb::arg("header") = nb::none(),
           "Returns the parts of the message of a value, with further members of its header.")
      .def("feed", &Channel::feed, nb::arg("data"), "Takes bytes that were received.")
      .def("next", &Channel::next,
           "Returns the next message of the bytes that were fed, or None until there are more.")
      .def("unpack", &Channel::unpack, nb::arg("data"),
           "Returns the message in these bytes, or None if more parts of it must follow.");
  module.def("offer", &offer, nb::arg("registry"), nb::arg("peer") = "",
             "Returns an offer of the codecs that this process decodes, for a peer.");
  module.def("agree", &agree, nb::arg("registry"), nb::arg("offer"), nb::arg("value").none(),
             "Chooses, of the codecs of an offer, the one for a value.");
}

}  // namespace polycodec_python
