// SPDX-License-Identifier: MIT
#include "from_python.hpp"

#include "guarded.hpp"
#include "source.hpp"
#include "stack.hpp"
#include "value.hpp"

#include <utility>

namespace polycodec_python {

using polycodec::Builder;

namespace {

constexpr std::uint32_t max_depth = 500;
constexpr std::uint32_t max_adapted = 16;
constexpr std::uint64_t min_viewed = 4096;  // shorter bytes are copied

}  // namespace

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

std::string FromPython::path() const {
  std::string path = "$";
  for (const Step& step : path_) {
    if (step.key == nullptr) {
      path.append(1, '[').append(std::to_string(step.index)).append(1, ']');
    } else if (PyUnicode_Check(step.key)) {
      path.append(1, '.').append(view_of(step.key));
    } else {
      path.append(1, '[')
          .append(nb::cast<std::string>(nb::str(nb::handle(step.key))))
          .append(1, ']');
    }
  }
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

void FromPython::enter(PyObject* key, Py_ssize_t index) {
  path_.push_back({key, index});
  deeper();
}

void FromPython::leave() {
  path_.pop_back();
  --depth_;
}

void FromPython::deeper() {
  if (++depth_ > max_depth)
    throw Error(Status::limit, "the object nests deeper than 500, or contains itself");
  check_stack(depth_);
}

polycodec_node FromPython::node(nb::handle object, std::uint32_t adapted) {
  PyObject* const o = object.ptr();
  if (PyUnicode_CheckExact(o)) return string(o);
  if (o == Py_None) return Builder::null();
  if (PyBool_Check(o)) return Builder::boolean(o == Py_True);
  if (PyLong_CheckExact(o)) return integer(o);
  if (PyFloat_CheckExact(o)) return Builder::real(PyFloat_AsDouble(o));
  if (PyDict_CheckExact(o)) return dict(o);
  if (PyList_CheckExact(o)) return sequence(o, POLYCODEC_KIND_LIST);
  if (PyTuple_CheckExact(o)) return sequence(o, POLYCODEC_KIND_TUPLE);
  if (PyBytes_CheckExact(o)) return bytes(o);
  return other(object, adapted);
}

polycodec_node FromPython::string(PyObject* text) {
  Py_ssize_t size = 0;
  if (const char* data = PyUnicode_AsUTF8AndSize(text, &size); data != nullptr)
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
  const Py_ssize_t size = is_list ? PyList_Size(items) : PyTuple_Size(items);
  polycodec_node n = polycodec_node_make(kind, 0, static_cast<std::uint64_t>(size));
  auto* nodes = allocate<polycodec_node>(static_cast<std::uint64_t>(size));
  for (Py_ssize_t i = 0; i < size; ++i) {
    // Adapters run code of Python, which may change the list.
    if (is_list && PyList_Size(items) != size)
      throw Error(Status::invalid, "a list changed its size while it was encoded");
    const nb::object item =
        nb::borrow(is_list ? PyList_GetItem(items, i) : PyTuple_GetItem(items, i));
    enter(nullptr, i);
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
      throw Error(Status::invalid, "a dict changed its size while it was encoded");
    const nb::object kept_key = nb::borrow(key);
    const nb::object kept = nb::borrow(item);
    all_strings = all_strings && PyUnicode_Check(key) != 0;
    enter(kept_key.ptr(), i);
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
  if (nb::isinstance<Value>(object)) return nb::cast<Value&>(object).handle();
  host::Draft draft;
  FromPython builder(draft.out(), &draft, copy, bounds);
  const polycodec_node root = builder.node(object);
  size = builder.weight();
  if (call == nullptr) {
    refuse(builder.losses());
  } else {
    call->report(builder.losses());
  }
  const nb::gil_scoped_release unlocked;
  return draft.finish(root);
}

}  // namespace polycodec_python
