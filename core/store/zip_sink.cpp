// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/io/atomic_file.hpp"
#include "core/io/blob_sink_state.hpp"
#include "core/store/checksum.hpp"
#include "core/store/sinks.hpp"
#include "core/store/zip_members.hpp"
#include "core/store/zip_records.hpp"
#include "core/store/zip_store.hpp"

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
        archive_(new Archive(path, options)) {
    if (this->base() != nullptr && changed() == nullptr)
      throw Error(Status::unsupported, "cannot change a store of another format to " +
                                           quote_path(path.native()) +
                                           ": a change keeps the format; create a new archive");
  }

 private:
  struct Archive {
    AtomicFile file;
    std::vector<std::string> directory;  // its entries
    std::uint64_t end = 0;               // size of the file so far

    Archive(const std::filesystem::path& path, const WriteOptions& options) : file(path, options) {}
  };
  const ZipStore* changed() const noexcept { return dynamic_cast<const ZipStore*>(base().get()); }
  void copy(const zip::Member& member);
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
    record.crc = crc32_shared(record.crc, segment.data, segment.size);
    record.size += segment.size;
  }
  const std::string header = zip::local_header(record);
  std::vector<Segment> all{{header.data(), header.size()}};
  all.insert(all.end(), segments.begin(), segments.end());
  archive_->file.write(all);
  archive_->end += header.size() + record.size;
  archive_->directory.push_back(zip::directory_entry(record));
}

void ZipSink::State::copy(const zip::Member& member) {
  if (zip::is_own(member)) {  // written anew, so that it is aligned at its new place
    const std::string_view content = base()->read(member.name);
    const Segment segment{content.data(), content.size()};
    return do_blob(member.name, base()->find(member.name)->owner,
                   {&segment, content.empty() ? 0u : 1u});
  }
  const Segment segment{member.local.data(), member.local.size()};
  archive_->file.write({&segment, 1});
  archive_->directory.push_back(zip::moved_entry(member, archive_->end));
  archive_->end += member.local.size();
}

void ZipSink::State::do_finish() {
  if (archive_ == nullptr) archive_ = std::make_unique<Archive>(path_, options_);
  // What stays is copied last, when all that goes is known, and is listed first, where it was.
  auto& entries = archive_->directory;
  const auto added = static_cast<std::ptrdiff_t>(entries.size());
  std::string_view comment;
  if (const ZipStore* const old = changed()) {
    for (const zip::Member& member : old->members())
      if (!removed().contains(member.name)) copy(member);
    comment = old->comment();
  }
  std::rotate(entries.begin(), entries.begin() + added, entries.end());
  std::string directory;
  for (const std::string& entry : entries) directory += entry;
  directory += zip::end_records(entries.size(), directory.size(), archive_->end, comment);
  const Segment segment{directory.data(), directory.size()};
  archive_->file.write({&segment, 1});
  archive_->file.commit();
  archive_.reset();
}

}  // namespace polycodec
