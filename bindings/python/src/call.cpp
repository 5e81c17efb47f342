// SPDX-License-Identifier: MIT
#include "call.hpp"

#include <time.h>

#include <array>
#include <utility>

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

[[noreturn]] void unknown_argument(std::string_view name) {
  throw Error(Status::type, "unknown argument '" + std::string(name) + "'");
}

}  // namespace

void set_pending_exception(nb::python_error& exception) {
  Py_XDECREF(pending_exception);
  pending_exception = nb::object(nb::borrow(exception.value())).release().ptr();
}

nb::object take_pending_exception() {
  return nb::steal(std::exchange(pending_exception, nullptr));
}

std::vector<std::string> strings_of(nb::handle texts) {
  std::vector<std::string> all;
  for (nb::handle text : texts) all.emplace_back(view_of(text));
  return all;
}

host::Limits limits_of(nb::handle limits) {
  host::Limits result;
  if (limits.is_none()) return result;
  if (PyDict_Check(limits.ptr()) == 0) throw Error(Status::type, "limits must be a dict");
  for (const auto& [key, value] : nb::borrow<nb::dict>(limits)) {
    const std::string_view name = view_of(key);
    bool found = name == "max_depth";
    if (found) result.max_depth = number<std::uint32_t>(value, name);
    for (const LimitField& field : limit_fields) {
      if (name != field.name) continue;
      result.*field.field = number<std::uint64_t>(value, name);
      found = true;
    }
    if (!found) throw Error(Status::type, "unknown limit '" + std::string(name) + "'");
  }
  return result;
}

nb::dict dict_of(const host::Limits& limits) {
  nb::dict result;
  result["max_depth"] = limits.max_depth;
  for (const LimitField& field : limit_fields) result[field.name] = limits.*field.field;
  return result;
}

Format::Format(nb::handle given, nb::handle given_options, nb::handle given_filters,
               bool is_of_others) {
  if (given.is_none()) {
    if (!given_options.is_none() || !given_filters.is_none())
      throw Error(Status::type, "options and filters need a codec: name it");
    return;
  }
  name = nb::borrow(given);
  codec = view_of(given);
  options = to_json(given_options);
  filters = to_json(given_filters);
  of_others = is_of_others;
}

CallOptions::CallOptions(const nb::kwargs& given) {
  if (given.size() == 0) return;
  for (const auto& [name, value] : given) set(view_of(name), value);
}

void CallOptions::set(std::string_view name, nb::handle value) {
  if (value.is_none()) return;
  if (name == "columns") {
    options_.flags |= POLYCODEC_CALL_PARTIAL;
    options_.columns = PyUnicode_Check(value.ptr())
                           ? std::vector<std::string>{std::string(view_of(value))}
                           : strings_of(value);
  } else if (name == "rows") {
    set_rows(value);
  } else if (name == "select") {
    options_.select = view_of(value);
  } else if (name == "limits") {
    options_.limits = limits_of(value);
  } else if (name == "allowlist") {
    options_.allowlist = to_json(value);
  } else if (name == "allow_also") {
    options_.allow_also = to_json(value);
  } else if (name == "on_loss") {
    set_loss(value);
  } else if (name == "progress") {
    if (value.is(nb::bool_(false))) return;
    if (value.is(nb::bool_(true))) {
      on_progress_ = attribute("polycodec._progress", "bar")();
      return;
    }
    if (PyCallable_Check(value.ptr()) == 0)
      throw Error(Status::type, "progress must be a function");
    on_progress_ = nb::borrow(value);
  } else if (name == "member") {
    options_.member = view_of(value);
  } else if (name == "timeout") {
    timeout_ = number<double>(value, name);
    if (!(timeout_ > 0))
      throw Error(Status::invalid, "timeout must be more than 0 seconds, or None for no timeout");
  } else if (name == "threads") {
    options_.threads = number<std::uint32_t>(value, name);
  } else if (name == "trusted") {
    if (is_true(value)) options_.flags |= POLYCODEC_CALL_STRUCTURE;
  } else if (name == "tolerant") {
    if (is_true(value)) options_.flags |= POLYCODEC_CALL_TOLERANT;
  } else if (name == "companions") {
    if (!is_true(value)) options_.flags |= POLYCODEC_CALL_NO_COMPANIONS;
  } else if (name == "of_others") {
    of_others_ = is_true(value);
  } else {
    unknown_argument(name);
  }
}

void CallOptions::set_rows(nb::handle rows) {
  if (!nb::hasattr(rows, "start") || !nb::hasattr(rows, "stop") || !nb::hasattr(rows, "step"))
    throw Error(Status::type, "rows must be a slice or a range, such as slice(0, 5)");
  options_.flags |= POLYCODEC_CALL_PARTIAL;
  nb::object first = rows.attr("start");
  nb::object stop = rows.attr("stop");
  const nb::object step = rows.attr("step");
  if (!step.is_none() && number<std::int64_t>(step, "the step of rows") != 1)
    throw Error(Status::invalid, "rows must have the step 1");
  options_.first_row = first.is_none() ? 0 : number<std::uint64_t>(first, "the start of rows");
  if (stop.is_none()) return;
  const auto end = number<std::uint64_t>(stop, "the stop of rows");
  options_.rows = end > options_.first_row ? end - options_.first_row : 0;
}

void CallOptions::set_loss(nb::handle on_loss) {
  if (PyUnicode_Check(on_loss.ptr())) {
    const std::string_view word = view_of(on_loss);
    if (word == "error") return;
    if (word != "warn")
      throw Error(Status::invalid, "on_loss must be 'error', 'warn' or a function");
  } else if (PyCallable_Check(on_loss.ptr()) == 0) {
    throw Error(Status::type, "on_loss must be 'error', 'warn' or a function");
  }
  on_loss_ = PyUnicode_Check(on_loss.ptr()) ? attribute("polycodec._losses", "warn")
                                            : nb::object(nb::borrow(on_loss));
  options_.on_loss = [this](polycodec::LossClass of, std::string_view path, std::string_view what) {
    hear_loss(of, path, what);
  };
  options_.losses = POLYCODEC_LOSSES_OF(POLYCODEC_LOSS_COUNT) - 1;
  options_.flags |= POLYCODEC_CALL_COMPARE;  // which finds members of another type
}

void refuse(const Losses& losses) {
  constexpr std::size_t most = 8;
  std::string all;
  std::size_t n = 0;
  const Loss* first = nullptr;
  for (const Loss& loss : losses) {
    if (loss.loss_class != "type" && loss.loss_class != "data") continue;
    if (first == nullptr) first = &loss;
    if (++n <= most) all.append(n == 1 ? "" : ", ").append(loss.path + " (" + loss.what + ")");
  }
  if (first == nullptr) return;
  if (n > most) all += " and " + std::to_string(n - most) + " more";
  throw Error(Status::unsupported,
              "a value cannot keep " + all + "; allow it with on_loss=\"warn\" or a function")
      .detail("python.lossy")
      .path(first->path);
}

void CallOptions::report(const Losses& losses) const {
  if (losses.empty()) return;
  if (!on_loss_.is_valid()) return refuse(losses);
  for (const Loss& loss : losses)
    on_loss_(str_of(loss.loss_class), str_of(loss.path), str_of(loss.what));
}

void CallOptions::hear_loss(polycodec::LossClass of, std::string_view path, std::string_view what) {
  const auto number = static_cast<std::uint32_t>(of);
  const nb::gil_scoped_acquire locked;
  if (has_raised_) return;
  try {
    on_loss_(number < POLYCODEC_LOSS_COUNT ? loss_names[number] : "data", str_of(path),
             str_of(what));
  } catch (nb::python_error&) {
    has_raised_ = true;
    if (interrupt_ != nullptr) interrupt_->set();
    throw;
  }
}

bool CallOptions::hear_progress(const polycodec_progress& progress) {
  if (progress.is_last == 0) interrupt_->watch();
  if (!on_progress_.is_valid()) return true;
  const nb::gil_scoped_acquire locked;
  nb::object total = nb::none();
  if (progress.input_size != 0) total = nb::int_(progress.input_size);
  on_progress_(attribute("polycodec._progress", "Progress")(progress.input, total, progress.output,
                                                            progress.work, progress.is_last != 0));
  return true;
}

void CallOptions::begin(Interrupt& interrupt, bool is_short) {
  options_.cancel = interrupt.flag();
  interrupt_ = &interrupt;
  has_raised_ = false;
  if (!is_short || on_progress_.is_valid())
    options_.on_progress = [this](const polycodec_progress& progress) {
      return hear_progress(progress);
    };
  if (timeout_ <= 0) return;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  options_.limits.deadline = static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
                             static_cast<std::uint64_t>(now.tv_nsec) +
                             static_cast<std::uint64_t>(timeout_ * 1e9);
}

void CallOptions::end() {
  interrupt_ = nullptr;
  options_.cancel = nullptr;
  options_.on_progress = nullptr;
  take_pending_exception();  // that did not fail the call
}

void CallOptions::check(const Interrupt& interrupt) {
  if (interrupt.exception().is_valid()) raise_again(interrupt.exception());
}

void CallOptions::fail(const Error& error, const Interrupt& interrupt) {
  const nb::object cause = take_pending_exception();
  check(interrupt);
  // Python's handler of the signal raises here.
  if (error.code() == Status::cancelled && PyErr_CheckSignals() != 0) throw nb::python_error();
  if (cause.is_valid() && PyObject_IsInstance(cause.ptr(), PyExc_Exception) == 0)
    raise_again(cause);
  raise(error, cause);
}

}  // namespace polycodec_python
