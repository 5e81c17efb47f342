// SPDX-License-Identifier: MIT
#include "core/store/directory_store.hpp"

#include <base/blob_name.hpp>
#include <base/depth.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/io/blob_store_state.hpp"
#include "core/io/posix_file.hpp"
#include "core/store/owners.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>

namespace polycodec {

namespace {

using posix::Descriptor;

struct Lister {
  const std::string& label;
  std::uint32_t max_depth;
  std::uint64_t max_entries;
  std::vector<BlobStore::Entry> entries;
  std::uint64_t seen = 0;

  // Depth is that of directories on a disk, bounded by max_depth, and each level takes one
  // descriptor.
  void list(Descriptor directory, const std::string& prefix, std::uint32_t depth) {
    check_stack(depth);
    if (depth > max_depth)
      throw Error(Status::limit, quote_path(label) + " has directories nested more than " +
                                     std::to_string(max_depth) + " deep");
    const int fd = directory.get();
    DIR* stream = ::fdopendir(fd);
    if (stream == nullptr) posix::throw_errno("list", label + "/" + prefix);
    static_cast<void>(directory.release());
    const std::unique_ptr<DIR, int (*)(DIR*)> closer(stream, [](DIR* d) { return ::closedir(d); });
    for (;;) {
      errno = 0;
      const dirent* item = ::readdir(stream);
      if (item == nullptr) {
        if (errno != 0) posix::throw_errno("list", label + "/" + prefix);
        return;
      }
      const std::string_view leaf = item->d_name;
      if (leaf == "." || leaf == "..") continue;
      if (++seen > max_entries)
        throw Error(Status::limit,
                    quote_path(label) + " has more than " + std::to_string(max_entries) + " files");
      add(fd, leaf, prefix, depth);
    }
  }

  void add(int fd, std::string_view leaf, const std::string& prefix, std::uint32_t depth) {
    std::string name = prefix + std::string(leaf);
    if (blob_name_fault(name) != nullptr) return;
    struct stat status;
    const std::string path(leaf);
    if (::fstatat(fd, path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno == ENOENT) return;  // removed meanwhile
      posix::throw_errno("examine", label + "/" + name);
    }
    if (S_ISREG(status.st_mode)) {
      entries.push_back({std::move(name), static_cast<std::uint64_t>(status.st_size), {}});
    } else if (S_ISDIR(status.st_mode)) {
      Descriptor deeper(
          ::openat(fd, path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (!deeper) posix::throw_errno("open", label + "/" + name);
      list(std::move(deeper), name + "/", depth + 1);
    }
  }
};

}  // namespace

class DirectoryStore::State final : public BlobStoreState {
 public:
  State(const std::filesystem::path& path, const Limits& limits, FileAccess access,
        std::uint64_t max_entries, bool list);
  int root() const noexcept { return root_.get(); }

 private:
  std::string_view do_read(std::size_t index) override;
  std::string_view do_read_unlisted(std::string_view name) override;

  Descriptor root_;
  Limits limits_;
  FileAccess access_;
  bool listed_;
  std::mutex mutex_;  // guards all that follows
  std::map<std::string, std::unique_ptr<const posix::Content>, std::less<>> loaded_;
  std::uint64_t total_ = 0;      // bytes of all that is loaded
  std::uint64_t in_memory_ = 0;  // those that are not mapped
};

DirectoryStore::State::State(const std::filesystem::path& path, const Limits& limits,
                             FileAccess access, std::uint64_t max_entries, bool list)
    : BlobStoreState(path.native(), list ? POLYCODEC_STORE_OWNERS : POLYCODEC_STORE_UNLISTED),
      root_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
      limits_(limits),
      access_(access),
      listed_(list) {
  if (!root_) posix::throw_errno("open", path.native());
  if (!list) return;
  Descriptor again(::openat(root_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!again) posix::throw_errno("open", path.native());
  Lister lister{label(), limits.max_depth, max_entries, {}, 0};
  lister.list(std::move(again), "", 1);
  // The system's order differs from one machine to the next.
  std::sort(lister.entries.begin(), lister.entries.end(),
            [](const Entry& a, const Entry& b) { return a.name < b.name; });
  if (std::erase_if(lister.entries, [](const Entry& e) { return e.name == owners_file; }) != 0) {
    const Owners owners = owners_in(do_read_unlisted(owners_file));
    for (Entry& entry : lister.entries)
      if (const auto found = owners.find(entry.name); found != owners.end())
        entry.owner = found->second;
  }
  set_entries(std::move(lister.entries));
}

DirectoryStore::DirectoryStore(const std::filesystem::path& path, const Limits& limits,
                               FileAccess access, std::uint64_t max_entries)
    : DirectoryStore(std::make_unique<State>(path, limits, access, max_entries, true)) {}

DirectoryStore::DirectoryStore(std::unique_ptr<State> state) noexcept
    : BlobStore(std::move(state)) {}

std::shared_ptr<DirectoryStore> DirectoryStore::companions(const std::filesystem::path& directory,
                                                           const Limits& limits,
                                                           FileAccess access) {
  return std::shared_ptr<DirectoryStore>(
      new DirectoryStore(std::make_unique<State>(directory, limits, access, 0, false)));
}

bool DirectoryStore::has_file_of(const polycodec_input& source,
                                 const std::filesystem::path& name) const noexcept {
  std::uint64_t known = 0;
  if (source.file != nullptr) std::memcpy(&known, source.file->identity, sizeof known);
  struct stat status;
  const int root = static_cast<const State&>(state()).root();
  return known == 0 ||
         (::fstatat(root, name.c_str(), &status, 0) == 0 && posix::file_number(status) == known);
}

std::string_view DirectoryStore::State::do_read(std::size_t index) {
  return do_read_unlisted(entries()[index].name);
}

std::string_view DirectoryStore::State::do_read_unlisted(std::string_view name) {
  if (!listed_ && (name.front() == '.' || name.find("/.") != std::string_view::npos))
    throw Error(Status::denied,
                quote(name) + " is hidden, and hidden files are not read as companions");
  const std::lock_guard lock(mutex_);
  if (const auto found = loaded_.find(name); found != loaded_.end()) return found->second->bytes();
  int error = 0;
  const Descriptor fd = posix::open_below(root_.get(), name, error);
  if (!fd) {
    // ELOOP: a symbolic link at the end; ENOTDIR: a link, or a file, where a directory should be.
    if (error == ELOOP || error == ENOTDIR)
      throw Error(Status::denied, quote(name) + " in " + quote_path(label()) +
                                      " leads over a symbolic link or a file")
          .detail("store.not_regular");
    if (error == ENOENT && !listed_)
      throw Error(Status::not_found, "the file " + quote(name) +
                                         " beside it is missing, in the directory " +
                                         quote_path(label()))
          .detail("store.no_such_blob");
    if (error == ENOENT) throw_not_found(name);
    posix::throw_errno("open", label() + "/" + std::string(name), error);
  }
  struct stat status;
  if (::fstat(fd.get(), &status) != 0)
    posix::throw_errno("examine", label() + "/" + std::string(name));
  if (!S_ISREG(status.st_mode))
    throw Error(Status::denied,
                quote(name) + " in " + quote_path(label()) + " is not a regular file")
        .detail("store.not_regular");
  Limits rest = limits_;
  rest.max_input_bytes -= total_;
  rest.max_memory_bytes = rest.memory_for(UINT64_MAX) - in_memory_;
  auto content = posix::load(fd.get(), label() + "/" + std::string(name), rest, access_);
  const std::string_view bytes = content->bytes();
  const bool mapped = content->is_mapped();
  if (!content->is_stable()) set_unstable();
  loaded_.emplace(name, std::move(content));
  total_ += bytes.size();
  if (!mapped) in_memory_ += bytes.size();
  return bytes;
}

}  // namespace polycodec
