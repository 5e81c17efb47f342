// SPDX-License-Identifier: MIT
// Objects of Python that the library holds.
#pragma once

#include "python.hpp"

#include <unordered_set>
#include <utility>

namespace polycodec_python {

/// A codec or a function of Python that the library holds. It refers to modules, and these to
/// whatever holds it: the collector of cycles cannot see that, so forget_all() ends it.
class Held {
 public:
  explicit Held(nb::object object) : object_(std::move(object)) { all().insert(this); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    if (!has_interpreter()) {
      object_.release();
      return;
    }
    const nb::gil_scoped_acquire locked;
    all().erase(this);
    object_.reset();
  }
  /// Raises AttributeError when the interpreter ends.
  nb::object attr(const char* name) const { return object_.attr(name); }
  /// None when the interpreter ends.
  const nb::object& object() const noexcept { return object_; }

  /// Lets go of the objects of all. Called when the interpreter ends.
  static void forget_all() {
    for (Held* held : std::exchange(all(), {})) held->object_ = nb::none();
  }

 private:
  // Only with the interpreter locked.
  static std::unordered_set<Held*>& all() {
    static std::unordered_set<Held*> held;
    return held;
  }
  nb::object object_;
};

}  // namespace polycodec_python
