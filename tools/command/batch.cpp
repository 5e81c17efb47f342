// SPDX-License-Identifier: MIT
#include "batch.hpp"

#include <base/quote.hpp>

#include "commands.hpp"
#include "conversion_report.hpp"
#include "registry/codec/thread_pool.hpp"
#include "tools/common/terminal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
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

enum class ItemState { waiting, done, skipped, ignored, failed };
constexpr const char* state_words[] = {"not started", "converted", "skipped", "ignored", "failed"};

struct Item {
  InputFile file;
  std::string input, output;
  FileRecord record;  // source and output are always set, the rest with a report
  ItemState outcome = ItemState::waiting;
  std::string from;
  std::uint64_t bytes = 0;
  std::optional<Error> error;
  std::vector<Loss> lost;
  Check check;
  unsigned attempts = 0;
  double seconds = 0;
};

/// The extension of a format's files, with the dot.
std::string extension_of(Context& context, const std::string& format) {
  const CodecInfo* codec = context.registry().find(format);
  return codec == nullptr || codec->extensions.empty() ? "." + format : codec->extensions[0];
}

bool is_newer(const fs::path& output, const fs::path& input) {
  std::error_code no_output, no_input;
  const auto made = fs::last_write_time(output, no_output),
             changed = fs::last_write_time(input, no_input);
  return !no_output && !no_input && made >= changed;
}

/// Errors that may not come again: of the machine, or of a plugin whose process has died.
bool may_pass(const Error& error) {
  return error.code() == Status::io || error.code() == Status::memory ||
         error.code() == Status::plugin;
}

class Converting {
 public:
  Converting(Context& context, const Batch& batch)
      : context_(context),
        batch_(batch),
        extension_(extension_of(context, context.options.to)),
        activity_("Converting", !context.options.quiet) {
    FileSearch search = batch.search;
    search.outputs = {batch.out_dir};
    std::vector<InputFile> files = list_files(batch.inputs, search);
    if (!batch.report.empty()) {
      std::vector<std::string> outputs;
      for (const InputFile& file : files) outputs.push_back(output_of(file));
      keep_report_apart(batch.report, files, outputs);
    }
    add_items(files);
    if (!batch.report.empty()) {
      terms_ = terms_of(context);
      whole_.options = terms_.options;
      whole_.job = job_of(terms_, files);
      whole_.sources = files.size();
    }
    make_directory(batch.out_dir);
    context.options.output_root = batch.out_dir;
    if (!batch.report.empty()) report_.emplace(batch.report, batch.resume);
  }

  void run() {
    context_.registry();  // made before threads share it
    const std::uint32_t processors = usable_processors();
    const std::size_t count =
        std::min<std::size_t>(batch_.jobs != 0 ? batch_.jobs : processors, items_.size());
    if (context_.options.threads == 0 && count != 0)
      context_.options.threads = std::max(1u, processors / static_cast<std::uint32_t>(count));
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < count; ++i) threads.emplace_back([this] { work(); });
    }
    // An interrupted run keeps its journal for the next.
    if (report_ && !interrupted()) report_->finish(std::move(whole_));
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
      context_.print_json(Json{{"ok", count(ItemState::failed) + count(ItemState::waiting) == 0},
                               {"converted", count(ItemState::done)},
                               {"skipped", count(ItemState::skipped)},
                               {"ignored", count(ItemState::ignored)},
                               {"failed", count(ItemState::failed)},
                               {"not_started", count(ItemState::waiting)},
                               {"files", std::move(files)}});
    } else {
      if (!report_)  // which has them
        for (const Item& item : items_)
          for (const Loss& loss : item.lost) context_.note(cli::describe(loss, item.input + " "));
      for (const Item& item : items_)
        if (item.error && item.outcome == ItemState::failed)
          std::fprintf(stderr, "polycodec: %s\n",
                       printable(item.input + ": " + item.error->describe()).c_str());
      std::string summary = std::to_string(count(ItemState::done)) + " of " +
                            std::to_string(items_.size()) + " converted";
      if (count(ItemState::skipped) != 0)
        summary += ", " + std::to_string(count(ItemState::skipped)) + " were done already";
      if (count(ItemState::ignored) != 0)
        summary += ", " + std::to_string(count(ItemState::ignored)) + " of no known format";
      if (count(ItemState::failed) != 0)
        summary += ", " + std::to_string(count(ItemState::failed)) + " failed";
      if (count(ItemState::waiting) != 0)
        summary += ", " + std::to_string(count(ItemState::waiting)) + " not started";
      context_.note(summary);
    }
    return count(ItemState::failed) + count(ItemState::waiting) == 0 ? exit_done : exit_refused;
  }

 private:
  std::string output_of(const InputFile& file) const {
    return (fs::path(batch_.out_dir) / fs::path(file.name).replace_extension(extension_)).string();
  }

  void add_items(const std::vector<InputFile>& files) {
    whole_.shard = batch_.shard.empty() ? Shard{} : parse_shard(batch_.shard);
    std::map<std::string, std::string> taken;
    for (const InputFile& file : files) {
      Item item;
      item.file = file;
      item.input = file.path;
      item.output = output_of(file);
      item.record.source = name_in_report(file.name);
      item.record.output =
          name_in_report(fs::path(file.name).replace_extension(extension_).string());
      if (!file.problem.empty()) item.error = Error(Status::denied, file.problem);
      if (!batch_.report.empty() && item.record.source != file.name)
        item.error = Error(Status::option,
                           "its name is not UTF-8, as reports are; rename it, or leave it out "
                           "with --exclude");
      const auto [other, added] = taken.emplace(item.output, file.path);
      if (!added)
        throw Error(Status::option,
                    quote_path(file.path) + " and " + quote_path(other->second) +
                        " would both become " + quote_path(item.output) +
                        (file.is_found ? "; choose among them with --include or --exclude" : ""));
      if (whole_.shard.contains(file.name)) items_.push_back(std::move(item));
    }
  }

  static void make_directory(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error)
      throw Error(Status::io, "cannot make the directory " + quote_path(path.string()) + ": " +
                                  error.message());
  }

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

  /// True if nothing is to be done.
  bool is_done(Item& item, const posix::Descriptor& opened) const {
    if (!report_) return batch_.resume && is_newer(item.output, item.input);
    item.record.state = state_of(opened ? posix::name_in_proc(opened.get()).string() : item.input);
    const FileRecord* const earlier = report_->earlier(item.record.source);
    std::error_code absent;
    if (earlier == nullptr || (earlier->status != "converted" && earlier->status != "skipped") ||
        earlier->state != item.record.state || earlier->state.sha256.empty() ||
        earlier->to != terms_.to || earlier->options != terms_.options ||
        earlier->from != versioned(context_, earlier->from.substr(0, earlier->from.rfind('@'))) ||
        fs::is_symlink(item.output, absent) ||
        fs::file_size(item.output, absent) != earlier->output_bytes || absent)
      return false;
    item.record = *earlier;
    item.lost = {};
    return true;
  }

  void convert(Context& worker, Item& item) {
    const auto begin = std::chrono::steady_clock::now();
    const bool may_begin = !item.error;
    for (; may_begin;
         std::this_thread::sleep_for(std::chrono::milliseconds(50u << item.attempts))) {
      ++item.attempts;
      item.error.reset();
      try {
        const posix::Descriptor opened =
            item.file.is_found ? open_found(item.file) : posix::Descriptor();
        item.outcome =
            is_done(item, opened) ? ItemState::skipped : convert_once(worker, item, opened);
      } catch (const Error& e) {
        item.error = e;
      } catch (const std::exception& e) {
        item.error = Error(Status::internal, e.what());
      }
      if (!item.error || !may_pass(*item.error) || item.attempts > std::min(batch_.retries, 8u) ||
          interrupted())
        break;
      (void)worker.report_losses();
    }
    item.lost = worker.report_losses();
    if (item.error && item.error->code() == Status::cancelled) return;  // as if it never began
    if (item.error) item.outcome = is_unknown(item) ? ItemState::ignored : ItemState::failed;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    item.seconds = taken.count();
    if (report_) record(item);
  }

  /// True if no codec could be chosen for a file that nobody named.
  static bool is_unknown(const Item& item) {
    return item.file.is_found && item.from.empty() &&
           (item.error->code() == Status::not_found || item.error->code() == Status::ambiguous);
  }

  ItemState convert_once(Context& worker, Item& item, const posix::Descriptor& opened) const {
    const Source source = worker.open_input(item.input, opened.get());
    worker.set_destination(item.output);
    const Read decoded = worker.read(source);
    item.from = decoded.codec_name();
    item.bytes =
        worker.encode_to(decoded.value.view(), worker.options.to, item.output, &item.check);
    return ItemState::done;
  }

  void record(Item& item) {
    FileRecord& record = item.record;
    record.status = state_words[static_cast<int>(item.outcome)];
    if (item.outcome == ItemState::done) {
      const SourceState output = state_of(item.output);
      record.output_sha256 = output.sha256;
      record.output_bytes = output.bytes;
      record.from = versioned(context_, item.from);
    }
    record.to = terms_.to;
    record.options = terms_.options;
    Json more{{"losses", losses_json(item.lost)},
              {"error", item.error ? to_json(*item.error) : Json()},
              {"attempts", item.attempts},
              {"seconds", item.seconds}};
    add_kept(more, item.check);
    record.text = record_line(record, more);
    report_->add(record);
  }

  static Json describe(const Item& item) {
    Json file{{"in", item.input},
              {"out", item.output},
              {"state", state_words[static_cast<int>(item.outcome)]}};
    if (item.outcome == ItemState::done) {
      file["codec"] = item.from;
      file["bytes"] = item.bytes;
    }
    add_report(file, item.check, item.lost, false);
    if (item.error) file["error"] = to_json(*item.error);
    return file;
  }

  Context& context_;
  const Batch& batch_;
  std::vector<Item> items_;
  Terms terms_;
  const std::string extension_;  // of the outputs
  ConversionReport whole_;       // but for its records
  std::optional<ReportWriter> report_;
  std::atomic<std::size_t> next_{0}, done_{0};
  Activity activity_;
};

}  // namespace

int convert_batch(Context& context, const Batch& batch) {
  if (context.options.to.empty()) throw Error(Status::option, "--out-dir requires --to NAME");
  if (context.registry().find(context.options.to) == nullptr)
    throw Error(Status::not_found, context.registry().explain_missing(context.options.to));
  Converting converting(context, batch);
  converting.run();
  return converting.report();
}

}  // namespace polycodec::cli
