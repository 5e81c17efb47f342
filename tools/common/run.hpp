// SPDX-License-Identifier: MIT
// One run of a program: the options, the registry, and the calls that all commands make. What a
// call finds is returned, and nothing is remembered.
#pragma once

#include <polycodec/polycodec.hpp>

#include "common/common_options.hpp"
#include "common/interrupt.hpp"
#include "common/json.hpp"
#include "common/reporter.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::cli {

/// All classes of loss.
inline constexpr std::uint32_t all_losses = (1u << POLYCODEC_LOSS_COUNT) - 1;

/// True of `-`, and of no file, which is the same for outputs.
inline bool is_standard_output(const std::string& file) {
  return file.empty() || file == "-";
}

/// An open input.
struct Input {
  Source source;
  std::string name;  ///< for messages

  /// Empty for a directory.
  std::string_view bytes() const& { return source.bytes(); }
  std::string_view bytes() const&& = delete;
};

/// A value that was read.
struct Read {
  Value value;
  Match match;               ///< how the codec was chosen
  Budget budget;             ///< of the input, for walks over the value
  std::vector<Loss> losses;  ///< what the codec left out; they were noted

  const std::string& codec_name() const noexcept { return match.codec; }
  NodeView root() const& noexcept { return NodeView(value.root()); }
  NodeView root() const&& = delete;
};

/// A value that was written.
struct Written : Result {
  std::string file;          ///< `-` for standard output
  std::vector<Loss> losses;  ///< of reading and writing; they were noted
};

/// What the options mean. Never changes once it is made, for any thread.
class Run {
 public:
  explicit Run(CommonOptions given);
  /// The same registry with other options of reading, writing and printing.
  Run(const Run& other, CommonOptions given);

  const CommonOptions options;
  const Reporter out;

  /// The registry of --config (else POLYCODEC_CONFIG), --plugin-path, --limits and --isolate, which
  /// the first call opens.
  const Registry& registry() const;
  /// Its limits, for the largest input.
  const Limits& limits() const;

  // -- inputs --
  /// Opens FILE, `-` being standard input. `opened`: a descriptor of it, if it is open.
  Input open_input(const std::string& file, int opened = -1) const;
  /// Reads as --from, --from-options, --from-filters, --tolerant, --as-is, --columns, --rows
  /// and --select say. Errors in the data are InputError. `from` instead of those of --from;
  /// `destination`: see CallOptions.
  Read read(const Input& input) const { return read(input, from()); }
  Read read(const Input& input, const Format& from, const std::string& destination = {}) const;
  Read read_file(const std::string& file) const { return read(open_input(file)); }

  // -- outputs --
  /// Encodes a value to `file` (`-` or empty: standard output) as --to, --to-options and
  /// --to-filters say, else by the file's extension, else by the configuration's rules. `budget`:
  /// that of the input it is from; `flags`: more of the call's, POLYCODEC_CALL_*.
  Written write(const Value& value, const std::string& file, const Budget& budget = {}) const {
    return write(value, file, to(), budget);
  }
  Written write(const Value& value, const std::string& file, const Format& to, const Budget& budget,
                std::uint32_t flags = 0) const;
  /// Reads an input and writes the value. Unless --no-compare, a file is read back before it takes
  /// its name, and compared: Written::kept. A difference that no loss covers is Status::internal,
  /// `convert.different`, which leaves the file as it was.
  Written convert(const Input& input, const Format& from, const std::string& file) const;
  /// Writes bytes to `file` (`-` or empty: standard output).
  void write_output(std::string_view bytes, const std::string& file) const;

  // -- what calls are given --
  /// --from, --from-options and --from-filters, which are checked.
  Format from() const;
  /// --to, --to-options and --to-filters, which are checked.
  Format to() const;
  /// How outputs are written: --sync.
  WriteOptions write_options() const {
    return {.sync = options.sync != "none", .root = options.output_root};
  }
  /// A budget of --limits for several calls on one input.
  Budget budget() const { return Budget(registry(), {}, cancel_flag()); }
  /// What applies to a call: threads, Ctrl-C, projection, and the losses that --lossy allows, which
  /// are added to `losses`. With a budget, which several calls share, or without.
  CallOptions call(std::vector<Loss>& losses, const Budget& budget = {}) const;

 private:
  struct Opened;
  std::shared_ptr<Opened> opened_;
};

/// Opens the registry of the options, with further POLYCODEC_REGISTRY_* `flags`.
Registry open_registry(const CommonOptions& options, std::uint32_t flags = 0);

/// Throws an error again: as InputError, if it is in the data of the input.
[[noreturn]] void rethrow_about(const std::string& input, const Error& error);
/// Runs body(), whose errors in the data are those of the input of this name.
template <class Body>
decltype(auto) about_input(const std::string& input, Body&& body) try {
  return std::forward<Body>(body)();
} catch (const InputError&) {
  throw;
} catch (const Error& error) {
  rethrow_about(input, error);
}

/// Adds `kept` to the JSON of a conversion that was compared or could not be, with `difference` or
/// `not_compared`.
void add_kept(Json& object, const Result& result);
/// The same, `lost` (if there is one, or `always`) and `retyped`.
void add_report(Json& object, const Result& result, const std::vector<Loss>& losses, bool always);

}  // namespace polycodec::cli
