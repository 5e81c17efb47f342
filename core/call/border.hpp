// SPDX-License-Identifier: MIT
// The border to plugins, which C++ exceptions must not cross.
#pragma once

#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include <cxxabi.h>

#include <exception>
#include <new>
#include <string>

namespace polycodec {

/// The error of a plugin that let an exception out. `what` is in quotes or ours.
[[noreturn]] inline void throw_escaped(const std::string& what) {
  throw Error(Status::plugin,
              "a C++ exception left the plugin (" + what +
                  "): its functions must return a status; report this to its author");
}

/// Runs `body`, which calls functions of a plugin. A C++ exception that leaves them is an error of
/// the plugin (Status::plugin), and lack of memory stays one.
template <class Body>
auto across_border(Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const abi::__forced_unwind&) {
    throw;  // the thread is being cancelled
  } catch (const std::bad_alloc&) {
    throw Error(Status::memory, "the plugin is out of memory");
  } catch (const std::exception& e) {
    throw_escaped(quote(e.what()));
  } catch (...) {
    throw_escaped("of unknown type");
  }
}

/// Runs `body`, which gives something back to a plugin. An exception has nowhere to go.
template <class Body>
void give_back(Body&& body) noexcept {
  try {
    body();
  } catch (...) {  // NOLINT
  }
}

}  // namespace polycodec
