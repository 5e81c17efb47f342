// SPDX-License-Identifier: MIT
// The report of a conversion of many files: JSON lines that say what became of each file, so that
// a later run can leave out what is done, and parts of a run can be put together.
#pragma once

#include "common/run.hpp"
#include "file_list.hpp"
#include "terms.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace polycodec::cli {

/// What a file was when it was read.
struct SourceState {
  std::uint64_t bytes = 0;
  std::int64_t mtime_ns = 0;
  std::string sha256;
  bool operator==(const SourceState&) const = default;
};

/// The state of a file. Throws Status::io.
SourceState state_of(const std::string& path);

/// What became of one file: a line of a report.
struct FileRecord {
  std::string source;  ///< the file's name (see InputFile)
  std::string output;  ///< below the directory of the outputs
  std::string status;  ///< converted, skipped (it was done), ignored (of no known format) or failed
  SourceState state;
  std::string output_sha256;
  std::uint64_t output_bytes = 0;
  std::string from, to;  ///< codecs and versions
  std::string options;   ///< see Terms
  std::string text;      ///< the line, without its end
  std::string reason;    ///< why it failed; this and the next are set by read_report() alone
  std::map<std::string, std::uint64_t> losses;  ///< how many there are of each class
};

/// What was lost, as [{"class", "path", "what"}].
Json losses_json(const std::vector<Loss>& losses);

/// The line of a file. `more` has the members that only users and other programs read: losses,
/// error, attempts, seconds.
std::string record_line(const FileRecord& record, const Json& more);

/// A report as it lies in a file.
struct ConversionReport {
  std::string job;  ///< digest of the terms and of all names: the same for all parts of a run
  Shard shard;
  std::uint64_t sources = 0;  ///< files of the whole run
  std::string options;        ///< see Terms
  bool is_complete = false;   ///< the last line is there
  std::map<std::string, FileRecord> records;

  std::string text() const;
};

/// The digest of the terms and of the names of all files of a run.
std::string job_of(const Terms& terms, const std::vector<InputFile>& files);

/// A name as reports have it: bytes that are not UTF-8 as \xNN.
std::string name_in_report(const std::string& name);

/// Takes the report at `path` and its journal, as an earlier run left them, out of `files`. Throws
/// Status::option if one of them has the place of another file, or of one of the `outputs` to be.
void keep_report_apart(const std::string& path, std::vector<InputFile>& files,
                       const std::vector<std::string>& outputs);

/// Reads a report. Throws Status::malformed with the line, and Status::io.
ConversionReport read_report(const std::string& path);

/// Puts the reports of all parts of a run together. Throws Status::option if one is missing, there
/// twice, not complete, or of another run.
ConversionReport merge_reports(const std::vector<std::string>& paths);

/// The report of a run that continues. Each line is in a journal beside the report when add()
/// returns: a later run reads what an interrupted one has done. The report itself is written at the
/// end, in one piece, and the journal is removed.
class ReportWriter {
 public:
  /// Waits for no other run: throws Status::io if one writes this report, and Status::denied if the
  /// journal is a link or no file of its own. `resumes`: keep what an earlier run has written.
  ReportWriter(std::string path, bool resumes);

  /// What an earlier run wrote of this file, or null.
  const FileRecord* earlier(const std::string& source) const;
  /// [thread-safe]
  void add(FileRecord record);
  /// Writes the report with all that was added.
  void finish(const Run& run, ConversionReport report);

 private:
  std::string path_, journal_;
  Descriptor file_;
  std::map<std::string, FileRecord> earlier_, added_;
  std::mutex mutex_;
};

}  // namespace polycodec::cli
