// SPDX-License-Identifier: MIT
#include "call.hpp"

#include <time.h>

#include <array>
#include <cstring>

namespace polycodec_python {
namespace {

// A PyObject, not an nb::object: the thread may end when the interpreter is gone.
thread_local PyObject* pending_exception = nullptr;

struct LimitField {
  const char* name;
  std::uint64_t polycodec_limits::*field;
};
constexpr std::array limit_fields{
    LimitField{"max_input_bytes", &polycodec_limits::max_input_bytes},
    LimitField{"max_header_bytes", &polycodec_limits::max_header_bytes},
    LimitField{"max_nodes", &polycodec_limits::max_nodes},
    LimitField{"max_elements", &polycodec_limits::max_elements},
    LimitField{"max_work", &polycodec_limits::max_work},
    LimitField{"max_memory_bytes", &polycodec_limits::max_memory_bytes},
    LimitField{"max_output_bytes", &polycodec_limits::max_output_bytes},
    LimitField{"max_stack_bytes", &polycodec_limits::max_stack_bytes},
};

[[noreturn]] void raise_again(const nb::object& exception) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  throw nb::python_error();
}

bool is_true(nb::handle value) {
  const int answer = PyObject_IsTrue(value.ptr());
  if (answer < 0) throw nb::python_error();
  return answer != 0;
}

[[noreturn]] void unknown_argument(std::string_view name) {
  throw nb::type_error(("unknown argument '" + std::string(name) + "'").c_str());
}

}  // namespace

void set_pending_exception(nb::python_error& exception) {
  Py_XDECREF(pending_exception);
  pending_exception = nb::object(nb::borrow(exception.value())).release().ptr();
}

nb::object take_pending_exception() {
  return nb::steal(std::exchange(pending_exception, nullptr));
}

void Strings::add(nb::handle text) {
  items_.push_back(bytes_of(view_of(text)));
  kept_.push_back(nb::borrow(text));
}

polycodec_limits limits_of(nb::handle limits) {
  polycodec_limits result{};
  result.struct_size = sizeof result;
  if (limits.is_none()) return result;
  if (PyDict_Check(limits.ptr()) == 0) throw nb::type_error("limits must be a dict");
  for (const auto& [key, value] : nb::borrow<nb::dict>(limits)) {
    const std::string_view name = view_of(key);
    bool found = name == "max_depth";
    if (found) result.max_depth = number<std::uint32_t>(value, name);
    for (const LimitField& field : limit_fields) {
      if (name != field.name) continue;
      result.*field.field = number<std::uint64_t>(value, name);
      found = true;
    }
    if (!found) throw nb::type_error(("unknown limit '" + std::string(name) + "'").c_str());
  }
  return result;
}

nb::dict dict_of(const polycodec_limits& limits) {
  nb::dict result;
  result["max_depth"] = limits.max_depth;
  for (const LimitField& field : limit_fields) result[field.name] = limits.*field.field;
  return result;
}

Format::Format(nb::handle codec, nb::handle options, nb::handle filters, std::uint32_t flags) {
  if (codec.is_none()) {
    if (!options.is_none() || !filters.is_none())
      throw nb::type_error("options and filters need a codec: name it");
    return;
  }
  given_ = true;
  name_ = nb::borrow(codec);
  options_ = to_json(options);
  filters_ = to_json(filters);
  raw_.struct_size = sizeof raw_;
  raw_.flags = flags;
  raw_.codec = bytes_of(view_of(codec));
  raw_.options = bytes_of(options_);
  raw_.filters = bytes_of(filters_);
}

void CallOptions::hear_loss(void* options, std::int32_t loss_class, polycodec_bytes path,
                            polycodec_bytes what) {
  auto& self = *static_cast<CallOptions*>(options);
  const nb::gil_scoped_acquire locked;
  if (self.exception_.is_valid()) return;
  try {
    static constexpr const char* names[POLYCODEC_LOSS_COUNT] = {"note", "type", "data", "retyped",
                                                                "mended"};
    const char* name =
        loss_class >= 0 && loss_class < POLYCODEC_LOSS_COUNT ? names[loss_class] : "data";
    self.on_loss_(name, str_of(view_of(path)), str_of(view_of(what)));
  } catch (nb::python_error& error) {
    self.exception_ = nb::borrow(error.value());
    if (self.interrupt_ != nullptr) self.interrupt_->set();
  }
}

std::int32_t CallOptions::hear_progress(void* options, const polycodec_progress* progress) {
  auto& self = *static_cast<CallOptions*>(options);
  if (progress->is_last == 0) self.interrupt_->watch();
  if (!self.on_progress_.is_valid()) return 0;
  const nb::gil_scoped_acquire locked;
  try {
    nb::object total = nb::none();
    if (progress->input_size != 0) total = nb::int_(progress->input_size);
    self.on_progress_(attribute("polycodec._progress", "Progress")(
        progress->input, total, progress->output, progress->work, progress->is_last != 0));
    return 0;
  } catch (nb::python_error& error) {
    self.exception_ = nb::borrow(error.value());
    return 1;
  }
}

CallOptions::CallOptions(const nb::kwargs& given) {
  raw_.struct_size = sizeof raw_;
  if (given.size() == 0) return;
  limits_.struct_size = sizeof limits_;
  projection_.struct_size = sizeof projection_;
  projection_.n_rows = UINT64_MAX;
  for (const auto& [name, value] : given) set(view_of(name), value);
  projection_.paths = columns_.data();
  projection_.n_paths = columns_.size();
  if (raw_.projection != nullptr) raw_.flags |= POLYCODEC_CALL_PARTIAL;
}

void CallOptions::set(std::string_view name, nb::handle value) {
  if (value.is_none()) return;
  if (name == "columns") {
    raw_.projection = &projection_;
    if (PyUnicode_Check(value.ptr())) return columns_.add(value);
    for (nb::handle path : value) columns_.add(path);
  } else if (name == "rows") {
    set_rows(value);
  } else if (name == "limits") {
    limits_ = limits_of(value);
    raw_.limits = &limits_;
  } else if (name == "allowlist") {
    allowlist_ = to_json(value);
    raw_.allowlist = bytes_of(allowlist_);
  } else if (name == "on_loss") {
    set_loss(value);
  } else if (name == "progress") {
    if (PyCallable_Check(value.ptr()) == 0) throw nb::type_error("progress must be a function");
    on_progress_ = nb::borrow(value);
  } else if (name == "member") {
    member_ = nb::borrow(value);
    raw_.member = bytes_of(view_of(value));
  } else if (name == "timeout") {
    timeout_ = number<double>(value, name);
    raw_.limits = &limits_;
  } else if (name == "threads") {
    raw_.threads = number<std::uint32_t>(value, name);
  } else if (name == "trusted") {
    if (is_true(value)) raw_.flags |= POLYCODEC_CALL_STRUCTURE;
  } else if (name == "companions") {
    if (!is_true(value)) raw_.flags |= POLYCODEC_CALL_NO_COMPANIONS;
  } else if (name == "of_others") {
    if (is_true(value)) format_flags_ |= POLYCODEC_FORMAT_OF_OTHERS;
  } else {
    unknown_argument(name);
  }
}

void CallOptions::set_rows(nb::handle rows) {
  raw_.projection = &projection_;
  nb::object first = rows.attr("start");
  nb::object stop = rows.attr("stop");
  const nb::object step = rows.attr("step");
  if (!step.is_none() && number<std::int64_t>(step, "the step of rows") != 1)
    throw nb::value_error("rows must have the step 1");
  projection_.first_row = first.is_none() ? 0 : number<std::uint64_t>(first, "the start of rows");
  if (stop.is_none()) return;
  const auto end = number<std::uint64_t>(stop, "the stop of rows");
  projection_.n_rows = end > projection_.first_row ? end - projection_.first_row : 0;
}

void CallOptions::set_loss(nb::handle on_loss) {
  if (PyUnicode_Check(on_loss.ptr())) {
    const std::string_view word = view_of(on_loss);
    if (word == "error") return;
    if (word != "warn") throw nb::value_error("on_loss must be 'error', 'warn' or a function");
  } else if (PyCallable_Check(on_loss.ptr()) == 0) {
    throw nb::type_error("on_loss must be 'error', 'warn' or a function");
  }
  on_loss_ = PyUnicode_Check(on_loss.ptr()) ? attribute("polycodec._losses", "warn")
                                            : nb::object(nb::borrow(on_loss));
  raw_.on_loss = &hear_loss;
  raw_.loss_data = this;
  raw_.losses = POLYCODEC_LOSSES_OF(POLYCODEC_LOSS_COUNT) - 1;
}

void CallOptions::begin(Interrupt& interrupt, bool is_short) {
  raw_.cancel = interrupt.flag();
  interrupt_ = &interrupt;
  if (!is_short || on_progress_.is_valid()) {
    raw_.on_progress = &hear_progress;
    raw_.progress_data = this;
  }
  if (timeout_ <= 0) return;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  limits_.deadline = static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
                     static_cast<std::uint64_t>(now.tv_nsec) +
                     static_cast<std::uint64_t>(timeout_ * 1e9);
}

void CallOptions::end() {
  interrupt_ = nullptr;
  raw_.cancel = nullptr;
  raw_.on_progress = nullptr;
}

void CallOptions::raise_of_callback() {
  const nb::object own = std::move(exception_);
  if (own.is_valid()) raise_again(own);
}

void CallOptions::finish(std::int32_t code, CallError& failure, const Interrupt& interrupt) {
  const nb::object cause = take_pending_exception();
  raise_of_callback();
  if (interrupt.exception().is_valid()) raise_again(interrupt.exception());
  if (code == POLYCODEC_OK) return;
  // Python's handler of the signal raises here.
  if (code == POLYCODEC_ERROR_CANCELLED && PyErr_CheckSignals() != 0) throw nb::python_error();
  if (cause.is_valid() && PyObject_IsInstance(cause.ptr(), PyExc_Exception) == 0)
    raise_again(cause);
  raise(failure, cause);
}

}  // namespace polycodec_python
