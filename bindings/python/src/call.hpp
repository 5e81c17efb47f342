// SPDX-License-Identifier: MIT
// The arguments of a call of a codec, and the call itself without the interpreter.
#pragma once

#include "interrupt.hpp"
#include "python.hpp"

#include <string>
#include <vector>

namespace polycodec_python {

/// Strings of a sequence.
std::vector<std::string> strings_of(nb::handle texts);

/// The classes of loss, by their numbers.
inline constexpr const char* loss_names[POLYCODEC_LOSS_COUNT] = {"note", "type", "data", "retyped",
                                                                 "mended"};

/// What an adapter cannot keep of an object, before a codec sees it.
struct Loss {
  std::string loss_class, path, what;
};
using Losses = std::vector<Loss>;

/// Raises UnsupportedError if a class may not be lost without a function that hears it.
void refuse(const Losses& losses);

/// Bounds from a dict such as {"max_depth": 10}. Raises TypeError for an unknown name.
host::Limits limits_of(nb::handle limits);
nb::dict dict_of(const host::Limits& limits);

/// Codec, options and filters of a call.
struct Format : host::Format {
  /// `given` may be None: then the codec is empty, and options and filters must be None.
  /// `is_of_others`: see CallOptions::of_others().
  Format(nb::handle given, nb::handle given_options, nb::handle given_filters, bool is_of_others);
  nb::object name;  ///< of the codec, as it was given
};

/// The keyword arguments that all calls share: columns, rows, select, limits, allowlist, on_loss,
/// progress, member, timeout, threads, trusted, tolerant, companions and of_others.
class CallOptions {
 public:
  CallOptions() = default;
  explicit CallOptions(const nb::kwargs& given);
  CallOptions(const CallOptions&) = delete;
  CallOptions& operator=(const CallOptions&) = delete;

  /// The options for a stream, which lives no longer, and which Ctrl-C ends between two values.
  const host::CallOptions& host() const noexcept { return options_; }
  /// Whether formats of the call are not the program's own.
  bool of_others() const noexcept { return of_others_; }
  bool is_tolerant() const noexcept { return (options_.flags & POLYCODEC_CALL_TOLERANT) != 0; }

  /// Tells `on_loss` what was lost before the call, or raises like refuse().
  void report(const Losses& losses) const;

  /// Calls work(options) without the interpreter and raises what went wrong there, in a callback,
  /// or by Ctrl-C.
  /// `is_short`: the call ends soon, so that Ctrl-C may wait for its end.
  template <class Work>
  void run(const Work& work, bool is_short = false) {
    Interrupt interrupt;
    const Watched watched(*this, interrupt, is_short);
    try {
      const nb::gil_scoped_release unlocked;
      work(options_);
    } catch (const Error& error) {
      fail(error, interrupt);
    }
    check(interrupt);
  }

 private:
  /// While it lives, `interrupt` ends calls.
  class Watched {
   public:
    Watched(CallOptions& call, Interrupt& interrupt, bool is_short) : call_(call) {
      call.begin(interrupt, is_short);
    }
    ~Watched() { call_.end(); }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

   private:
    CallOptions& call_;
  };

  void set(std::string_view name, nb::handle value);
  void set_rows(nb::handle rows);
  void set_loss(nb::handle on_loss);
  void hear_loss(polycodec::LossClass of, std::string_view path, std::string_view what);
  bool hear_progress(const polycodec_progress& progress);
  void begin(Interrupt& interrupt, bool is_short);
  void end();
  static void check(const Interrupt& interrupt);
  [[noreturn]] static void fail(const Error& error, const Interrupt& interrupt);

  host::CallOptions options_;
  bool of_others_ = false;
  double timeout_ = 0;
  nb::object on_loss_, on_progress_;
  bool has_raised_ = false;  // one of them
  Interrupt* interrupt_ = nullptr;
};

/// The exception of a codec or callback in Python that ended a call of the library on this thread.
/// The call that fails takes it as the cause.
void set_pending_exception(nb::python_error& exception);
nb::object take_pending_exception();

}  // namespace polycodec_python
