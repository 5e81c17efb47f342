// SPDX-License-Identifier: MIT
// What a program tells its user: results on standard output, all else on standard error.
#pragma once

#include "common/json.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::cli {

/// Exit statuses; part of the command's contract (docs/command-line.md).
enum Exit : int {
  exit_done = 0,
  exit_refused = 1,
  exit_usage = 2,
  exit_no_codec = 3,
  exit_interrupted = 130  ///< as shells say of a program that Ctrl-C ended
};

/// Something that a codec left out, changed or mended (docs/loss.md).
struct Loss {
  std::string path, what;
  LossClass loss_class = LossClass::data;
};

/// An error in the data of an input.
class InputError : public Error {
 public:
  InputError(const Error& error, std::string file) : Error(error), file_(std::move(file)) {}
  /// The name of the input.
  const std::string& file() const noexcept { return file_; }

 private:
  std::string file_;
};

/// The error, with what to do after its message.
Error with_advice(const Error& error, const std::string& advice);

/// Prints. Never changes, for any thread.
class Reporter {
 public:
  /// With --json, and with --quiet.
  explicit Reporter(bool json = false, bool quiet = false) : json_(json), quiet_(quiet) {}
  bool is_json() const noexcept { return json_; }
  bool is_quiet() const noexcept { return quiet_; }

  /// Prints the one JSON object of --json: on standard error where standard output holds the data.
  void print_json(const Json& object, bool on_error_stream = false) const;
  /// Prints the result: the object with --json, otherwise the text.
  void print_result(const Json& object, std::string_view text) const {
    json_ ? print_json(object) : print(text);
  }
  /// Prints text for users on standard output. Throws Status::io, also if an input was cut short
  /// while it was read.
  void print(std::string_view text) const;
  /// Writes bytes to standard output: as they are, or to a terminal as printable().
  void write(const Sink& bytes) const;
  void write(std::string_view bytes) const;
  /// Prints a note on standard error, unless --quiet.
  void note(std::string_view text) const;
  /// Prints a note for each loss.
  void note_losses(const std::vector<Loss>& losses) const;

  /// Reports an error that ends the program and returns the exit status for it. `compares`: that of
  /// any error is exit_usage, as in other programs that compare files.
  int report(const Error& error, bool compares = false) const;

 private:
  bool json_, quiet_;
};

/// The error with the options that its message advises as they are typed here.
Error as_typed(const Error& error);
/// The error as a member of a JSON result.
Json to_json(const Error& error);
/// The losses of some classes, POLYCODEC_LOSSES_OF(), as [{"path", "what"}].
Json to_json(const std::vector<Loss>& losses, std::uint32_t classes);
/// One loss as a line for users; `place` comes before its path.
std::string describe(const Loss& loss, const std::string& place = "");

}  // namespace polycodec::cli
