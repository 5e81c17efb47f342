// SPDX-License-Identifier: MIT
#include "meter.hpp"

#include "call.hpp"
#include "value.hpp"

#include <exception>
#include <optional>

namespace polycodec_python {
namespace {

/// The budget of the innermost walk() of this thread, or null.
thread_local polycodec_budget* walking = nullptr;

/// What is more than anybody can pay is as good as this.
std::uint64_t amount(nb::handle number) {
  constexpr std::uint64_t most = std::uint64_t{1} << 60;
  const nb::object whole = nb::steal(PyNumber_Index(number.ptr()));
  if (!whole.is_valid()) throw nb::python_error();
  const std::uint64_t given = PyLong_AsUnsignedLongLong(whole.ptr());
  if (PyErr_Occurred() == nullptr) return std::min(given, most);
  if (PyErr_ExceptionMatches(PyExc_OverflowError) == 0) throw nb::python_error();
  PyErr_Clear();
  return most;
}

void spend(nb::handle units, nb::handle bytes) {
  if (walking == nullptr) return;
  call(polycodec_budget_spend, walking, amount(units), amount(bytes));
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

/// A function of Python that the library calls.
struct Body {
  nb::handle function;
  polycodec_budget* budget;
  nb::object result;
  std::exception_ptr failure;

  static void run(void* data) noexcept {
    auto& self = *static_cast<Body*>(data);
    polycodec_budget* const outer = std::exchange(walking, self.budget);
    try {
      self.result = self.function();
    } catch (...) {
      self.failure = std::current_exception();
    }
    walking = outer;
  }
};

polycodec_value* value_under(nb::handle object) {
  return nb::isinstance<Array>(object) ? nb::cast<Array&>(object).owner.get()
                                       : nb::cast<Value&>(object).get();
}

/// Runs a function whose walks over a value share one budget.
nb::object walk(nb::handle object, nb::handle function) {
  BudgetHandle budget;
  call(polycodec_budget_create, nullptr, value_under(object), nullptr, nullptr, budget.out());
  Body body{function, budget.get(), {}, {}};
  call(polycodec_budget_walk, budget.get(), &Body::run, &body);
  if (body.failure != nullptr) std::rethrow_exception(body.failure);
  return body.result;
}

}  // namespace

void Meter::charge() {
  const std::uint64_t units = std::exchange(units_, 0), bytes = std::exchange(bytes_, 0);
  if (call_ != nullptr) {
    // A call counts no memory of the interpreter: it is work.
    CallError failure;
    if (call_->spend(call_, units + bytes / 4, failure.raw()) != POLYCODEC_OK) raise(failure);
  } else if (value_ != nullptr) {
    if (budget_.get() == nullptr)
      call(polycodec_budget_create, nullptr, value_, limits_, nullptr, budget_.out());
    call(polycodec_budget_spend, budget_.get(), units, bytes);
  }
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

void Meter::finish() {
  if (walking != nullptr && units_ != 0) charge();
}

void bind_meter(nb::module_& module) {
  module.def("walk", &walk, nb::arg("value"), nb::arg("function"));
  module.def("spend", &spend, nb::arg("units"), nb::arg("bytes") = 0);
}

}  // namespace polycodec_python
