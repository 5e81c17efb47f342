// SPDX-License-Identifier: MIT
// Files that are decoded when their values are first used.
#pragma once

#include "call.hpp"
#include "registry.hpp"

#include <memory>
#include <mutex>
#include <optional>

namespace polycodec_python {

/// A source with all that decoding it takes. The interpreter is locked as long as it is made, used
/// and destroyed.
class Deferred {
 public:
  /// `registry`: the object of Python.
  Deferred(nb::object registry, host::Source source, std::unique_ptr<const Format> format,
           std::unique_ptr<CallOptions> options);

  /// Decodes at the first call; other threads wait for it. Raises what decoding raises, and then
  /// decodes again at the next call.
  const Value& decoded();

 private:
  nb::object registry_;
  host::Source source_;
  std::unique_ptr<const Format> format_;
  std::unique_ptr<CallOptions> options_;
  std::recursive_mutex mutex_;
  bool is_decoding_ = false;
  std::optional<Value> value_;
};

}  // namespace polycodec_python
