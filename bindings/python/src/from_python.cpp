// SPDX-License-Identifier: MIT
#include "from_python.hpp"

#include "source.hpp"
#include "stack.hpp"
#include "value.hpp"

#include <cstring>

namespace polycodec_python {
namespace {

constexpr std::uint32_t max_depth = 500;
constexpr std::uint32_t max_adapted = 16;
constexpr std::uint64_t min_viewed = 4096;  // shorter bytes are copied

}  // namespace

polycodec_limits Bounds::all() const {
  polycodec_limits result{};
  if (limits != nullptr) result = *limits;
  result.struct_size = sizeof result;
  result.deadline = 0;  // of a call alone
  if (registry == nullptr) return result;
  const polycodec_limits given = result;
  call(polycodec_registry_limits, registry, &given, UINT64_MAX, &result);
  return result;
}

void FromPython::adopt(nb::object owner, const void* data, std::uint64_t size) {
  const polycodec_bytes extent{data, size};
  weight_ += size;
  CallError failure;
  // On failure the arena has let go of it.
  if (arena_->adopt(arena_, owner.release().ptr(), &release_object, &extent, 1, failure.raw()) !=
      POLYCODEC_OK)
    raise(failure);
}

void FromPython::fail(polycodec_status code, const std::string& message) {
  std::string path = "$";
  for (const nb::object& step : path_) {
    if (PyUnicode_Check(step.ptr())) {
      path.append(1, '.').append(view_of(step));
    } else {
      path.append(1, '[').append(nb::cast<std::string>(nb::str(step))).append(1, ']');
    }
  }
  raise(code, message, path);
}

void FromPython::enter(nb::object step) {
  path_.push_back(std::move(step));
  deeper();
}

void FromPython::leave() {
  path_.pop_back();
  --depth_;
}

void FromPython::deeper() {
  if (++depth_ > max_depth)
    raise(POLYCODEC_ERROR_LIMIT, "the object nests deeper than 500, or contains itself");
  check_stack(depth_);
}

const polycodec_node* FromPython::root(nb::handle object) {
  auto* made = allocate<polycodec_node>(1);
  *made = node(object);
  return made;
}

polycodec_node FromPython::node(nb::handle object, std::uint32_t adapted) {
  PyObject* const o = object.ptr();
  if (PyUnicode_CheckExact(o)) return string(o);
  if (o == Py_None) return polycodec_node_make(POLYCODEC_KIND_NULL, 0, 0);
  if (PyBool_Check(o)) {
    auto n = polycodec_node_make(POLYCODEC_KIND_BOOLEAN, POLYCODEC_DTYPE_BOOLEAN, 0);
    n.as.u64 = o == Py_True ? 1 : 0;
    return n;
  }
  if (PyLong_CheckExact(o)) return integer(o);
  if (PyFloat_CheckExact(o)) {
    auto n = polycodec_node_make(POLYCODEC_KIND_FLOAT, POLYCODEC_DTYPE_FLOAT64, 0);
    n.as.f64 = PyFloat_AsDouble(o);
    return n;
  }
  if (PyDict_CheckExact(o)) return dict(o);
  if (PyList_CheckExact(o)) return sequence(o, POLYCODEC_KIND_LIST);
  if (PyTuple_CheckExact(o)) return sequence(o, POLYCODEC_KIND_TUPLE);
  if (PyBytes_CheckExact(o)) return bytes(o);
  return other(object, adapted);
}

polycodec_node FromPython::string(PyObject* text) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text, &size);
  std::uint8_t dtype = 0;
  nb::object encoded;
  if (data == nullptr) {  // bytes that were no UTF-8
    PyErr_Clear();
    encoded = nb::steal(PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape"));
    if (!encoded.is_valid()) throw nb::python_error();
    dtype = POLYCODEC_STRING_LENIENT;
    data = PyBytes_AsString(encoded.ptr());
    size = PyBytes_Size(encoded.ptr());
  }
  const auto length = static_cast<std::uint64_t>(size);
  polycodec_node n = polycodec_node_make(POLYCODEC_KIND_STRING, dtype, length);
  if (length >= min_viewed && !encoded.is_valid()) {
    adopt(nb::borrow(text), data, length);
    n.as.data = data;
  } else {
    char* copy = allocate<char>(length);
    std::memcpy(copy, data, length);
    n.as.data = copy;
  }
  return n;
}

polycodec_node FromPython::bytes(PyObject* bytes) {
  char* data = nullptr;
  Py_ssize_t size = 0;
  PyBytes_AsStringAndSize(bytes, &data, &size);
  const auto length = static_cast<std::uint64_t>(size);
  polycodec_node n = polycodec_node_make(POLYCODEC_KIND_BINARY, 0, length);
  if (length >= min_viewed) {
    adopt(nb::borrow(bytes), data, length);
  } else {
    char* copy = allocate<char>(length);
    std::memcpy(copy, data, length);
    data = copy;
  }
  n.as.data = data;
  return n;
}

polycodec_node FromPython::integer(PyObject* number) {
  int overflow = 0;
  const long long small = PyLong_AsLongLongAndOverflow(number, &overflow);
  if (small == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  polycodec_node n = polycodec_node_make(POLYCODEC_KIND_SIGNED, POLYCODEC_DTYPE_INT64, 0);
  n.as.i64 = small;
  if (overflow == 0) return n;
  const nb::handle wide(number);
  const auto bits = nb::cast<std::uint64_t>(wide.attr("bit_length")());
  if (overflow > 0 && bits == 64) {
    n = polycodec_node_make(POLYCODEC_KIND_UNSIGNED, POLYCODEC_DTYPE_UINT64, 0);
    n.as.u64 = PyLong_AsUnsignedLongLong(number);
    return n;
  }
  const bool is_signed = overflow < 0 || bits < 128;
  if (bits > 128 || (is_signed && bits == 128 &&
                     !nb::cast<bool>(nb::int_(-1).attr("__lshift__")(127).attr("__eq__")(wide))))
    fail(POLYCODEC_ERROR_RANGE, "integer of " + std::to_string(bits) + " bits: the most is 128");
  const nb::object raw = wide.attr("to_bytes")(16, nb::module_::import_("sys").attr("byteorder"),
                                               nb::arg("signed") = is_signed);
  auto* copy = allocate<char>(16);
  std::memcpy(copy, PyBytes_AsString(raw.ptr()), 16);
  n = polycodec_node_make(POLYCODEC_KIND_WIDE,
                          is_signed ? POLYCODEC_DTYPE_INT128 : POLYCODEC_DTYPE_UINT128, 0);
  n.as.data = copy;
  return n;
}

polycodec_node FromPython::sequence(PyObject* items, std::uint8_t kind) {
  const bool is_list = kind == POLYCODEC_KIND_LIST;
  const Py_ssize_t size = is_list ? PyList_Size(items) : PyTuple_Size(items);
  polycodec_node n = polycodec_node_make(kind, 0, static_cast<std::uint64_t>(size));
  auto* nodes = allocate<polycodec_node>(static_cast<std::uint64_t>(size));
  for (Py_ssize_t i = 0; i < size; ++i) {
    // Adapters run code of Python, which may change the list.
    if (is_list && PyList_Size(items) != size)
      raise(POLYCODEC_ERROR_INVALID, "a list changed its size while it was encoded");
    const nb::object item =
        nb::borrow(is_list ? PyList_GetItem(items, i) : PyTuple_GetItem(items, i));
    enter(nb::int_(i));
    nodes[i] = node(item);
    leave();
  }
  n.as.nodes = nodes;
  return n;
}

polycodec_node FromPython::dict(PyObject* dict) {
  const Py_ssize_t size = PyDict_Size(dict);
  auto* nodes = allocate<polycodec_node>(2 * static_cast<std::uint64_t>(size));
  bool all_strings = true;
  PyObject* key = nullptr;
  PyObject* item = nullptr;
  Py_ssize_t at = 0;
  Py_ssize_t i = 0;
  while (PyDict_Next(dict, &at, &key, &item) != 0) {
    if (i == size || PyDict_Size(dict) != size)
      raise(POLYCODEC_ERROR_INVALID, "a dict changed its size while it was encoded");
    const nb::object kept_key = nb::borrow(key);
    const nb::object kept = nb::borrow(item);
    all_strings = all_strings && PyUnicode_Check(key) != 0;
    enter(kept_key);
    nodes[2 * i] = node(kept_key);
    nodes[2 * i + 1] = node(kept);
    leave();
    ++i;
  }
  polycodec_node n = polycodec_node_make(all_strings ? POLYCODEC_KIND_OBJECT : POLYCODEC_KIND_MAP,
                                         0, static_cast<std::uint64_t>(i));
  n.as.nodes = nodes;
  return n;
}

polycodec_node FromPython::time(nb::handle time) {
  const bool is_duration = PyObject_IsTrue(nb::object(time.attr("is_duration")).ptr()) == 1;
  auto* t = allocate<polycodec_time>(1);
  t->count = number<std::int64_t>(time.attr("count"), "count");
  t->nanoseconds = number<std::uint32_t>(time.attr("nanoseconds"), "nanoseconds");
  t->unit = number<std::uint32_t>(time.attr("unit"), "unit");
  polycodec_node n = polycodec_node_make(
      is_duration ? POLYCODEC_KIND_DURATION : POLYCODEC_KIND_TIMESTAMP,
      is_duration ? POLYCODEC_DTYPE_DURATION64 : POLYCODEC_DTYPE_TIMESTAMP64, 0);
  n.as.time = t;
  return n;
}

polycodec_node FromPython::value(nb::handle value) {
  const ValueHandle& other = nb::cast<Value&>(value).handle();
  if (value_ == nullptr)
    fail(POLYCODEC_ERROR_UNSUPPORTED, "a codec cannot return a Value: call its to_python()");
  call(polycodec_value_keep, value_, other.get());
  weight_ = UINT64_MAX / 2;
  return *polycodec_value_root(other.get());
}

polycodec_node FromPython::array(const polycodec_array* made) {
  polycodec_node n = polycodec_node_make(POLYCODEC_KIND_ARRAY, 0, 0);
  n.as.array = made;
  return n;
}

polycodec_node FromPython::payload(nb::handle object) {
  deeper();
  const polycodec_node n = node(object);
  --depth_;
  return n;
}

polycodec_node FromPython::other(nb::handle object, std::uint32_t steps) {
  PyObject* const o = object.ptr();
  if (nb::isinstance<Value>(object)) return value(object);
  if (steps == max_adapted)
    fail(POLYCODEC_ERROR_INVALID,
         "the adapters of an object (such as __array__) lead to an object of the type '" +
             std::string(nb::type_name(object.type()).c_str()) +
             "' that needs one again, without end: they must return plain data");
  // The kinds that the adapter returns. A class of these names in another module is adapted.
  const nb::object known = attribute("polycodec._adapt", "adapt")(object);
  const std::string_view what = view_of(known[0]);
  const nb::object adapted = known[1];
  if (what == "array") {
    const polycodec_array* made = ndarray(adapted);
    return array(made);
  }
  if (what == "layout") return array(layout(adapted));
  if (what == "time") return time(adapted);
  if (what == "value") return value(adapted);
  if (what == "arrow_stream") return value(nb::cast(from_arrow_stream(adapted, bounds_.all())));
  if (what == "complex") {
    auto* parts = allocate<double>(2);
    parts[0] = PyComplex_RealAsDouble(o);
    parts[1] = PyComplex_ImagAsDouble(o);
    polycodec_node n = polycodec_node_make(POLYCODEC_KIND_WIDE, POLYCODEC_DTYPE_COMPLEX128, 0);
    n.as.data = parts;
    return n;
  }
  if (what == "extension") {
    auto* extension = allocate<polycodec_extension>(1);
    const polycodec_node name = string(adapted.attr("name").ptr());
    extension->name = {name.as.data, polycodec_node_size(&name)};
    auto* const inner = allocate<polycodec_node>(1);
    *inner = payload(adapted.attr("payload"));
    extension->payload = inner;
    polycodec_node n = polycodec_node_make(POLYCODEC_KIND_EXTENSION, 0, 0);
    n.as.extension = extension;
    return n;
  }
  if (what == "plain") return node(adapted, steps + 1);
  fail(POLYCODEC_ERROR_TYPE, "an object of the type '" + nb::cast<std::string>(adapted) +
                                 "' has no kind of value: convert it first");
}

ValueHandle value_of(nb::handle object, bool copy, std::uint64_t* weight, Bounds bounds) {
  std::uint64_t unused;
  std::uint64_t& size = weight == nullptr ? unused : *weight;
  size = UINT64_MAX;
  if (nb::isinstance<Value>(object)) return nb::cast<Value&>(object).handle();
  ValueHandle value;
  polycodec_arena* arena = nullptr;
  call(polycodec_value_create, 0u, value.out(), &arena);
  FromPython builder(arena, value.get(), copy, bounds);
  const polycodec_node* root = builder.root(object);
  size = builder.weight();
  CallError failure;
  std::int32_t code = 0;
  {
    const nb::gil_scoped_release unlocked;
    code = polycodec_value_finish(value.get(), root, failure.raw());
  }
  if (code != POLYCODEC_OK) raise(failure);
  return value;
}

}  // namespace polycodec_python
