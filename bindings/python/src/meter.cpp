// SPDX-License-Identifier: MIT
#include "meter.hpp"

#include "value.hpp"

#include <utility>

namespace polycodec_python {
namespace {

/// The budget of the innermost walk() of this thread, or null.
thread_local const host::Budget* walking = nullptr;

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
  walking->spend(amount(units), amount(bytes));
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

/// Runs a function whose walks over a value share one budget.
nb::object walk(nb::handle object, nb::handle function) {
  const host::Budget budget = nb::isinstance<Array>(object)
                                  ? nb::cast<Array&>(object).owner.budget()
                                  : nb::cast<Value&>(object).handle().budget();
  struct Outer {
    const host::Budget* outer;
    explicit Outer(const host::Budget& own) : outer(std::exchange(walking, &own)) {}
    ~Outer() { walking = outer; }
  };
  nb::object result;
  budget.walk([&] {
    const Outer outer(budget);
    result = function();
  });
  return result;
}

}  // namespace

void Meter::charge() {
  const std::uint64_t units = std::exchange(units_, 0), bytes = std::exchange(bytes_, 0);
  if (call_ != nullptr) {
    // A call counts no memory of the interpreter: it is work.
    polycodec::invoke(call_->spend, call_, units + bytes / 4);
  } else if (value_ != nullptr) {
    if (!budget_) budget_ = value_->budget(limits_);
    budget_.spend(units, bytes);
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
