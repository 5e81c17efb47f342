// SPDX-License-Identifier: MIT
// The arguments of a call of a codec, and the call itself without the interpreter.
#pragma once

#include "handle.hpp"
#include "interrupt.hpp"

#include <string>
#include <vector>

namespace polycodec_python {

/// Strings of Python as the library wants them. They live as long as this.
class Strings {
 public:
  void add(nb::handle text);
  const polycodec_bytes* data() const noexcept { return items_.data(); }
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(items_.size()); }

 private:
  std::vector<nb::object> kept_;
  std::vector<polycodec_bytes> items_;
};

/// Bounds from a dict such as {"max_depth": 10}. Raises TypeError for an unknown name.
polycodec_limits limits_of(nb::handle limits);
nb::dict dict_of(const polycodec_limits& limits);

/// Codec, options and filters of a call. It lives as long as what raw() points to.
class Format {
 public:
  /// `codec` may be None: then raw() is null, and options and filters must be None. `flags`: see
  /// CallOptions::format_flags().
  Format(nb::handle codec, nb::handle options, nb::handle filters, std::uint32_t flags);
  const polycodec_format* raw() const noexcept { return given_ ? &raw_ : nullptr; }
  /// The name of the codec as it was given, and the same in UTF-8.
  const nb::object& name() const noexcept { return name_; }
  std::string_view codec() const noexcept { return view_of(raw_.codec); }
  /// JSON, or empty.
  const std::string& options() const noexcept { return options_; }
  const std::string& filters() const noexcept { return filters_; }
  std::uint32_t flags() const noexcept { return raw_.flags; }

 private:
  bool given_ = false;
  nb::object name_;
  std::string options_, filters_;
  polycodec_format raw_{};
};

/// The keyword arguments that all calls share: columns, rows, limits, allowlist, on_loss, progress,
/// member, timeout, threads, trusted, companions and of_others.
class CallOptions {
 public:
  explicit CallOptions(const nb::kwargs& given);
  CallOptions(const CallOptions&) = delete;
  CallOptions& operator=(const CallOptions&) = delete;

  /// The options for a stream, which Ctrl-C ends between two values.
  const polycodec_call_options* raw() const noexcept { return &raw_; }
  /// What the call says of the formats that it names: POLYCODEC_FORMAT_*.
  std::uint32_t format_flags() const noexcept { return format_flags_; }
  /// Raises the exception of a callback during a call with raw(), if there was one.
  void raise_of_callback();

  /// Calls `work(options, error)` without the interpreter and raises what went wrong there, in a
  /// callback, or by Ctrl-C.
  /// `is_short`: the call ends soon, so that Ctrl-C may wait for its end.
  template <class Work>
  void run(const Work& work, bool is_short = false) {
    CallError failure;
    std::int32_t code = POLYCODEC_OK;
    Interrupt interrupt;
    begin(interrupt, is_short);
    {
      const nb::gil_scoped_release unlocked;
      code = work(static_cast<const polycodec_call_options*>(&raw_), failure.raw());
    }
    end();
    finish(code, failure, interrupt);
  }

 private:
  static void hear_loss(void* options, std::int32_t loss_class, polycodec_bytes path,
                        polycodec_bytes what);
  static std::int32_t hear_progress(void* options, const polycodec_progress* progress);
  void set(std::string_view name, nb::handle value);
  void set_rows(nb::handle rows);
  void set_loss(nb::handle on_loss);
  void begin(Interrupt& interrupt, bool is_short);
  void end();
  void finish(std::int32_t code, CallError& failure, const Interrupt& interrupt);

  polycodec_call_options raw_{};
  polycodec_limits limits_{};
  polycodec_projection projection_{};
  Strings columns_;
  std::string allowlist_;
  std::uint32_t format_flags_ = 0;
  nb::object member_;
  double timeout_ = 0;
  nb::object on_loss_, on_progress_;
  nb::object exception_;  // that one of them raised
  Interrupt* interrupt_ = nullptr;
};

/// The exception of a codec or callback in Python that ended a call of the library on this thread.
/// The call that fails takes it as the cause.
void set_pending_exception(nb::python_error& exception);
nb::object take_pending_exception();

}  // namespace polycodec_python
