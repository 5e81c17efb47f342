// SPDX-License-Identifier: MIT
#include "batch.hpp"

#include <base/quote.hpp>

#include "commands.hpp"
#include "terminal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>

namespace polycodec::cli {
namespace {

namespace fs = std::filesystem;

enum class ItemState { waiting, done, skipped, failed };

struct Item {
  std::string input, output;
  ItemState outcome = ItemState::waiting;
  std::string from;
  std::uint64_t bytes = 0;
  std::optional<Error> error;
  std::vector<Loss> lost;
  Kept kept;
};

/// The extension of a format's files, with the dot.
std::string extension_of(Context& context, const std::string& format) {
  if (format == typed_json_name) return ".json";
  const CodecInfo* codec = context.registry().find(format);
  return codec == nullptr || codec->extensions.empty() ? "." + format : codec->extensions[0];
}

bool is_newer(const fs::path& output, const fs::path& input) {
  std::error_code no_output, no_input;
  const auto made = fs::last_write_time(output, no_output),
             changed = fs::last_write_time(input, no_input);
  return !no_output && !no_input && made >= changed;
}

class Converting {
 public:
  Converting(Context& context, const Batch& batch)
      : context_(context), batch_(batch), activity_("Converting", !context.options.quiet) {
    const std::string extension = extension_of(context, context.options.to);
    std::map<std::string, std::string> taken;
    for (const std::string& input : batch.inputs) {
      if (input == "-")
        throw Error(Status::option, "standard input cannot be one of several inputs");
      fs::path name = fs::path(input).lexically_normal();
      if (!name.has_filename()) name = name.parent_path();  // a directory, written with a slash
      Item item;
      item.input = input;
      item.output =
          (fs::path(batch.out_dir) / name.filename().replace_extension(extension)).string();
      const auto [other, added] = taken.emplace(item.output, input);
      if (!added)
        throw Error(Status::option, quote_path(input) + " and " + quote_path(other->second) +
                                        " would both become " + quote_path(item.output));
      items_.push_back(std::move(item));
    }
    std::error_code error;
    fs::create_directories(batch.out_dir, error);
    if (error)
      throw Error(Status::io, "cannot make the directory " + quote_path(batch.out_dir) + ": " +
                                  error.message());
  }

  void run() {
    context_.registry();  // made before threads share it
    const unsigned wanted =
        batch_.jobs != 0 ? batch_.jobs : std::max(1u, std::thread::hardware_concurrency());
    const std::size_t count = std::min<std::size_t>(wanted, items_.size());
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < count; ++i) threads.emplace_back([this] { work(); });
    }
    if (context_.options.sync != "end") return;
    const int directory = ::open(batch_.out_dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool is_synced = directory >= 0 && ::syncfs(directory) == 0;
    const int error = errno;
    if (directory >= 0) ::close(directory);
    if (!is_synced)
      throw Error(Status::io, "cannot flush " + quote_path(batch_.out_dir) + ": " +
                                  std::generic_category().message(error));
  }

  int report() const {
    std::map<ItemState, std::size_t> counts;
    for (const Item& item : items_) ++counts[item.outcome];
    const auto count = [&](ItemState outcome) {
      return counts.contains(outcome) ? counts.at(outcome) : 0;
    };
    if (context_.options.json) {
      Json files = Json::list();
      for (const Item& item : items_) files.push_back(describe(item));
      context_.print_json(
          Json{{"ok", count(ItemState::done) + count(ItemState::skipped) == items_.size()},
               {"converted", count(ItemState::done)},
               {"skipped", count(ItemState::skipped)},
               {"failed", count(ItemState::failed)},
               {"not_started", count(ItemState::waiting)},
               {"files", std::move(files)}});
    } else {
      for (const Item& item : items_)
        for (const Loss& loss : item.lost) context_.note(cli::describe(loss, item.input + " "));
      for (const Item& item : items_)
        if (item.error)
          std::fprintf(stderr, "polycodec: %s\n",
                       printable(item.input + ": " + item.error->describe()).c_str());
      std::string summary = std::to_string(count(ItemState::done)) + " of " +
                            std::to_string(items_.size()) + " converted";
      if (count(ItemState::skipped) != 0)
        summary += ", " + std::to_string(count(ItemState::skipped)) + " were done already";
      if (count(ItemState::failed) != 0)
        summary += ", " + std::to_string(count(ItemState::failed)) + " failed";
      if (count(ItemState::waiting) != 0)
        summary += ", " + std::to_string(count(ItemState::waiting)) + " not started";
      context_.note(summary);
    }
    return count(ItemState::failed) + count(ItemState::waiting) == 0 ? exit_done : exit_refused;
  }

 private:
  void work() {
    const auto worker = context_.worker();
    // "end" is once, after all files.
    if (worker->options.sync == "end") worker->options.sync = "none";
    for (;;) {
      const std::size_t i = next_.fetch_add(1);
      if (i >= items_.size() || interrupted()) return;
      convert(*worker, items_[i]);
      activity_.update(done_.fetch_add(1) + 1, items_.size());
    }
  }

  void convert(Context& worker, Item& item) const {
    if (batch_.resume && is_newer(item.output, item.input)) {
      item.outcome = ItemState::skipped;
      return;
    }
    try {
      const Source source = worker.open_input(item.input);
      const Read decoded = worker.read(source);
      item.from = decoded.codec_name();
      item.bytes = worker.encode_to(decoded.value.view(), worker.options.to, item.output);
      item.kept = worker.compare(decoded.value, worker.options.to);
      item.outcome = ItemState::done;
    } catch (const Error& e) {
      item.error = e;
      item.outcome = ItemState::failed;
    } catch (const std::exception& e) {
      item.error = Error(Status::internal, e.what());
      item.outcome = ItemState::failed;
    }
    item.lost = worker.report_losses();
  }

  static Json describe(const Item& item) {
    static constexpr const char* words[] = {"not started", "converted", "skipped", "failed"};
    Json file{
        {"in", item.input}, {"out", item.output}, {"state", words[static_cast<int>(item.outcome)]}};
    if (item.outcome == ItemState::done) {
      file["codec"] = item.from;
      file["bytes"] = item.bytes;
    }
    add_report(file, item.kept, item.lost, false);
    if (item.error) file["error"] = to_json(*item.error);
    return file;
  }

  Context& context_;
  const Batch& batch_;
  std::vector<Item> items_;
  std::atomic<std::size_t> next_{0}, done_{0};
  Activity activity_;
};

}  // namespace

int convert_batch(Context& context, const Batch& batch) {
  if (context.options.to.empty()) throw Error(Status::option, "--out-dir requires --to NAME");
  if (context.options.to != typed_json_name &&
      context.registry().find(context.options.to) == nullptr)
    throw Error(Status::not_found, context.registry().explain_missing(context.options.to));
  Converting converting(context, batch);
  converting.run();
  return converting.report();
}

}  // namespace polycodec::cli
