// SPDX-License-Identifier: MIT
#include "conversion_report.hpp"

#include <polycodec/detail/utf8_char.hpp>
#include <polycodec/quote.hpp>

#include "sha256.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace polycodec::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t report_version = 1;
constexpr const char* journal_suffix = ".journal";

[[noreturn]] void fail(const std::string& what, const std::string& path) {
  throw Error(Status::io, quote_path(path) + ": cannot " + what + " it (" +
                              std::generic_category().message(errno) + ")");
}

/// The member of a line. Throws Status::malformed if it is missing.
const Json& at(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end())
    throw Error(Status::malformed, "the member " + quote(name) + " of the line is missing");
  return *found;
}

/// Empty where it is null, or missing.
std::string member(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return {};
  if (!found->is_string()) throw Error(Status::malformed, quote(name) + " must be a string");
  return found->get<std::string>();
}

/// Zero where nobody knows it: then the member is null, or missing.
std::int64_t number(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return 0;
  if (!found->is_number_integer() ||
      (found->is_number_unsigned() && found->get<std::uint64_t>() > std::uint64_t{INT64_MAX}))
    throw Error(Status::malformed, quote(name) + " must be an integer");
  return found->get<std::int64_t>();
}

std::uint64_t count(const Json& object, const char* name) {
  const std::int64_t found = number(object, name);
  if (found < 0)
    throw Error(Status::malformed, "a count is negative (" + std::to_string(found) + ")");
  return static_cast<std::uint64_t>(found);
}

constexpr std::string_view statuses[] = {"converted", "skipped", "ignored", "failed"};

FileRecord record_of(const Json& line, std::string text) {
  FileRecord record;
  record.source = member(line, "source");
  record.output = member(line, "output");
  record.status = member(line, "status");
  if (std::ranges::find(statuses, record.status) == std::end(statuses))
    throw Error(Status::malformed, "the status " + quote(record.status) + " of " +
                                       quote_path(record.source) +
                                       " must be converted, skipped, ignored or failed");
  record.state = {count(line, "source_bytes"), number(line, "source_mtime_ns"),
                  member(line, "source_sha256")};
  record.output_sha256 = member(line, "output_sha256");
  record.output_bytes = count(line, "output_bytes");
  if (const auto codecs = line.find("codecs"); codecs != line.end()) {
    record.from = member(*codecs, "from");
    record.to = member(*codecs, "to");
  }
  if (const auto options = line.find("options"); options != line.end())
    record.options = text_of(*options);
  record.text = std::move(text);
  const auto error = line.find("error");
  if (error != line.end() && error->is_object()) record.reason = member(*error, "message");
  if (const auto losses = line.find("losses"); losses != line.end())
    for (const Json& loss : *losses) ++record.losses[member(loss, "class")];
  return record;
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

std::string end_line(const ConversionReport& report) {
  std::map<std::string, std::uint64_t> counts;
  for (const std::string_view status : statuses) counts.emplace(status, 0);
  std::uint64_t in = 0, out = 0;
  for (const auto& [name, record] : report.records) {
    ++counts[record.status];
    in += record.state.bytes;
    out += record.output_bytes;
  }
  Json summary = Json::object();
  for (const auto& [status, count] : counts) summary[status] = count;
  summary["files"] = report.records.size();
  summary["source_bytes"] = in;
  summary["output_bytes"] = out;
  return text_of(Json{{"summary", std::move(summary)}});
}

Shard shard_of(std::uint64_t number, std::uint64_t count) {
  if (number == 0 || number > count || count > UINT32_MAX)
    throw Error(Status::malformed, "the shard is " + std::to_string(number) + " of " +
                                       std::to_string(count) +
                                       ", which cannot be: it is I of N with 1 <= I <= N < 2^32");
  return {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(count)};
}

/// Opens the journal at `path`, where others may have put a link to a file of this user.
Descriptor open_journal(const std::string& path) {
  constexpr int flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  Descriptor file(::open(path.c_str(), flags, 0666));
  struct stat status {};
  if (!file && errno != ELOOP) fail("write", path);
  if (file && ::fstat(file.get(), &status) != 0) fail("examine", path);
  if (!file || !S_ISREG(status.st_mode) || status.st_nlink > 1)
    throw Error(Status::denied, quote_path(path) +
                                    ": it is a link or no regular file, and the journal of a "
                                    "report is not written there; remove it, or name another "
                                    "report");
  return file;
}

/// Reads the lines of a report or of a journal. Those of a journal may be torn.
ConversionReport read_lines(const Source& source, const std::string& path, bool is_journal) {
  ConversionReport report;
  std::size_t number_of_line = 0;
  for (std::string_view rest = source.bytes(); !rest.empty();) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    ++number_of_line;
    try {
      const Json object = parse_json(line);
      if (object.contains("source")) {
        FileRecord record = record_of(object, std::string(line));
        report.records.insert_or_assign(record.source, std::move(record));
      } else if (object.contains("summary")) {
        report.is_complete = true;
      } else if (count(object, "report") == report_version) {
        report.job = member(object, "job");
        report.sources = count(object, "sources");
        report.options = text_of(at(object, "options"));
        const Json& shard = at(object, "shard");
        report.shard = shard_of(count(shard, "number"), count(shard, "count"));
      } else {
        throw Error(Status::malformed, "it is not a line of a report of version 1");
      }
    } catch (const Error& e) {
      if (is_journal) continue;  // the process ended while it wrote the line
      throw Error(e.code(), path + ":" + std::to_string(number_of_line) + ": " + e.message());
    }
  }
  if (!is_journal && report.job.empty())
    throw Error(Status::malformed,
                quote_path(path) + ": it is not a report; name a file that convert --report wrote");
  return report;
}

/// The SHA-256 digest of all of an open file.
std::string digest_of(const Descriptor& file, const std::string& path) {
  Sha256 hash;
  std::vector<char> block(std::size_t{1} << 16);
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(file.get(), block.data(), block.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", path);
    if (got == 0) return hash.finish();
    hash.update({block.data(), static_cast<std::size_t>(got)});
    at += got;
  }
}

/// True if the first line of a file that has text begins with `start`.
bool begins_with(const std::string& path, std::string_view start) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  char bytes[64];
  const ssize_t got = file ? ::read(file.get(), bytes, sizeof bytes) : 0;
  std::string_view text(bytes, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
  return text.starts_with(start);
}

bool is_there(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0;
}

}  // namespace

SourceState state_of(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0) fail("read", path);
  if (S_ISDIR(status.st_mode))
    return {};  // a store of many files: nothing says that it is the same
  return {static_cast<std::uint64_t>(status.st_size),
          std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec,
          digest_of(file, path)};
}

Json losses_json(const std::vector<Loss>& losses) {
  static constexpr const char* classes[POLYCODEC_LOSS_COUNT] = {"note", "type", "data", "retyped",
                                                                "mended"};
  Json all = Json::array();
  for (const Loss& loss : losses)
    all.push_back({{"class", classes[static_cast<std::int32_t>(loss.loss_class)]},
                   {"path", loss.path},
                   {"what", loss.what}});
  return all;
}

std::string record_line(const FileRecord& record, const Json& more) {
  const bool is_known = !record.state.sha256.empty(), is_written = !record.output_sha256.empty();
  Json line{{"source", record.source},
            {"output", text_or_null(record.output)},
            {"status", record.status},
            {"source_bytes", record.state.bytes},
            {"source_mtime_ns", is_known ? Json(record.state.mtime_ns) : Json()},
            {"source_sha256", text_or_null(record.state.sha256)},
            {"output_sha256", text_or_null(record.output_sha256)},
            {"output_bytes", is_written ? Json(record.output_bytes) : Json()},
            {"codecs", {{"from", text_or_null(record.from)}, {"to", record.to}}},
            {"options", parse_json(record.options)}};
  line.update(more);
  return text_of(line);
}

std::string ConversionReport::text() const {
  std::string all = text_of(Json{{"report", report_version},
                                 {"job", job},
                                 {"shard", {{"number", shard.number}, {"count", shard.count}}},
                                 {"sources", sources},
                                 {"options", parse_json(options)}}) +
                    "\n";
  for (const auto& [name, record] : records) all += record.text + "\n";
  return all + end_line(*this) + "\n";
}

std::string job_of(const Terms& terms, const std::vector<InputFile>& files) {
  Sha256 hash;
  const auto add = [&](const std::string& text) { hash.update({text.c_str(), text.size() + 1}); };
  add(terms.to);
  add(terms.options);
  for (const InputFile& file : files) add(name_in_report(file.name));
  return hash.finish();
}

std::string name_in_report(const std::string& name) {
  if (detail::is_utf8(name)) return name;
  std::string shown;
  append_escaped(shown, name, 0, Letters::all, name.size());
  return shown;
}

void keep_report_apart(const std::string& path, std::vector<InputFile>& files,
                       const std::vector<std::string>& outputs) {
  struct Own {
    std::string path;
    std::string_view start;  // of the first line that is not empty
    fs::path canonical;
    struct stat status;
    bool exists;
  };
  std::vector<Own> own{{path, "{\"report\":", {}, {}, false},
                       {path + journal_suffix, "{\"source\":", {}, {}, false}};
  std::error_code absent;
  for (Own& one : own) {
    one.exists = ::stat(one.path.c_str(), &one.status) == 0;
    one.canonical = fs::weakly_canonical(one.path, absent);
    if (one.exists && S_ISDIR(one.status.st_mode))
      throw Error(Status::option,
                  "--report: " + quote_path(one.path) + " is a directory; name a file");
  }
  const auto refuse = [](const Own& one, const std::string& other) {
    throw Error(Status::option, "--report: " + quote_path(one.path) + " would be written over " +
                                    quote_path(other) + "; name another file");
  };
  for (const std::string& output : outputs)
    for (const Own& one : own)
      if (fs::path(output).filename() == one.canonical.filename() &&
          fs::weakly_canonical(output, absent) == one.canonical)
        refuse(one, output);
  std::erase_if(files, [&](const InputFile& file) {
    for (const Own& one : own) {
      struct stat status {};
      if (!one.exists || ::stat(file.path.c_str(), &status) != 0 ||
          status.st_ino != one.status.st_ino || status.st_dev != one.status.st_dev)
        continue;
      if (file.is_found && (status.st_size == 0 || begins_with(one.path, one.start))) return true;
      refuse(one, file.path);
    }
    return false;
  });
}

ConversionReport read_report(const std::string& path) {
  return read_lines(Source::file(path), path, false);
}

ConversionReport merge_reports(const std::vector<std::string>& paths) {
  ConversionReport whole;
  std::map<std::uint32_t, std::string> parts;
  for (const std::string& path : paths) {
    ConversionReport part = read_report(path);
    const auto refuse = [&](const std::string& why) {
      throw Error(Status::option, quote_path(path) + ": " + why);
    };
    if (!part.is_complete) refuse("its last line is missing; run this part again with --resume");
    if (!parts.empty() && (part.job != whole.job || part.shard.count != whole.shard.count))
      refuse("it is of another run than " + quote_path(parts.begin()->second) +
             ": files, options and number of parts must be the same");
    const auto [other, added] = parts.emplace(part.shard.number, path);
    if (!added)
      refuse("part " + std::to_string(part.shard.number) + " is there twice, also as " +
             quote_path(other->second));
    part.records.merge(whole.records);
    whole = std::move(part);
  }
  std::string missing;
  for (std::uint32_t i = 1; i <= whole.shard.count; ++i)
    if (!parts.contains(i)) missing += (missing.empty() ? "" : ", ") + std::to_string(i);
  if (!missing.empty())
    throw Error(Status::option, "reports are missing (parts " + missing + " of " +
                                    std::to_string(whole.shard.count) +
                                    "): name those of all parts");
  if (whole.records.size() != whole.sources)
    throw Error(Status::option, "files are missing (" + std::to_string(whole.records.size()) +
                                    " of " + std::to_string(whole.sources) +
                                    "): two files have one name, or a report was changed");
  whole.shard = {};
  return whole;
}

ReportWriter::ReportWriter(std::string path, bool resumes)
    : path_(std::move(path)), journal_(path_ + journal_suffix), file_(open_journal(journal_)) {
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0)
    throw Error(Status::io,
                quote_path(path_) + ": another run writes this report; name another one");
  if (!resumes) {
    if (::ftruncate(file_.get(), 0) != 0) fail("write", journal_);
    return;
  }
  if (is_there(path_)) earlier_ = read_report(path_).records;
  const Source journal = Source::descriptor(file_.get(), {.name = journal_});
  for (auto& [name, record] : read_lines(journal, journal_, true).records)
    earlier_.insert_or_assign(name, std::move(record));
}

const FileRecord* ReportWriter::earlier(const std::string& source) const {
  const auto found = earlier_.find(source);
  return found == earlier_.end() ? nullptr : &found->second;
}

void ReportWriter::add(FileRecord record) {
  const std::scoped_lock lock(mutex_);
  // An end of line goes first, too: a torn line of an earlier run must not take this one along.
  const std::string line = "\n" + record.text + "\n";
  if (::write(file_.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    fail("write", journal_);
  added_.insert_or_assign(record.source, std::move(record));
}

void ReportWriter::finish(const Run& run, ConversionReport report) {
  report.records = std::move(added_);
  run.registry().write_bytes(report.text(), path_);
  ::unlink(journal_.c_str());
}

}  // namespace polycodec::cli
