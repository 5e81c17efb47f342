// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/io/blob_sink_state.hpp"
#include "core/io/mapping_guard.hpp"
#include "core/io/posix_file.hpp"
#include "core/io/temporary.hpp"
#include "core/store/directory_store.hpp"
#include "core/store/owners.hpp"
#include "core/store/sinks.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

namespace {

using posix::Descriptor;

constexpr int directory_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

/// Opens the directory that holds the blob `name` below `root`, following no symbolic link; makes
/// missing directories if `make`. No descriptor: it is not there.
Descriptor open_directory_of(int root, const std::string& name, bool make) {
  Descriptor directory(::openat(root, ".", directory_flags));
  for (std::size_t at = 0, end; directory && (end = name.find('/', at)) != std::string::npos;
       at = end + 1) {
    const std::string part = name.substr(at, end - at);
    if (make && ::mkdirat(directory.get(), part.c_str(), 0777) != 0 && errno != EEXIST)
      posix::throw_errno("create the directory of", name);
    directory = Descriptor(::openat(directory.get(), part.c_str(), directory_flags));
    if (!directory && (make || errno != ENOENT)) posix::throw_errno("open the directory of", name);
  }
  return directory;
}

std::string leaf_of(const std::string& name) {
  return name.substr(name.rfind('/') + 1);  // npos + 1 is 0
}

}  // namespace

class DirectorySink::State final : public BlobSinkState {
 public:
  State(const std::filesystem::path& path, const WriteOptions& options, std::uint64_t max_bytes,
        std::shared_ptr<BlobStore> base);
  ~State() override { State::do_drop(); }

 private:
  void do_blob(const std::string& name, const std::string& owner,
               std::span<const Segment> segments) override;
  void do_finish() override;
  void do_drop() noexcept override;
  void make_temporary();
  void write(const std::string& name, std::span<const Segment> segments);
  void write_owners();
  void merge();
  void sync_directories() const;
  /// The name of a blob, for messages.
  std::string shown(const std::string& blob) const {
    return (std::filesystem::path(place_.name()) / blob).native();
  }
  posix::Place place_;
  std::filesystem::path temporary_;
  Descriptor lock_;  // of the temporary directory
  WriteOptions options_;
  std::vector<std::string> files_;
  Owners owners_;  // of those files
};

DirectorySink::DirectorySink(const std::filesystem::path& path, const WriteOptions& options,
                             std::uint64_t max_bytes, std::shared_ptr<BlobStore> base)
    : BlobSink(std::make_unique<State>(path, options, max_bytes, std::move(base))) {}

DirectorySink::State::State(const std::filesystem::path& path, const WriteOptions& options,
                            std::uint64_t max_bytes, std::shared_ptr<BlobStore> base)
    // "name/" means the same directory as "name".
    : BlobSinkState(max_bytes, std::move(base)),
      place_(path.has_filename() ? path : path.parent_path(), options.root),
      options_(options) {
  struct stat status;
  if (place_.examine(status)) {
    if (!S_ISDIR(status.st_mode)) posix::throw_errno("write the directory", place_.name(), ENOTDIR);
    // Where it leads to, so that the temporary directory is on the same disk.
    place_.resolve();
  }
  make_temporary();
}

void DirectorySink::State::make_temporary() {
  posix::remove_left_over(place_.path());
  std::string name;
  lock_ = posix::make_temporary(place_, true, name);
  temporary_ = name;
}

void DirectorySink::State::do_drop() noexcept {
  files_.clear();
  owners_.clear();
  std::error_code ignored;
  if (!temporary_.empty()) std::filesystem::remove_all(temporary_, ignored);
  temporary_.clear();
  lock_ = Descriptor();  // last: the lock keeps others from removing it meanwhile
}

void DirectorySink::State::do_blob(const std::string& name, const std::string& owner,
                                   std::span<const Segment> segments) {
  if (name == owners_file)
    throw Error(Status::denied,
                quote(name) + " may not name a blob: the directory records owners there")
        .detail("store.unsafe_name");
  write(name, segments);
  files_.push_back(name);
  if (!owner.empty()) owners_.emplace(name, owner);
}

void DirectorySink::State::write(const std::string& name, std::span<const Segment> segments) {
  if (temporary_.empty()) make_temporary();
  const Descriptor root(::open(temporary_.c_str(), directory_flags));
  if (!root) posix::throw_errno("open", temporary_.native());
  const Descriptor directory = open_directory_of(root.get(), name, true);
  const Descriptor file(::openat(directory.get(), leaf_of(name).c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!file) posix::throw_errno("create", name);
  write_descriptor(file.get(), segments, name);
  if (options_.sync && ::fsync(file.get()) != 0) posix::throw_errno("flush", name);
}

void DirectorySink::State::write_owners() {
  Owners all = std::move(owners_);
  std::shared_ptr<BlobStore> there = base();
  if (there == nullptr && std::filesystem::is_directory(place_.path()))
    there = std::make_shared<DirectoryStore>(place_.path());
  bool any = !all.empty();
  const std::set<std::string_view> written(files_.begin(), files_.end());
  if (there != nullptr)
    for (const BlobStore::Entry& entry : there->entries()) {
      any = any || !entry.owner.empty();
      if (!entry.owner.empty() && !removed().contains(entry.name) && !written.contains(entry.name))
        all.emplace(entry.name, entry.owner);
    }
  if (!any) return;
  const std::string text = to_text(all);
  const Segment segment{text.data(), text.size()};
  write(std::string(owners_file), {&segment, 1});
  // Moved first: a blob is never there without its owner.
  files_.insert(files_.begin(), std::string(owners_file));
}

void DirectorySink::State::merge() {
  const Descriptor from(::open(temporary_.c_str(), directory_flags));
  const Descriptor to(::open(place_.path().c_str(), directory_flags));
  if (!from || !to) posix::throw_errno("open", place_.name());
  // All that can be known beforehand is checked before the first file is moved.
  for (const std::string& name : files_) {
    const Descriptor directory = open_directory_of(to.get(), name, false);
    struct stat status;
    if (!directory ||
        ::fstatat(directory.get(), leaf_of(name).c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    if (S_ISDIR(status.st_mode)) posix::throw_errno("replace", name, EISDIR);
    if (!options_.overwrite && !removed().contains(name) && name != owners_file)
      posix::throw_errno("create", shown(name), EEXIST);
  }
  for (const std::string& name : files_) {
    const Descriptor source = open_directory_of(from.get(), name, false);
    const Descriptor target = open_directory_of(to.get(), name, true);
    const std::string leaf = leaf_of(name);
    if (::renameat(source.get(), leaf.c_str(), target.get(), leaf.c_str()) != 0)
      posix::throw_errno("create", shown(name));
  }
  // From here on nothing refers to them.
  const std::set<std::string_view> written(files_.begin(), files_.end());
  for (const std::string* removal : removals()) {
    const std::string& name = *removal;
    if (written.contains(name)) continue;
    const Descriptor directory = open_directory_of(to.get(), name, false);
    if (directory && ::unlinkat(directory.get(), leaf_of(name).c_str(), 0) != 0 && errno != ENOENT)
      posix::throw_errno("remove", shown(name));
  }
}

void DirectorySink::State::sync_directories() const {
  std::set<std::filesystem::path> directories{posix::directory_of(place_.path()), place_.path()};
  const auto add = [&](const std::string& name) {
    for (auto at = std::filesystem::path(name).parent_path(); !at.empty(); at = at.parent_path())
      directories.insert(place_.path() / at);
  };
  for (const std::string& name : files_) add(name);
  for (const std::string& name : removed()) add(name);
  for (const auto& directory : directories) posix::sync_directory(directory, directory.native());
}

void DirectorySink::State::do_finish() {
  posix::check_mappings();
  if (temporary_.empty()) make_temporary();
  write_owners();
  if (options_.check) options_.check(temporary_.native());
  struct stat status;
  bool is_moved = false;
  if (::lstat(place_.path().c_str(), &status) != 0) {
    is_moved = ::rename(temporary_.c_str(), place_.path().c_str()) == 0;
    if (!is_moved && errno != EEXIST && errno != ENOTEMPTY)
      posix::throw_errno("create", place_.name());
  }
  if (is_moved)
    temporary_.clear();
  else
    merge();
  if (options_.sync) sync_directories();
  do_drop();
}

}  // namespace polycodec
