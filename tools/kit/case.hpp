// SPDX-License-Identifier: MIT
// What a test case of the kit is, and how it says what is wrong.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::kit {

/// Thrown by a case that cannot go on: it has failed.
struct Failure {
  std::string message;
};
/// Thrown by a case that does not apply to this plugin.
struct Skip {
  std::string reason;
};

[[noreturn]] inline void fail(std::string message) {
  throw Failure{std::move(message)};
}
[[noreturn]] inline void skip(std::string reason) {
  throw Skip{std::move(reason)};
}
inline void require(bool condition, const std::string& message) {
  if (!condition) fail(message);
}

/// Runs `check` and returns the message of its Failure, or "".
template <class Check>
std::string failure_of(Check&& check) {
  try {
    check();
    return {};
  } catch (const Failure& f) {
    return f.message;
  }
}

/// Collects what is wrong in a case that continues after a problem; the first few are reported.
class Problems {
 public:
  /// Runs `check`; its Failure becomes a problem of `subject`.
  template <class Check>
  void run(std::string_view subject, Check&& check) {
    if (const std::string why = failure_of(check); !why.empty()) add(subject, why);
  }
  /// Counts what a check did.
  void did(unsigned times) noexcept { done_ += times; }
  void add(std::string_view subject, const std::string& message) {
    if (++count_ <= shown) text_ += "\n" + std::string(subject) + ": " + message;
  }
  /// Throws a Failure if there was any problem, and Skip with `nothing` if no check did anything.
  void check(const char* nothing) const {
    if (count_ == 0 && done_ == 0) skip(nothing);
    check();
  }
  /// Throws a Failure if there was any problem.
  void check() const {
    if (count_ == 0) return;
    std::string text = text_.substr(1);
    if (count_ > shown) text += "\nand " + std::to_string(count_ - shown) + " more";
    fail(std::move(text));
  }

 private:
  static constexpr unsigned shown = 8;
  unsigned count_ = 0;
  unsigned done_ = 0;
  std::string text_;
};

struct Case {
  std::string name;   ///< such as "codec/ply/truncation"
  std::string title;  ///< what must hold, in one line
  std::function<void()> run;
};

/// Says something about a case that passes; printed after its name.
void remark(std::string text);

/// What a codec, filter or store format wrote of the values to write, and read of the inputs.
struct Tally {
  std::uint64_t written = 0, values = 0, read = 0, inputs = 0;
};
/// The sum of all that cases counted, also in processes of their own.
Tally& tally();

/// Leaves a note of what is being done, which is reported if the case crashes or hangs there.
void note(std::string_view step);

}  // namespace polycodec::kit
