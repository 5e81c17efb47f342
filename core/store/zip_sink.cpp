// SPDX-License-Identifier: MIT
#include <base/quote.hpp>
#include <polycodec/error.hpp>

#include "core/io/atomic_file.hpp"
#include "core/store/blob_sink_state.hpp"
#include "core/store/checksum.hpp"
#include "core/store/sinks.hpp"
#include "core/store/zip_records.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace polycodec {

class ZipSink::State final : public BlobSinkState {
 public:
  State(const std::filesystem::path& path, const WriteOptions& options, std::uint64_t max_bytes,
        std::shared_ptr<BlobStore> base)
      : BlobSinkState(max_bytes, std::move(base)),
        path_(path),
        options_(options),
        archive_(new Archive(path, options)) {}

 private:
  struct Archive {
    AtomicFile file;
    std::vector<zip::Record> records;
    std::uint64_t end = 0;  // size of the file so far

    Archive(const std::filesystem::path& path, const WriteOptions& options) : file(path, options) {}
  };
  void do_blob(const std::string& name, const std::string& owner,
               std::span<const Segment> segments) override;
  void do_finish() override;
  void do_drop() noexcept override { archive_.reset(); }

  std::filesystem::path path_;
  WriteOptions options_;
  std::unique_ptr<Archive> archive_;
};

ZipSink::ZipSink(const std::filesystem::path& path, const WriteOptions& options,
                 std::uint64_t max_bytes, std::shared_ptr<BlobStore> base)
    : BlobSink(std::make_unique<State>(path, options, max_bytes, std::move(base))) {}

void ZipSink::State::do_blob(const std::string& name, const std::string& owner,
                             std::span<const Segment> segments) {
  if (archive_ == nullptr) archive_ = std::make_unique<Archive>(path_, options_);
  if (owner.size() > zip::max_owner_bytes)
    throw Error(Status::invalid, "the owner of " + quote(name) + " has " +
                                     std::to_string(owner.size()) + " bytes: must be at most " +
                                     std::to_string(zip::max_owner_bytes));
  zip::Record record{name, 0, 0, archive_->end, owner};
  for (const Segment& segment : segments) {
    record.crc = crc32(record.crc, segment.data, segment.size);
    record.size += segment.size;
  }
  const std::string header = zip::local_header(record);
  std::vector<Segment> all{{header.data(), header.size()}};
  all.insert(all.end(), segments.begin(), segments.end());
  archive_->file.write(all);
  archive_->end += header.size() + record.size;
  archive_->records.push_back(std::move(record));
}

void ZipSink::State::do_finish() {
  if (archive_ == nullptr) archive_ = std::make_unique<Archive>(path_, options_);
  // What stays is copied last, when all that goes is known, and is listed first, where it was.
  auto& records = archive_->records;
  const auto added = static_cast<std::ptrdiff_t>(records.size());
  copy_base();
  std::rotate(records.begin(), records.begin() + added, records.end());
  const std::string directory = zip::directory(archive_->records, archive_->end);
  const Segment segment{directory.data(), directory.size()};
  archive_->file.write({&segment, 1});
  archive_->file.commit();
  archive_.reset();
}

}  // namespace polycodec
