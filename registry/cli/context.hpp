// SPDX-License-Identifier: MIT
// What the subcommands share: options, registry, results and exit statuses.
#pragma once

#include <polycodec/config.hpp>
#include <polycodec/loss.hpp>
#include <polycodec/registry.hpp>

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::cli {

using Json = nlohmann::ordered_json;

/// Exit statuses; part of the command's contract (docs/command-line.md).
enum Exit : int { exit_done = 0, exit_refused = 1, exit_usage = 2, exit_no_codec = 3 };

/// The name under which the text notation is an input or output format of the command. It is no codec.
inline constexpr std::string_view text_format = "text";
/// What stands for a codec where the body of a message is bytes as they stand.
inline constexpr std::string_view raw_format = "raw";

/// Options that subcommands share; each subcommand offers those that make sense for it.
struct CommonOptions {
  std::string from, to, from_options, to_options, from_then, to_then, config, limits, output;
  std::vector<std::string> plugin_paths;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  bool lossy = false;
  bool as_is = false;
};

/// One run of the command.
class Context {
 public:
  CommonOptions options;

  /// A context of its own for another thread: the same options, configuration and registry, no remarks, and losses of
  /// its own.
  std::unique_ptr<Context> worker();

  // Which of the shared options a subcommand takes.
  void add_registry_options(CLI::App& command);
  void add_input_options(CLI::App& command);
  void add_output_options(CLI::App& command, const std::string& what);
  void add_json_option(CLI::App& command);
  /// --lossy. A command that offers it calls report_losses() when it is done.
  void add_loss_option(CLI::App& command);

  /// The configuration: --config, else POLYCODEC_CONFIG, else empty; with --plugin-path and --limits applied.
  const Configuration& configuration();
  const Registry& registry();
  const Limits& limits() { return configuration().registry.limits; }

  /// Opens FILE, `-` being standard input.
  Source open_input(const std::string& file);
  /// A decoded input. `codec` is null if it was text notation, or a message whose body is raw bytes.
  struct Decoded {
    Value value;
    const CodecInfo* codec = nullptr;
    bool raw = false;
    /// The codec's name, or what stands in its place.
    std::string codec_name() const;
    std::string chosen;  ///< how the codec was chosen, for people
  };
  /// Decodes with --from and --from-options; without --from, files that hold text notation are recognised. The value
  /// of a framed message is made to fit the datatype that its header declares, unless --as-is is given.
  Decoded decode(const Source& source);
  /// How an output file is to be written: --to, else by the file's extension, else by the configuration's rules.
  std::string output_format(const std::string& file, View value);
  /// Encodes `value` as `format` to `file` (`-`: standard output). Returns the number of bytes.
  std::uint64_t encode_to(View value, const std::string& format, const std::string& file);
  /// Writes bytes to `file` (`-`: standard output).
  void write_output(std::string_view bytes, const std::string& file);

  /// Prints the one JSON object of --json.
  void print_json(const Json& object);
  /// Prints text for people on standard output.
  void print(std::string_view text);
  /// Prints a remark on standard error, unless --quiet.
  void remark(std::string_view text);

  /// Prints a remark for everything that was left out since the last call (docs/loss.md), and returns it as [{"path",
  /// "what"}].
  Json report_losses();

  /// Options for calls: limits, the flag that Ctrl-C sets, and what --lossy says.
  CallOptions call_options();

  /// Reports the error and returns the exit status for it.
  int report(const Error& error);

 private:
  void fit_to_header(Value& value, const Source& source);
  std::optional<Configuration> configuration_;
  std::string
      rule_options_;       ///< of the rule that output_format() chose by; they hold where --to-options says nothing
  std::string rule_then_;  ///< likewise, for --to-then
  std::optional<Registry> registry_;
  std::mutex losses_mutex_;
  std::vector<Loss> losses_;
};

/// Set by Ctrl-C: running calls end with Status::cancelled, and no output is left half-written.
std::atomic<bool>& interrupted();

/// An error in options that a message header gives: it is the input that is wrong, not the usage of the command.
Error header_options_error(const Error& error);

/// The error as a member of a JSON result.
Json to_json(const Error& error);

}  // namespace polycodec::cli
