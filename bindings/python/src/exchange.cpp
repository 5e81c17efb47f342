// SPDX-License-Identifier: MIT
// Values for other libraries: Arrow, DLPack, and frames for pickle.
#include "from_python.hpp"
#include "source.hpp"
#include "value.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <memory>
#include <vector>

namespace polycodec_python {
namespace {

template <class T>
void free_capsule(PyObject* capsule) noexcept {
  auto* exported = static_cast<T*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
  if (exported->release != nullptr) exported->release(exported);
  delete exported;
}

template <class T>
nb::object capsule_of(std::unique_ptr<T> exported, const char* name) {
  PyObject* made = PyCapsule_New(exported.get(), name, &free_capsule<T>);
  if (made == nullptr) throw nb::python_error();
  exported.release();
  return nb::steal(made);
}

template <class T>
T& in_capsule(nb::handle capsule, const char* name) {
  void* pointer = PyCapsule_GetPointer(capsule.ptr(), name);
  if (pointer == nullptr) throw nb::python_error();
  return *static_cast<T*>(pointer);
}

/// Whether items of this type are the same objects of Python after a way through Arrow. Not where
/// it is the type of no items.
bool is_plain(const ArrowSchema& schema, const ArrowArray& array) {
  static constexpr std::string_view formats[] = {"l", "g", "u", "U", "b", "n", "+l", "+L", "+s"};
  const std::string_view format = schema.format;
  const bool is_known =
      std::ranges::find(formats, format) != std::end(formats) || format.starts_with("+w:");
  if (!is_known || schema.metadata != nullptr || schema.dictionary != nullptr ||
      (format == "n" && array.length == 0))
    return false;
  for (std::int64_t i = 0; i < schema.n_children; ++i)
    if (!is_plain(*schema.children[i], *array.children[i])) return false;
  return true;
}

/// A list of documents of one type as an array of columns, or None for any other list.
nb::object columnar(const Value& self) {
  ArrowSchema schema{};
  ArrowArray array{};
  try {
    self.handle().to_arrow(&schema, &array);
  } catch (const Error& error) {
    if (error.code() == Status::limit || error.code() == Status::unsupported) return nb::none();
    throw;
  }
  if (array.length != 0 && is_plain(schema, array))
    return nb::cast(Value(host::Value::from_arrow(&schema, &array)));
  schema.release(&schema);
  array.release(&array);
  return nb::none();
}

nb::object arrow_array(Value& self, nb::handle requested) {
  (void)requested;  // a wish, which a producer need not fulfill
  auto schema = std::make_unique<ArrowSchema>();
  auto array = std::make_unique<ArrowArray>();
  self.handle().to_arrow(schema.get(), array.get());
  nb::object first = capsule_of(std::move(schema), "arrow_schema");
  return nb::make_tuple(first, capsule_of(std::move(array), "arrow_array"));
}

nb::object arrow_stream(Value& self, nb::handle requested) {
  (void)requested;
  auto stream = std::make_unique<ArrowArrayStream>();
  self.handle().to_arrow(stream.get());
  return capsule_of(std::move(stream), "arrow_array_stream");
}

Value from_arrow_array(nb::handle schema_capsule, nb::handle array_capsule) {
  // The library moves both structs out of the capsules, so that both must be there before.
  auto& schema = in_capsule<ArrowSchema>(schema_capsule, "arrow_schema");
  auto& array = in_capsule<ArrowArray>(array_capsule, "arrow_array");
  return Value(host::Value::from_arrow(&schema, &array));
}

// The first members of the structs of <dlpack/dlpack.h>, which hold the function that frees them.
struct TensorHead {
  struct {
    void* data;
    std::int32_t device_type, device_id, ndim;
    std::uint8_t code, bits;
    std::uint16_t lanes;
    std::int64_t *shape, *strides;
    std::uint64_t byte_offset;
  } tensor;
  void* context;
  void (*deleter)(void*);
};
struct VersionedHead {
  std::uint32_t major, minor;
  void* context;
  void (*deleter)(void*);
};

template <class Head>
void free_tensor(PyObject* capsule) noexcept {
  // A consumer has renamed the capsule.
  const std::string_view name = PyCapsule_GetName(capsule);
  if (name.starts_with("used_")) return;
  auto* head = static_cast<Head*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
  if (head->deleter != nullptr) head->deleter(head);
}

nb::object dlpack(Value& self, nb::handle stream, nb::handle max_version, nb::handle device,
                  nb::handle copy) {
  if (!stream.is_none() || (!copy.is_none() && PyObject_IsTrue(copy.ptr()) != 0))
    throw nb::buffer_error("a value has neither streams nor copies: use to_numpy()");
  if (!device.is_none() && number<std::int64_t>(device[0], "dl_device") != 1)
    throw nb::buffer_error("a value is in the memory of the processor");
  const polycodec_array* leaf = self.array();
  if (leaf == nullptr || leaf->layout != POLYCODEC_LAYOUT_NDARRAY)
    throw nb::buffer_error("only an array of numbers is a tensor: index the value first");
  PyObject* made = nullptr;
  if (!max_version.is_none() && number<std::int64_t>(max_version[0], "max_version") >= 1) {
    DLManagedTensorVersioned* tensor = nullptr;
    self.handle().to_dlpack(View(*leaf), &tensor);
    made = PyCapsule_New(tensor, "dltensor_versioned", &free_tensor<VersionedHead>);
  } else {
    DLManagedTensor* tensor = nullptr;
    self.handle().to_dlpack(View(*leaf), &tensor);
    made = PyCapsule_New(tensor, "dltensor", &free_tensor<TensorHead>);
  }
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

/// Takes a tensor of a capsule, which then belongs to the value.
template <class Tensor>
Value tensor_of(nb::handle capsule, const char* name, const char* used) {
  auto* const tensor = static_cast<Tensor*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (tensor == nullptr) throw nb::python_error();
  PyCapsule_SetName(capsule.ptr(), used);
  return Value(host::Value::from_dlpack(tensor));
}

Value from_dlpack(nb::handle capsule) {
  if (PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned") != 0)
    return tensor_of<DLManagedTensorVersioned>(capsule, "dltensor_versioned",
                                               "used_dltensor_versioned");
  return tensor_of<DLManagedTensor>(capsule, "dltensor", "used_dltensor");
}

/// The pieces of a value, as memory that keeps them.
struct Piece {
  std::shared_ptr<host::Frames> frames;
  polycodec_bytes bytes;
};

int piece_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
  const Piece* piece = nb::inst_ptr<Piece>(self);
  return PyBuffer_FillInfo(view, self, const_cast<void*>(piece->bytes.data),
                           static_cast<Py_ssize_t>(piece->bytes.size), 1, flags);
}

PyType_Slot piece_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(&piece_buffer)},
                             {0, nullptr}};

nb::list to_frames(Value& self) {
  const auto frames = std::make_shared<host::Frames>(self.handle());
  nb::list result;
  for (const polycodec_bytes& piece : frames->pieces()) {
    PyObject* view = PyMemoryView_FromObject(nb::cast(Piece{frames, piece}).ptr());
    if (view == nullptr) throw nb::python_error();
    result.append(nb::steal(view));
  }
  return result;
}

/// Buffers of Python that the library views.
struct Buffers {
  std::deque<Buffer> views;
  std::vector<nb::object> copies;
  std::vector<polycodec_bytes> pieces;
  bool are_immutable = true;

  /// Lets go of them on any thread.
  static void release(Buffers* buffers) noexcept {
    if (!has_interpreter()) return;
    const nb::gil_scoped_acquire locked;
    delete buffers;
  }
  void add(nb::handle buffer) {
    const Buffer& view = views.emplace_back(buffer);
    if (!view.is_read_only()) {  // others could change what was checked
      copies.push_back(copy_of(view.bytes()));
      views.pop_back();
      return add(copies.back());
    }
    are_immutable = are_immutable && is_immutable(buffer);
    pieces.push_back(to_bytes(view.bytes()));
  }
};

Value from_frames(nb::handle frames) {
  const std::shared_ptr<Buffers> buffers(new Buffers, &Buffers::release);
  for (nb::handle frame : frames) buffers->add(frame);
  return Value(host::Frames::join(buffers->pieces, buffers, !buffers->are_immutable));
}

}  // namespace

host::Value from_arrow_stream(nb::handle capsule, const host::Limits& limits) {
  auto& stream = in_capsule<ArrowArrayStream>(capsule, "arrow_array_stream");
  const nb::gil_scoped_release unlocked;  // producers may take it
  return host::Value::from_arrow(&stream, limits);
}

void bind_exchange(nb::class_<Value>& value) {
  value.def("__arrow_c_array__", &arrow_array, nb::arg("requested_schema") = nb::none())
      .def("__arrow_c_stream__", &arrow_stream, nb::arg("requested_schema") = nb::none())
      .def("__dlpack__", &dlpack, nb::kw_only(), nb::arg("stream") = nb::none(),
           nb::arg("max_version") = nb::none(), nb::arg("dl_device") = nb::none(),
           nb::arg("copy") = nb::none())
      .def("__dlpack_device__", [](const Value&) { return nb::make_tuple(1, 0); })
      .def("to_frames", &to_frames,
           "Returns a header and the buffers of the value as they are, which from_frames() puts "
           "together again (docs/frames.md).");
}

void bind_exchange_functions(nb::module_& module) {
  nb::class_<Piece>(module, "Piece", nb::type_slots(piece_slots), nb::is_final());
  module.def("from_arrow_array", &from_arrow_array, nb::arg("schema"), nb::arg("array"));
  module.def(
      "columnar", &columnar, nb::arg("value"),
      "Returns a list of documents of one type as an array of columns, or None for any other "
      "list.");
  module.def("from_dlpack", &from_dlpack, nb::arg("capsule"));
  module.def(
      "from_frames", &from_frames, nb::arg("frames"),
      "Puts a value together from the frames of Value.to_frames(), which it views and checks.");
}

}  // namespace polycodec_python
