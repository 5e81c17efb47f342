// SPDX-License-Identifier: MIT
#include "batch.hpp"

#include <polycodec/quote.hpp>

#include "commands.hpp"
#include "common/terminal.hpp"
#include "common/threads.hpp"
#include "conversion_report.hpp"
#include "view/mesh_assets.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
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
  Written written;
  std::optional<Error> error;
  unsigned attempts = 0;
  double seconds = 0;
};

/// The extension of a format's files, with the dot. Throws Status::not_found, with all that is
/// known about why.
std::string extension_of(const Run& run, const std::string& format) {
  const Value codec = run.registry().describe(About::codec, format);
  const auto extensions = codec.view().find("extensions");
  if (!extensions || extensions->size() == 0) return "." + format;
  return std::string(extensions->child().as_string());
}

/// The extensions of compressed files.
std::set<std::string> extensions_of_filters(const Run& run) {
  const Value filters = run.registry().describe(About::filters);
  std::set<std::string> all;
  for (const View filter : filters.view())
    for (const View extension : filter["extensions"]) all.emplace(extension.as_string());
  return all;
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
  Converting(const Run& run, const Batch& batch)
      : run_(run),
        batch_(batch),
        extension_(extension_of(run, run.options.to)),
        compressed_(extensions_of_filters(run)),
        activity_("Converting", !run.options.quiet) {
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
      terms_ = terms_of(run);
      whole_.options = terms_.options;
      whole_.job = job_of(terms_, files);
      whole_.sources = files.size();
    }
    make_directory(batch.out_dir);
    if (!batch.report.empty()) report_.emplace(batch.report, batch.resume);
  }

  void run() {
    const std::uint32_t processors = usable_processors();
    const std::size_t count =
        std::min<std::size_t>(batch_.jobs != 0 ? batch_.jobs : processors, items_.size());
    CommonOptions options = run_.options;
    options.quiet = true;
    options.output_root = batch_.out_dir;
    if (options.sync == "end") options.sync = "none";  // it is once, after all files
    if (options.threads == 0 && count != 0)
      options.threads = std::max(1u, processors / static_cast<std::uint32_t>(count));
    const Run each(run_, std::move(options));
    share(count, static_cast<std::uint32_t>(count), [&](std::uint64_t) { work(each); });
    // An interrupted run keeps its journal for the next.
    if (report_ && !interrupted()) report_->finish(run_, std::move(whole_));
    if (run_.options.sync != "end") return;
    const Descriptor directory(::open(batch_.out_dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory || ::syncfs(directory.get()) != 0) throw_errno("flush", batch_.out_dir);
  }

  int report() const {
    std::map<ItemState, std::size_t> counts;
    for (const Item& item : items_) ++counts[item.outcome];
    const auto count = [&](ItemState outcome) {
      return counts.contains(outcome) ? counts.at(outcome) : 0;
    };
    if (run_.out.is_json()) {
      Json files = Json::array();
      for (const Item& item : items_) files.push_back(describe(item));
      run_.out.print_json(Json{{"ok", count(ItemState::failed) + count(ItemState::waiting) == 0},
                               {"converted", count(ItemState::done)},
                               {"skipped", count(ItemState::skipped)},
                               {"ignored", count(ItemState::ignored)},
                               {"failed", count(ItemState::failed)},
                               {"not_started", count(ItemState::waiting)},
                               {"files", std::move(files)}});
    } else {
      if (!report_)  // which has them
        for (const Item& item : items_)
          for (const Loss& loss : item.written.losses)
            run_.out.note(cli::describe(loss, item.input + " "));
      for (const Item& item : items_)
        if (item.error && item.outcome == ItemState::failed)
          std::fprintf(stderr, "polycodec: %s\n",
                       printable(item.input + ": " + as_typed(*item.error).describe()).c_str());
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
      run_.out.note(summary);
    }
    return count(ItemState::failed) + count(ItemState::waiting) == 0 ? exit_done : exit_refused;
  }

 private:
  /// versioned(), asked once for each codec. [thread-safe]
  std::string version_of(const std::string& codec) const {
    const std::scoped_lock lock(versions_mutex_);
    std::string& version = versions_[codec];
    if (version.empty()) version = versioned(run_, codec);
    return version;
  }

  std::string output_of(const InputFile& file) const {
    return (fs::path(batch_.out_dir) / name_of_output(file)).string();
  }
  /// Without the extensions of compressions, too.
  fs::path name_of_output(const InputFile& file) const {
    fs::path name(file.name);
    while (compressed_.contains(name.extension().string())) name.replace_extension();
    return name.replace_extension(extension_);
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
      item.record.output = name_in_report(name_of_output(file).string());
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
                        (file.is_found ? "; choose among them with --include or --exclude"
                                       : "; convert them into different directories"));
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

  void work(const Run& each) {
    for (;;) {
      const std::size_t i = next_.fetch_add(1);
      if (i >= items_.size() || interrupted()) return;
      convert(each, items_[i]);
      activity_.update(done_.fetch_add(1) + 1, items_.size());
    }
  }

  /// True if nothing is to be done.
  bool is_done(Item& item, const Descriptor& opened) const {
    if (!report_) return batch_.resume && is_newer(item.output, item.input);
    item.record.state =
        state_of(opened ? "/proc/self/fd/" + std::to_string(opened.get()) : item.input);
    const FileRecord* const earlier = report_->earlier(item.record.source);
    std::error_code absent;
    if (earlier == nullptr || (earlier->status != "converted" && earlier->status != "skipped") ||
        earlier->state != item.record.state || earlier->state.sha256.empty() ||
        earlier->to != terms_.to || earlier->options != terms_.options ||
        earlier->from != version_of(earlier->from.substr(0, earlier->from.rfind('@'))) ||
        fs::is_symlink(item.output, absent) ||
        fs::file_size(item.output, absent) != earlier->output_bytes || absent)
      return false;
    item.record = *earlier;
    return true;
  }

  void convert(const Run& each, Item& item) {
    const auto begin = std::chrono::steady_clock::now();
    const bool may_begin = !item.error;
    for (; may_begin;
         std::this_thread::sleep_for(std::chrono::milliseconds(50u << item.attempts))) {
      ++item.attempts;
      item.error.reset();
      try {
        const Descriptor opened = item.file.is_found ? open_found(item.file) : Descriptor();
        item.outcome = ItemState::skipped;
        if (!is_done(item, opened)) {
          const Input input = each.open_input(item.input, opened.get());
          item.written = convert_with_assets(each, input, each.from(), item.output);
          item.outcome = ItemState::done;
        }
      } catch (const Error& e) {
        item.error = e;
      } catch (const std::exception& e) {
        item.error = Error(Status::internal, e.what());
      }
      if (!item.error || !may_pass(*item.error) || item.attempts > std::min(batch_.retries, 8u) ||
          interrupted())
        break;
    }
    if (item.error && item.error->code() == Status::cancelled) return;  // as if it never began
    if (item.error) item.outcome = is_unknown(item) ? ItemState::ignored : ItemState::failed;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    item.seconds = taken.count();
    if (report_) record(item);
  }

  /// True if no codec could be chosen for a file that nobody named.
  static bool is_unknown(const Item& item) {
    return item.file.is_found && item.error->codec().empty() &&
           (item.error->code() == Status::not_found || item.error->code() == Status::ambiguous);
  }

  void record(Item& item) {
    FileRecord& record = item.record;
    record.status = state_words[static_cast<int>(item.outcome)];
    if (item.outcome == ItemState::done) {
      const SourceState output = state_of(item.output);
      record.output_sha256 = output.sha256;
      record.output_bytes = output.bytes;
      record.from = version_of(item.written.from);
    }
    record.to = terms_.to;
    record.options = terms_.options;
    Json more{{"losses", losses_json(item.written.losses)},
              {"error", item.error ? to_json(*item.error) : Json()},
              {"attempts", item.attempts},
              {"seconds", item.seconds}};
    add_kept(more, item.written);
    record.text = record_line(record, more);
    report_->add(record);
  }

  static Json describe(const Item& item) {
    Json file{{"in", item.input},
              {"out", item.output},
              {"state", state_words[static_cast<int>(item.outcome)]}};
    if (item.outcome == ItemState::done) {
      file["codec"] = item.written.from;
      file["bytes"] = item.written.bytes;
    }
    add_report(file, item.written, item.written.losses, false);
    if (item.error) file["error"] = to_json(*item.error);
    return file;
  }

  mutable std::mutex versions_mutex_;
  mutable std::map<std::string, std::string> versions_;
  const Run& run_;
  const Batch& batch_;
  std::vector<Item> items_;
  Terms terms_;
  const std::string extension_;             // of the outputs
  const std::set<std::string> compressed_;  // extensions of compressions
  ConversionReport whole_;                  // but for its records
  std::optional<ReportWriter> report_;
  std::atomic<std::size_t> next_{0}, done_{0};
  Activity activity_;
};

}  // namespace

int convert_batch(const Run& run, const Batch& batch) {
  if (run.options.to.empty()) throw Error(Status::option, "--out-dir requires --to NAME");
  Converting converting(run, batch);
  converting.run();
  return converting.report();
}

}  // namespace polycodec::cli
