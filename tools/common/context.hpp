// SPDX-License-Identifier: MIT
// What the subcommands share: options, registry, results and exit statuses.
#pragma once

#include <base/json_writer.hpp>
#include <model/loss.hpp>
#include <polycodec/config.hpp>
#include <polycodec/registry.hpp>
#include <polycodec/sink.hpp>

#include "command.hpp"
#include "core/value/budget.hpp"
#include "registry/codec/check_written.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// Options that subcommands share; each subcommand offers those that make sense for it.
struct CommonOptions {
  std::string from, to, from_options, to_options, from_filters, to_filters, config, limits, output,
      isolate;
  std::string columns, rows;
  std::vector<std::string> plugin_paths;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  bool lossy = false;
  bool tolerant = false;
  bool as_is = false;
  std::string destination;  // of a conversion: the codec that writes, or the extension of its file
  bool no_mmap = false;
  bool no_compare = false;
  std::string sync = "end";
  std::string output_root;    ///< see WriteOptions::root; empty: outputs are named by the user
  std::uint32_t threads = 0;  // of one call; 0: one for each processor
};

/// One run of the command.
class Context {
 public:
  CommonOptions options;

  /// A context of its own for another thread: the same options, configuration and registry, no
  /// notes, and losses of its own.
  std::unique_ptr<Context> worker();

  // Which of the shared options a subcommand takes.
  void add_registry_options(Command& command);
  void add_input_options(Command& command);
  void add_output_options(Command& command, const std::string& what);
  void add_json_option(Command& command);
  void add_common_options(Command& command) {
    add_registry_options(command);
    add_json_option(command);
  }
  /// --columns and --rows.
  void add_projection_options(Command& command);
  /// --no-mmap, for commands without the other options of inputs.
  void add_mapping_option(Command& command);
  /// --sync.
  void add_sync_option(Command& command);
  /// --lossy. Notes may be lost without it.
  void add_loss_option(Command& command);
  /// --no-compare.
  void add_compare_option(Command& command);

  /// The configuration: --config, else POLYCODEC_CONFIG, else empty; with --plugin-path and
  /// --limits applied.
  const Configuration& configuration();
  const Registry& registry();
  /// Lets no plugin from outside the package run in this process, whatever the configuration says.
  /// Call it before registry().
  void isolate_foreign_plugins();
  const Limits& limits() { return configuration().registry.limits; }

  /// Opens FILE, `-` being standard input. `opened`: a descriptor of it, if it is open.
  Source open_input(const std::string& file, int opened = -1);
  /// Forgets the name of the input, where several files hold one value.
  void forget_input() { input_name_.clear(); }
  /// Reads it with --from, --from-options, --from-filters and --as-is: see Registry::read.
  Read read(const Source& source);
  Read read_file(const std::string& file) { return read(open_input(file)); }
  /// Says before reading where the value goes: to --to, or to the codec of the file's extension.
  void set_destination(const std::string& file);
  /// How an output file is to be written: --to, else by the file's extension, else by the
  /// configuration's rules.
  std::string output_format(const std::string& file, NodeView value);
  /// Encodes `value` as `format` to `file` (`-`: standard output). Returns the number of bytes.
  /// With `check`, the file is read back before it takes its name, and compared with the value:
  /// members of another type become losses (report_losses()), and a difference that no loss covers
  /// is Error(internal, `convert.different`), which leaves the file as it was.
  std::uint64_t encode_to(NodeView value, const std::string& format, const std::string& file,
                          Check* check = nullptr);
  /// Writes bytes to `file` (`-`: standard output, see printable() for a terminal).
  void write_output(std::span<const Segment> segments, const std::string& file,
                    const WriteOptions& how);
  void write_output(std::span<const Segment> segments, const std::string& file) {
    write_output(segments, file, write_options());
  }
  void write_output(std::string_view bytes, const std::string& file) {
    const Segment segment{bytes.data(), bytes.size()};
    write_output({&segment, 1}, file);
  }

  /// Prints the one JSON object of --json: on standard error where standard output holds the data.
  void print_json(const Json& object, bool on_error_stream = false);
  /// Prints the result: the object with --json, otherwise the text.
  void print_result(const Json& object, std::string_view text) {
    options.json ? print_json(object) : print(text);
  }
  /// Prints text for users on standard output.
  void print(std::string_view text);
  /// Prints a note on standard error, unless --quiet.
  void note(std::string_view text);

  /// Prints a note for everything that was left out since the last call (docs/loss.md), and
  /// returns it.
  std::vector<Loss> report_losses();

  /// How outputs are written: --sync.
  WriteOptions write_options() const {
    return {.sync = options.sync != "none", .root = options.output_root};
  }

  /// Options for calls: limits, the flag that Ctrl-C sets, and the losses that --lossy allows. All
  /// calls after read() share the budget of what was read.
  CallOptions call_options();

  /// Reports the error and returns the exit status for it.
  int report(const Error& error);
  bool compares = false;  ///< any error is status 2, as in other programs that compare files

 private:
  std::string file_of(const Error& error) const;
  /// write_options() that read the output back as `check` asks for.
  WriteOptions checking(NodeView value, const std::string& format, const std::string& filters,
                        const std::string& file, Check* check);
  void compare(NodeView value, const std::string& format, const std::string& filters,
               const std::string& written, const std::string& file, Check& check);
  /// --from-options with what --tolerant stands for.
  std::string from_options() const;

  std::string input_name_;  ///< of the file that was opened last, for errors
  std::optional<Configuration> configuration_;
  std::string rule_options_;     ///< of the rule that output_format() chose by; they hold where
                                 ///< --to-options says nothing
  std::string rule_filters_;     ///< likewise, for --to-filters
  std::string written_options_;  ///< those that encode_to() writes with
  std::optional<Registry> registry_;
  std::shared_ptr<Budget> budget_;    ///< of the last input that was read
  std::string_view mapped_;           ///< that input, if it is a mapping, as long as
  std::weak_ptr<const void> pin_;     ///< somebody has it
  std::optional<BudgetScope> scope_;  ///< which all walks over its value charge
  std::mutex losses_mutex_;
  std::vector<Loss> losses_;
};

/// The directory of this program, in which programs of further commands are searched.
std::filesystem::path own_directory();

/// Set by Ctrl-C: running calls end with Status::cancelled, and no output is left half-written.
std::atomic<bool>& interrupted();

/// True while an EndsAtOnce lives.
std::atomic<bool>& ends_at_once();
/// While it lives, the program has begun nothing that could be left half done. Ctrl-C ends the
/// process without a look at what runs, so that no long step and no release of memory delays it.
class EndsAtOnce {
 public:
  EndsAtOnce() noexcept : outer_(ends_at_once().exchange(true)) {}
  ~EndsAtOnce() { end(); }
  void end() noexcept { ends_at_once().store(outer_); }
  EndsAtOnce(const EndsAtOnce&) = delete;
  EndsAtOnce& operator=(const EndsAtOnce&) = delete;

 private:
  const bool outer_;
};

/// The error as a member of a JSON result; the losses of some classes as [{"path", "what"}].
Json to_json(const Error& error);
Json to_json(const std::vector<Loss>& losses, std::uint32_t classes);
/// One loss as a line for users; `place` comes before its path.
std::string describe(const Loss& loss, const std::string& place = "");
/// Adds `kept` to the JSON of a conversion that was compared or could not be, with `difference` or
/// `not_compared`.
void add_kept(Json& object, const Check& check);
/// The same, `lost` (if there is one, or `always`) and `retyped`.
void add_report(Json& object, const Check& check, const std::vector<Loss>& losses, bool always);

}  // namespace polycodec::cli
