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

/// The table of a codec. `object` is a polycodec.Codec. `typed`: it is given the bytes of the input
/// without a copy, and values instead of objects.
struct ProgramCodec {
  explicit ProgramCodec(nb::object codec) : object(std::move(codec)) {}
  polycodec_codec table{};
  Held object;
  bool typed = false;
  std::string name;
  std::string manifest;
};

struct ProgramInstance {
  ProgramInstance(nb::object codec, nb::object given)
      : object(std::move(codec)), options(std::move(given)) {}
  polycodec_instance table{};
  Held object;
  Held options;  // a dict
  bool typed = false;
};

/// The call that a codec of Python is in.
using CurrentCall = Current<polycodec_call>;

/// Bytes of an input, as a buffer that keeps them.
struct InputBytes {
  host::Source source;
  polycodec_bytes bytes;
};

int input_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
  const InputBytes* input = nb::inst_ptr<InputBytes>(self);
  return PyBuffer_FillInfo(view, self, const_cast<void*>(input->bytes.data),
                           static_cast<Py_ssize_t>(input->bytes.size), 1, flags);
}

PyType_Slot input_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(&input_buffer)},
                             {0, nullptr}};

nb::object bytes_of(const polycodec_input& input) {
  return bytes_object({&input.bytes, 1});
}

/// A view of the input, or of a copy of it where nothing would keep the bytes.
nb::object view_of_input(const polycodec_input& input) {
  const host::Source* source = CurrentSource::get();
  const std::string_view all = source == nullptr ? std::string_view() : source->bytes();
  const bool is_kept =
      source != nullptr && all.data() == input.bytes.data && all.size() == input.bytes.size;
  const nb::object bytes = is_kept ? nb::cast(InputBytes{*source, input.bytes}) : bytes_of(input);
  PyObject* view = PyMemoryView_FromObject(bytes.ptr());
  if (view == nullptr) throw nb::python_error();
  return nb::steal(view);
}

/// What encode() of a codec is given.
nb::object encoded_of(polycodec_call* call, const polycodec_node* root, bool typed) {
  const host::Value* value = CurrentValue::get();
  if (typed && value != nullptr && value->root() == root) return nb::cast(Value(*value));
  Meter meter(call);
  nb::object plain = ToPython(meter).node(root);
  return typed ? nb::cast(Value(value_of(plain, false))) : plain;
}

std::int32_t decode(const polycodec_instance* self, polycodec_call* call,
                    const polycodec_input* input, const polycodec_node** root,
                    polycodec_error* error) {
  return guarded(error, POLYCODEC_ERROR_PLUGIN, [&] {
    const auto& instance = *static_cast<const ProgramInstance*>(self->private_data);
    const CurrentCall in(call);
    const nb::object data = instance.typed ? view_of_input(*input) : bytes_of(*input);
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
    const CurrentCall in(call);
    const nb::object given = encoded_of(call, root, instance.typed);
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
    result->score =
        number<std::uint32_t>(codec.object.attr("sniff")(bytes_of(*input)), "the score of sniff()");
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
    made->typed = codec.typed;
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
    made->typed = is_true(nb::object(object.attr("typed")));
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

std::int32_t code_of(const nb::python_error& exception, polycodec_error* error) {
  if (!exception.matches(attribute("polycodec._errors", "PolycodecError"))) return POLYCODEC_OK;
  const nb::handle value = exception.value();
  const auto code =
      number<std::int32_t>(attribute("polycodec._errors", "number_of")(value), "code");
  const nb::object message = value.attr("message"), detail = value.attr("detail"),
                   path = value.attr("path"), offset = value.attr("offset");
  return polycodec::fill_error(
      error, static_cast<Status>(code), view_of(message),
      offset.is_none() ? POLYCODEC_NO_OFFSET : number<std::uint64_t>(offset, "offset"),
      view_of(detail), view_of(path));
}

void bind_codec(nb::module_& module) {
  nb::class_<InputBytes>(module, "InputBytes", nb::type_slots(input_slots), nb::is_final(),
                         "The bytes of an input, as a buffer.");
  module.def(
      "report_loss",
      [](nb::str loss_class, nb::str path, nb::str what) {
        polycodec_call* const call = CurrentCall::get();
        if (call == nullptr)
          throw Error(Status::invalid, "a loss is reported by a codec while it encodes or decodes");
        const std::string_view name = view_of(loss_class);
        std::int32_t number = 0;
        while (number < POLYCODEC_LOSS_COUNT && name != loss_names[number]) ++number;
        if (number == POLYCODEC_LOSS_COUNT)
          throw Error(Status::invalid,
                      "the class of a loss must be note, type, data, retyped or mended");
        polycodec::invoke(call->report_loss, call, number, to_bytes(view_of(path)),
                          to_bytes(view_of(what)));
      },
      nb::arg("loss_class"), nb::arg("path"), nb::arg("what"),
      "Reports what the result of a codec in Python lacks. Raises UnsupportedError if that may not "
      "be lost.");
}

ProgramCodecs::~ProgramCodecs() {
  for (const polycodec_codec* codec : codecs_) codec->release(codec);
}

}  // namespace polycodec_python
