// SPDX-License-Identifier: MIT
#include "from_python.hpp"

#include "guarded.hpp"
#include "source.hpp"
#include "stack.hpp"
#include "value.hpp"

#include <array>
#include <utility>

namespace polycodec_python {

using polycodec::Builder;

namespace {

constexpr std::uint32_t max_depth = 500;
constexpr std::uint32_t max_adapted = 16;
constexpr std::uint64_t min_viewed = 4096;  // shorter bytes are copied
constexpr std::uint32_t many_dicts = 8;
constexpr Py_ssize_t ahead = 8;  // items that are fetched before their turn

// The functions of the limited interface are slower where a macro exists.
#ifdef Py_LIMITED_API
Py_ssize_t list_size(PyObject* list) noexcept {
  return PyList_Size(list);
}
PyObject* list_item(PyObject* list, Py_ssize_t i) noexcept {
  return PyList_GetItem(list, i);
}
Py_ssize_t tuple_size(PyObject* tuple) noexcept {
  return PyTuple_Size(tuple);
}
PyObject* tuple_item(PyObject* tuple, Py_ssize_t i) noexcept {
  return PyTuple_GetItem(tuple, i);
}
Py_ssize_t dict_size(PyObject* dict) noexcept {
  return PyDict_Size(dict);
}
double double_of(PyObject* number) noexcept {
  return PyFloat_AsDouble(number);
}
const char* utf8_of(PyObject* text, Py_ssize_t& size) noexcept {
  return PyUnicode_AsUTF8AndSize(text, &size);
}
#else
Py_ssize_t list_size(PyObject* list) noexcept {
  return PyList_GET_SIZE(list);
}
PyObject* list_item(PyObject* list, Py_ssize_t i) noexcept {
  return PyList_GET_ITEM(list, i);
}
Py_ssize_t tuple_size(PyObject* tuple) noexcept {
  return PyTuple_GET_SIZE(tuple);
}
PyObject* tuple_item(PyObject* tuple, Py_ssize_t i) noexcept {
  return PyTuple_GET_ITEM(tuple, i);
}
Py_ssize_t dict_size(PyObject* dict) noexcept {
  return PyDict_GET_SIZE(dict);
}
double double_of(PyObject* number) noexcept {
  return PyFloat_AS_DOUBLE(number);
}
const char* utf8_of(PyObject* text, Py_ssize_t& size) noexcept {
  if (!PyUnicode_IS_COMPACT_ASCII(text)) return PyUnicode_AsUTF8AndSize(text, &size);
  size = PyUnicode_GET_LENGTH(text);
  return static_cast<const char*>(PyUnicode_DATA(text));
}
#endif

}  // namespace

struct FromPython::Keys {
  struct Known {
    nb::object key;
    polycodec_node node;
  };
  std::array<Known, 64> all;
};

void FromPython::DeleteKeys::operator()(Keys* keys) const noexcept {
  delete keys;
}

host::Limits Bounds::all() const {
  host::Limits result = limits;
  result.deadline = 0;  // of a call alone
  return registry == nullptr ? result : registry->limits(result);
}

void FromPython::adopt(nb::object owner, std::string_view extent) {
  weight_ += extent.size();
  out_.adopt(owner.release().ptr(), &release_object, extent);
}

std::string_view FromPython::memory_of(PyObject* owner, std::string_view memory) {
  if (memory.size() >= min_viewed) {
    adopt(nb::borrow(owner), memory);
    return memory;
  }
  weight_ += memory.size();
  return out_.copy_text(memory);
}

void FromPython::Inside::append_to(std::string& path) const {
  if (outer_ != nullptr) outer_->append_to(path);
  if (key == nullptr) {
    path.append(1, '[').append(std::to_string(index)).append(1, ']');
  } else if (PyUnicode_Check(key)) {
    path.append(1, '.').append(view_of(key));
  } else {
    path.append(1, '[').append(nb::cast<std::string>(nb::str(nb::handle(key)))).append(1, ']');
  }
}

std::string FromPython::path() const {
  std::string path = "$";
  if (innermost_ != nullptr) innermost_->append_to(path);
  return path;
}

void FromPython::fail(Status code, const std::string& message) {
  throw Error(code, message).path(path());
}

void FromPython::lose(nb::handle losses) {
  for (nb::handle loss : losses)
    losses_.push_back({nb::cast<std::string>(loss[0]), path() + nb::cast<std::string>(loss[1]),
                       nb::cast<std::string>(loss[2])});
}

void FromPython::deeper() {
  if (++depth_ > max_depth)
    throw Error(Status::limit, "the object nests deeper than 500, or contains itself");
  check_stack(depth_);
}

bool FromPython::scalar(PyObject* o, polycodec_node& to) {
  if (PyUnicode_CheckExact(o)) {
    to = string(o);
  } else if (PyLong_CheckExact(o)) {
    to = integer(o);
  } else if (PyFloat_CheckExact(o)) {
    to = Builder::real(double_of(o));
  } else if (o == Py_None) {
    to = Builder::null();
  } else if (PyBool_Check(o)) {
    to = Builder::boolean(o == Py_True);
  } else {
    return false;
  }
  return true;
}

polycodec_node FromPython::node(nb::handle object, std::uint32_t adapted) {
  PyObject* const o = object.ptr();
  if (polycodec_node made; scalar(o, made)) return made;
  if (PyDict_CheckExact(o)) return dict(o);
  if (PyList_CheckExact(o)) return sequence(o, POLYCODEC_KIND_LIST);
  if (PyTuple_CheckExact(o)) return sequence(o, POLYCODEC_KIND_TUPLE);
  if (PyBytes_CheckExact(o)) return bytes(o);
  return other(object, adapted);
}

polycodec_node FromPython::string(PyObject* text) {
  Py_ssize_t size = 0;
  if (const char* data = utf8_of(text, size); data != nullptr)
    return Builder::string_view(memory_of(text, {data, static_cast<std::size_t>(size)}));
  PyErr_Clear();  // bytes that were no UTF-8
  const nb::object encoded = nb::steal(PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape"));
  if (!encoded.is_valid()) throw nb::python_error();
  polycodec_node n = Builder::string_view(memory_of(
      encoded.ptr(),
      {PyBytes_AsString(encoded.ptr()), static_cast<std::size_t>(PyBytes_Size(encoded.ptr()))}));
  n.dtype = POLYCODEC_STRING_LENIENT;
  return n;
}

/// The node of a string that is a key. Dicts of one list mostly have the same objects as keys.
polycodec_node FromPython::key(PyObject* text) {
  if (keys_ == nullptr) return string(text);
  auto& known = keys_->all[(reinterpret_cast<std::uintptr_t>(text) >> 4) % keys_->all.size()];
  if (known.key.ptr() != text) {
    known.node = string(text);
    known.key = nb::borrow(text);
  }
  return known.node;
}

polycodec_node FromPython::bytes(PyObject* bytes) {
  char* data = nullptr;
  Py_ssize_t size = 0;
  PyBytes_AsStringAndSize(bytes, &data, &size);
  return Builder::bytes_view(memory_of(bytes, {data, static_cast<std::size_t>(size)}));
}

polycodec_node FromPython::integer(PyObject* number) {
  int overflow = 0;
  const long long small = PyLong_AsLongLongAndOverflow(number, &overflow);
  if (small == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  if (overflow == 0) return Builder::integer(small);
  const nb::handle wide(number);
  const auto bits = nb::cast<std::uint64_t>(wide.attr("bit_length")());
  if (overflow > 0 && bits == 64)
    return Builder::unsigned_integer(PyLong_AsUnsignedLongLong(number));
  const bool is_signed = overflow < 0 || bits < 128;
  if (bits > 128 || (is_signed && bits == 128 &&
                     !nb::cast<bool>(nb::int_(-1).attr("__lshift__")(127).attr("__eq__")(wide))))
    fail(Status::range, "integer of " + std::to_string(bits) + " bits: the most is 128");
  const nb::object raw = wide.attr("to_bytes")(16, nb::module_::import_("sys").attr("byteorder"),
                                               nb::arg("signed") = is_signed);
  return out_.wide(is_signed ? POLYCODEC_DTYPE_INT128 : POLYCODEC_DTYPE_UINT128,
                   PyBytes_AsString(raw.ptr()));
}

polycodec_node FromPython::sequence(PyObject* items, std::uint8_t kind) {
  const bool is_list = kind == POLYCODEC_KIND_LIST;
  const Py_ssize_t size = is_list ? list_size(items) : tuple_size(items);
  polycodec_node n = polycodec_node_make(kind, 0, static_cast<std::uint64_t>(size));
  auto* nodes = allocate<polycodec_node>(static_cast<std::uint64_t>(size));
  n.as.nodes = nodes;
  if (size == 0) return n;
  Inside inside(*this);
  for (Py_ssize_t i = 0; i < size; ++i) {
    // Adapters run code of Python, which may change the list.
    if (is_list && list_size(items) != size)
      throw Error(Status::invalid, "a list changed its size while it was encoded");
    PyObject* const item = is_list ? list_item(items, i) : tuple_item(items, i);
    // Objects lie anywhere: half of the time here waits for their types.
    if (i + ahead < size)
      __builtin_prefetch(is_list ? list_item(items, i + ahead) : tuple_item(items, i + ahead));
    inside.index = i;
    if (scalar(item, nodes[i])) continue;
    const nb::object kept = nb::borrow(item);
    nodes[i] = node(kept);
  }
  return n;
}

polycodec_node FromPython::dict(PyObject* dict) {
  const Py_ssize_t size = dict_size(dict);
  auto* nodes = allocate<polycodec_node>(2 * static_cast<std::uint64_t>(size));
  if (++n_dicts_ == many_dicts) keys_.reset(new Keys);
  bool all_strings = true;
  PyObject* name = nullptr;
  PyObject* item = nullptr;
  Py_ssize_t at = 0;
  Py_ssize_t i = 0;
  if (size != 0) {
    Inside inside(*this);
    while (PyDict_Next(dict, &at, &name, &item) != 0) {
      if (i == size || dict_size(dict) != size)
        throw Error(Status::invalid, "a dict changed its size while it was encoded");
      polycodec_node* const to = &nodes[2 * i++];
      inside.key = name;
      if (PyUnicode_CheckExact(name)) {
        to[0] = key(name);
        if (scalar(item, to[1])) continue;
      }
      const nb::object kept_name = nb::borrow(name);
      const nb::object kept = nb::borrow(item);
      if (!PyUnicode_CheckExact(name)) {
        all_strings = all_strings && PyUnicode_Check(name) != 0;
        to[0] = node(kept_name);
      }
      to[1] = node(kept);
    }
  }
  polycodec_node n = polycodec_node_make(all_strings ? POLYCODEC_KIND_OBJECT : POLYCODEC_KIND_MAP,
                                         0, static_cast<std::uint64_t>(i));
  n.as.nodes = nodes;
  return n;
}

polycodec_node FromPython::time(nb::handle time) {
  const bool is_duration = PyObject_IsTrue(nb::object(time.attr("is_duration")).ptr()) == 1;
  polycodec_node n = out_.timestamp(number<std::int64_t>(time.attr("count"), "count"),
                                    number<std::uint32_t>(time.attr("nanoseconds"), "nanoseconds"),
                                    number<std::uint32_t>(time.attr("unit"), "unit"));
  if (is_duration) {  // which has nanoseconds, too
    n.kind = POLYCODEC_KIND_DURATION;
    n.dtype = POLYCODEC_DTYPE_DURATION64;
  }
  return n;
}

polycodec_node FromPython::value(const host::Value& other) {
  if (draft_ == nullptr)
    fail(Status::unsupported, "a codec cannot return a Value: call its to_python()");
  draft_->keep(other);
  weight_ = UINT64_MAX / 2;
  return *other.root();
}

polycodec_node FromPython::payload(nb::handle object) {
  deeper();
  const polycodec_node n = node(object);
  --depth_;
  return n;
}

/// An object, or null for one without members.
const polycodec_node* FromPython::metadata(nb::handle dict) {
  if (dict.is_none() || !is_true(dict)) return nullptr;
  const polycodec_node made = payload(dict);
  if (made.kind != POLYCODEC_KIND_OBJECT)
    fail(Status::type, "metadata must be a dict whose keys are strings");
  return out_.store(made);
}

/// What the adapter makes of an object. What goes wrong in the library of the object becomes an
/// error of this package.
nb::object FromPython::adapted_of(nb::handle object) {
  try {
    return attribute("polycodec._adapt", "adapt")(object);
  } catch (nb::python_error& exception) {
    if (!exception.matches(PyExc_Exception) || exception.matches(PyExc_MemoryError) ||
        exception.matches(attribute("polycodec._errors", "PolycodecError")))
      throw;
    raise(Error(exception.matches(PyExc_TypeError) ? Status::type : Status::invalid,
                "an object of the type '" + std::string(nb::type_name(object.type()).c_str()) +
                    "' cannot be read (" + summary_of(exception) + "): convert it first")
              .path(path()),
          nb::borrow(exception.value()));
  }
}

polycodec_node FromPython::other(nb::handle object, std::uint32_t steps) {
  PyObject* const o = object.ptr();
  if (nb::isinstance<Value>(object)) return value(nb::cast<Value&>(object).handle());
  if (steps == max_adapted)
    fail(Status::invalid,
         "the adapters of an object (such as __array__) lead to an object of the type '" +
             std::string(nb::type_name(object.type()).c_str()) +
             "' that needs one again, without end: they must return plain data");
  // The kinds that the adapter returns. A class of these names in another module is adapted.
  const nb::object known = adapted_of(object);
  const std::string_view what = view_of(known[0]);
  const nb::object adapted = known[1];
  if (nb::len(known) > 2) lose(known[2]);
  if (what == "array") return Builder::array(ndarray(adapted));
  if (what == "layout") return Builder::array(layout(adapted));
  if (what == "time") return time(adapted);
  if (what == "value") return value(nb::cast<Value&>(adapted).handle());
  if (what == "arrow_stream") return value(from_arrow_stream(adapted, bounds_.all()));
  if (what == "complex") {
    const double parts[] = {PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o)};
    return out_.wide(POLYCODEC_DTYPE_COMPLEX128, parts);
  }
  if (what == "annotated") {
    const polycodec_node inner = payload(adapted.attr("value"));
    const polycodec_node* const attributes = metadata(adapted.attr("metadata"));
    return attributes == nullptr ? inner : out_.annotated(inner, *attributes);
  }
  if (what == "extension")
    return out_.extension(view_of(adapted.attr("name")), payload(adapted.attr("payload")));
  if (what == "plain") return node(adapted, steps + 1);
  fail(Status::type, "an object of the type '" + nb::cast<std::string>(adapted) +
                         "' has no kind of value: convert it first");
}

host::Value value_of(nb::handle object, bool copy, std::uint64_t* weight, const Bounds& bounds,
                     const CallOptions* call) {
  std::uint64_t unused;
  std::uint64_t& size = weight == nullptr ? unused : *weight;
  size = UINT64_MAX;
  if (object.type().is(value_type())) return nb::cast<Value&>(object).handle();
  host::Draft draft;
  FromPython builder(draft.out(), &draft, copy, bounds);
  const polycodec_node root = builder.node(object);
  size = builder.weight();
  if (call == nullptr) {
    refuse(builder.losses());
  } else {
    call->report(builder.losses());
  }
  if (size <= short_data) return draft.finish(root);  // in the time that others would wait anyway
  const nb::gil_scoped_release unlocked;
  return draft.finish(root);
}

}  // namespace polycodec_python
