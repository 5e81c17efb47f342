// SPDX-License-Identifier: MIT
// Arrays as they are stored, and the memory that arrays of numpy view.
#include <polycodec/detail/layout_fields.hpp>

#include "numpy_types.hpp"
#include "to_python.hpp"
#include "value.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace polycodec_python {
namespace {

/// Bytes of a value as an object with the buffer protocol.
struct Memory {
  host::Value owner;
  const void* data;
  std::uint64_t size;
};

int get_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
  const Memory* memory = nb::inst_ptr<Memory>(self);
  return PyBuffer_FillInfo(view, self, const_cast<void*>(memory->data),
                           static_cast<Py_ssize_t>(memory->size), 1, flags);
}

PyType_Slot memory_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(&get_buffer)},
                              {0, nullptr}};

nb::object tuple_of(const std::int64_t* items, std::uint32_t n) {
  nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(n)));
  if (!tuple.is_valid()) throw nb::python_error();
  for (std::uint32_t i = 0; i < n; ++i) {
    PyObject* item = PyLong_FromLongLong(items[i]);
    if (item == nullptr) throw nb::python_error();
    PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i), item);
  }
  return tuple;
}

/// The dtype of a leaf. Those that were asked for first are kept as long as the process: numpy
/// takes longer to read the text than to make an array.
nb::object dtype_of(const polycodec_array& leaf) {
  static std::unordered_map<std::uint64_t, PyObject*> known;
  const std::uint64_t key = leaf.dtype | std::uint64_t{leaf.byte_order} << 8 |
                            std::uint64_t{leaf.unit} << 16 | std::uint64_t{leaf.item_size} << 32;
  if (const auto at = known.find(key); at != known.end()) return nb::borrow(at->second);
  const std::string type = typestr_of(leaf);
  if (type.empty())
    throw Error(Status::type,
                "numpy has no element type for this array: use to_numpy(copy=True) or to_python()");
  nb::object made = attribute("numpy", "dtype")(type);
  constexpr std::size_t most = 256;
  if (known.size() < most && known.try_emplace(key, made.ptr()).second) Py_INCREF(made.ptr());
  return made;
}

/// numpy.ndarray, which lives as long as the process. The interpreter is locked.
PyObject* array_type() {
  static PyObject* type = nullptr;
  if (type == nullptr) type = attribute("numpy", "ndarray").release().ptr();
  return type;
}

/// An array of numpy over [begin, begin + size), in which the first element is at `data`.
nb::object view(const host::Value& owner, const void* begin, std::uint64_t size, const void* data,
                const polycodec_array& leaf, const std::int64_t* shape, const std::int64_t* strides,
                std::uint32_t ndim) {
  static const char nothing = 0;
  if (begin == nullptr || std::find(shape, shape + ndim, 0) != shape + ndim) {
    begin = data = &nothing;
    size = 0;
  }
  const nb::object memory = nb::cast(Memory{owner, begin, size});
  const nb::object offset =
      nb::int_(static_cast<const char*>(data) - static_cast<const char*>(begin));
  const nb::object type = dtype_of(leaf);
  const nb::object extent = tuple_of(shape, ndim);
  const nb::object steps = tuple_of(strides, ndim);
  PyObject* const arguments[] = {extent.ptr(), type.ptr(), memory.ptr(), offset.ptr(), steps.ptr()};
  PyObject* made = PyObject_Vectorcall(array_type(), arguments, std::size(arguments), nullptr);
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

nb::object column(const Array& self, const std::string& name) {
  const polycodec_array& a = *self.raw;
  const polycodec::ColumnNames known = polycodec::column_names(a.layout);
  const bool is_second = known.second == name;
  if (name.empty() || (!is_second && known.first != name)) return nb::none();
  const polycodec_column& items = is_second ? a.stops : a.offsets;
  if (items.data == nullptr) return nb::none();
  const std::uint64_t n = polycodec_column_length(a.layout, a.length, a.n_children, is_second);
  polycodec_array leaf{};
  leaf.dtype = static_cast<std::uint8_t>(items.dtype);
  leaf.byte_order = polycodec::host_byte_order;
  leaf.item_size = polycodec::dtype_size(items.dtype);
  const auto span =
      polycodec::column_span(n, items.stride, leaf.item_size).value_or(polycodec::ColumnSpan{});
  const auto* data = static_cast<const char*>(items.data);
  const auto shape = static_cast<std::int64_t>(n);
  return view(self.owner, data + span.low, span.size(), data, leaf, &shape, &items.stride, 1);
}

nb::object names(const Array& self) {
  const polycodec_array& a = *self.raw;
  if (a.layout != POLYCODEC_LAYOUT_RECORD || a.names == nullptr) return nb::none();
  nb::list result;
  for (std::uint32_t i = 0; i < a.n_children; ++i)
    result.append(str_of(to_string_view(a.names[i])));
  return result;
}

/// Only leaves have dimensions, and a leaf has no children.
bool is_leaf(const Array& self) noexcept {
  return self.raw->layout == POLYCODEC_LAYOUT_NDARRAY;
}

nb::object children(const Array& self) {
  nb::list result;
  if (is_leaf(self) || self.raw->layout >= POLYCODEC_LAYOUT_DOCUMENT) return result;
  for (std::uint32_t i = 0; i < self.raw->n_children; ++i)
    result.append(Array{self.owner, self.raw->children[i]});
  return result;
}

Value value_of_array(const Array& self) {
  return Value(self.owner.part(polycodec_item{nullptr, self.raw, POLYCODEC_WHOLE}));
}

template <auto Field>
std::uint64_t field(const Array& self) {
  return self.raw->*Field;
}

}  // namespace

nb::object numpy_of(const polycodec_array& leaf, const host::Value& owner) {
  return view(owner, leaf.buffer, leaf.buffer_size, leaf.data, leaf, leaf.shape, leaf.strides,
              leaf.ndim);
}

void bind_array(nb::module_& module) {
  nb::class_<Memory>(module, "Memory", nb::type_slots(memory_slots), nb::is_final());
  nb::class_<Array>(module, "Array", nb::is_final(),
                    "A columnar array of a value as it is stored; polycodec/abi.h has the layouts.")
      .def_prop_ro(
          "layout", [](const Array& self) { return layout_name(self.raw->layout); },
          "How the items are stored: ndarray, list_offsets, list_view, list_fixed, record, union, "
          "option_bytes, option_bits, indexed, chunked or document.")
      .def_prop_ro("length", &field<&polycodec_array::length>, "The number of items.")
      .def_prop_ro("list_size", &field<&polycodec_array::list_size>,
                   "list_fixed: the number of items of each list.")
      .def_prop_ro("dtype", &field<&polycodec_array::dtype>,
                   "ndarray: the number of the element type in polycodec/abi.h.")
      .def_prop_ro("unit", &field<&polycodec_array::unit>,
                   "ndarray: the number of the unit of times.")
      .def_prop_ro("item_size", &field<&polycodec_array::item_size>,
                   "ndarray: the bytes of an element.")
      .def_prop_ro("flags", &field<&polycodec_array::flags>, "The flags of polycodec/abi.h.")
      .def_prop_ro(
          "typestr", [](const Array& self) { return typestr_of(*self.raw); },
          "ndarray: the element type as numpy writes it, such as <f8, or nothing where it has "
          "none.")
      .def_prop_ro(
          "is_string",
          [](const Array& self) { return (self.raw->flags & POLYCODEC_ARRAY_STRING) != 0; },
          "Whether lists of bytes are strings.")
      .def_prop_ro(
          "is_binary",
          [](const Array& self) { return (self.raw->flags & POLYCODEC_ARRAY_BINARY) != 0; },
          "Whether lists of bytes are byte strings.")
      .def_prop_ro(
          "bits_lsb",
          [](const Array& self) { return (self.raw->flags & POLYCODEC_ARRAY_BITS_LSB) != 0; },
          "option_bits: whether the first item is the lowest bit.")
      .def_prop_ro(
          "mask_valid",
          [](const Array& self) { return (self.raw->flags & POLYCODEC_ARRAY_MASK_VALID) != 0; },
          "option_bytes, option_bits: whether 1 means that the item is there.")
      .def_prop_ro(
          "shape",
          [](const Array& self) {
            return tuple_of(self.raw->shape, is_leaf(self) ? self.raw->ndim : 0);
          },
          "ndarray: the dimensions.")
      .def_prop_ro(
          "strides",
          [](const Array& self) {
            return tuple_of(self.raw->strides, is_leaf(self) ? self.raw->ndim : 0);
          },
          "ndarray: the bytes from one item to the next in each dimension.")
      .def_prop_ro(
          "address",
          [](const Array& self) { return reinterpret_cast<std::uintptr_t>(self.raw->data); },
          "ndarray: the address of the first element.")
      .def_prop_ro("names", &names, "record: the names of the columns, or None for tuples.")
      .def_prop_ro("children", &children,
                   "The arrays of the columns, alternatives, chunks or items.")
      .def_prop_ro(
          "metadata",
          [](const Array& self) -> nb::object {
            if (self.raw->metadata == nullptr) return nb::dict();
            return to_python(self.owner, self.raw->metadata);
          },
          "Names, units and notes of the array.")
      .def_prop_ro("value", &value_of_array, "The array as a value.")
      .def("column", &column, nb::arg("name"),
           "Returns the offsets, starts, stops, index, tags or mask as an array of numpy that "
           "views it, or None.")
      .def(
          "to_numpy", [](const Array& self) { return numpy_of(*self.raw, self.owner); },
          "ndarray: returns an array of numpy that views it. Raises TypeError where numpy has no "
          "such type.");
}

}  // namespace polycodec_python
