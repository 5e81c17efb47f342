// SPDX-License-Identifier: MIT
// Codecs in Python as the tables of polycodec/abi.h.
#include "from_python.hpp"
#include "guarded.hpp"
#include "held.hpp"
#include "registry.hpp"
#include "to_python.hpp"

#include <memory>
#include <string>
#include <utility>

namespace polycodec_python {
namespace {

/// The table of a codec. `object` is a polycodec.Codec.
struct ProgramCodec {
  explicit ProgramCodec(nb::object codec) : object(std::move(codec)) {}
  polycodec_codec table{};
  Held object;
  std::string name;
  std::string manifest;
};

struct ProgramInstance {
  ProgramInstance(nb::object codec, nb::object given)
      : object(std::move(codec)), options(std::move(given)) {}
  polycodec_instance table{};
  Held object;
  Held options;  // a dict
};

std::int32_t decode(const polycodec_instance* self, polycodec_call* call,
                    const polycodec_input* input, const polycodec_node** root,
                    polycodec_error* error) {
  return guarded(error, POLYCODEC_ERROR_PLUGIN, [&] {
    const auto& instance = *static_cast<const ProgramInstance*>(self->private_data);
    const nb::bytes data(input->bytes.data == nullptr ? "" : input->bytes.data,
                         static_cast<std::size_t>(input->bytes.size));
    const nb::object made =
        instance.object.attr("decode")(data, **nb::cast<nb::dict>(instance.options.object()));
    polycodec::Builder out(call->arena);
    FromPython builder(out, nullptr, true);
    *root = out.root(builder.node(made));
    refuse(builder.losses());
  });
}

std::int32_t encode(const polycodec_instance* self, polycodec_call* call,
                    const polycodec_node* root, const polycodec_output* output,
                    polycodec_error* error) {
  return guarded(error, POLYCODEC_ERROR_PLUGIN, [&] {
    const auto& instance = *static_cast<const ProgramInstance*>(self->private_data);
    Meter meter(call);
    const nb::object given = ToPython(meter).node(root);
    const nb::object made =
        instance.object.attr("encode")(given, **nb::cast<nb::dict>(instance.options.object()));
    const Buffer bytes(made);
    polycodec::invoke(&polycodec_sink_put, output->sink,
                      static_cast<const void*>(bytes.bytes().data()),
                      std::uint64_t{bytes.bytes().size()});
  });
}

std::int32_t sniff(const polycodec_codec* self, polycodec_call*, const polycodec_input* input,
                   polycodec_sniff* result, polycodec_error* error) {
  return guarded(error, POLYCODEC_ERROR_PLUGIN, [&] {
    const auto& codec = *static_cast<const ProgramCodec*>(self->private_data);
    const nb::bytes data(input->bytes.data == nullptr ? "" : input->bytes.data,
                         static_cast<std::size_t>(input->bytes.size));
    result->score = number<std::uint32_t>(codec.object.attr("sniff")(data), "the score of sniff()");
    result->reason[0] = '\0';
  });
}

void release_instance(const polycodec_instance* self) {
  delete static_cast<ProgramInstance*>(self->private_data);
}

std::int32_t open(const polycodec_codec* self, polycodec_call* call, const polycodec_node* options,
                  const polycodec_instance** instance, polycodec_error* error) {
  return guarded(error, POLYCODEC_ERROR_PLUGIN, [&] {
    const auto& codec = *static_cast<const ProgramCodec*>(self->private_data);
    Meter meter(call);
    auto made = std::make_unique<ProgramInstance>(
        codec.object.object(), options == nullptr ? nb::dict() : ToPython(meter).node(options));
    made->table.struct_size = sizeof made->table;
    if ((codec.table.capabilities & POLYCODEC_CAN_DECODE) != 0) made->table.decode = &decode;
    if ((codec.table.capabilities & POLYCODEC_CAN_ENCODE) != 0) made->table.encode = &encode;
    made->table.release = &release_instance;
    made->table.private_data = made.get();
    *instance = &made.release()->table;
  });
}

void release_codec(const polycodec_codec* self) {
  delete static_cast<ProgramCodec*>(self->private_data);
}

}  // namespace

ProgramCodecs::ProgramCodecs(nb::handle codecs) {
  for (nb::handle object : codecs) {
    auto made = std::make_unique<ProgramCodec>(nb::borrow(object));
    made->name = nb::cast<std::string>(object.attr("name"));
    made->manifest = to_json(nb::object(object.attr("manifest")));
    polycodec_codec& table = made->table;
    table.struct_size = sizeof table;
    if (!object.attr("decode").is_none()) table.capabilities |= POLYCODEC_CAN_DECODE;
    if (!object.attr("encode").is_none()) table.capabilities |= POLYCODEC_CAN_ENCODE;
    table.name = made->name.c_str();
    table.manifest = made->manifest.c_str();
    if (!object.attr("sniff").is_none()) table.sniff = &sniff;
    table.open = &open;
    table.release = &release_codec;
    table.private_data = made.get();
    codecs_.push_back(&made.release()->table);
  }
  objects_.struct_size = sizeof objects_;
  objects_.n_codecs = static_cast<std::uint32_t>(codecs_.size());
  objects_.codecs = codecs_.data();
}

ProgramCodecs::~ProgramCodecs() {
  for (const polycodec_codec* codec : codecs_) codec->release(codec);
}

}  // namespace polycodec_python
