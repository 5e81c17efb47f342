// SPDX-License-Identifier: MIT
#include "registry/load/manifest_cache.hpp"

#include <base/hex.hpp>
#include <base/sha256.hpp>
#include <polycodec/bytes.hpp>
#include <polycodec/error.hpp>
#include <polycodec/frames.hpp>

#include "core/io/atomic_file.hpp"
#include "core/io/posix_file.hpp"
#include "core/store/checksum.hpp"
#include "registry/config/schema.hpp"
#include "registry/load/path_check.hpp"
#include "registry/load/search_path.hpp"

#include <time.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

namespace polycodec {
namespace {

namespace fs = std::filesystem;

/// A file that changes within the grain of its time stamps can change unseen.
constexpr std::int64_t settled_after = 2'000'000'000;
constexpr std::uint64_t most_cache_bytes = std::uint64_t{256} << 20;

/// The beginning of the file. The sizes of the frames follow it, and then the frames.
struct CacheHead {
  std::array<char, 8> magic{'P', 'C', 'M', 'A', 'N', '1', '\r', '\n'};
  std::uint32_t checksum = 0;  // of all that follows the head
  std::uint32_t frames = 0;
};

std::int64_t since_epoch(const timespec& time) noexcept {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// What manifests of this library may say: another version has other rules.
std::string manifest_rules() {
  const std::string_view schema = manifest_schema();
  return POLYCODEC_VERSION " " + std::to_string(crc32(0, schema.data(), schema.size()));
}

std::string cache_directory() {
  const auto named = [](const char* name) {
    const char* const value = trusted_environment(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
  if (const auto own = named("POLYCODEC_CACHE_DIR")) return *own;
  if (const auto caches = named("XDG_CACHE_HOME"); caches && caches->starts_with('/'))
    return *caches + "/polycodec";
  if (const auto home = named("HOME"); home && home->starts_with('/'))
    return *home + "/.cache/polycodec";
  return {};
}

/// The content of a file of this user, whom nobody can have helped to write it; else empty.
std::string own_file(const fs::path& path) {
  std::error_code missing;
  const fs::path directory = posix::canonical(path.parent_path(), missing);
  const PathTrust trust({});
  if (missing || !trust.directory_problem(directory).empty()) return {};
  fs::path opened;
  std::string problem;
  const FileHandle file = trust.open(directory, path.filename(), opened, problem);
  struct stat status {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0 || status.st_uid != ::geteuid() ||
      status.st_size <= 0 || static_cast<std::uint64_t>(status.st_size) > most_cache_bytes)
    return {};
  const auto size = static_cast<std::size_t>(status.st_size);
  std::string bytes;
  // Twice the room is never touched, but malloc() learns of it to keep the memory of a catalog for
  // the next one (M_TRIM_THRESHOLD). One step shows a longer file, too.
  bytes.reserve(2 * size);
  const bool failed = posix::append_rest(file.get(), bytes, size - 1, size + 1) != 0;
  return failed || bytes.size() != size ? std::string() : bytes;
}

/// The value in the file. Throws Error if it is not what was written.
Value cached_value(std::string bytes) {
  const auto owner = std::make_shared<const std::string>(std::move(bytes));
  std::string_view rest = *owner;
  CacheHead head;
  const CacheHead wanted;
  const auto damaged = [] { return Error(Status::malformed, "the cache is damaged"); };
  if (rest.size() < sizeof head) throw damaged();
  std::memcpy(&head, rest.data(), sizeof head);
  rest.remove_prefix(sizeof head);
  if (head.magic != wanted.magic || head.checksum != crc32(0, rest.data(), rest.size()) ||
      head.frames == 0 || head.frames > rest.size() / sizeof(std::uint64_t))
    throw damaged();
  std::string_view sizes = rest.substr(0, head.frames * sizeof(std::uint64_t));
  rest.remove_prefix(sizes.size());
  std::vector<Segment> frames;
  for (; !sizes.empty(); sizes.remove_prefix(sizeof(std::uint64_t))) {
    std::uint64_t size = 0;
    std::memcpy(&size, sizes.data(), sizeof size);
    if (size > rest.size()) throw damaged();
    frames.push_back({rest.data(), static_cast<std::size_t>(size)});
    rest.remove_prefix(static_cast<std::size_t>(size));
  }
  const std::string_view header = to_string_view(frames[0].data, frames[0].size);
  return from_frames(header, std::span(frames).subspan(1), owner);
}

}  // namespace

FileStamp::FileStamp(const struct stat& status) noexcept
    : device(status.st_dev),
      inode(status.st_ino),
      size(static_cast<std::uint64_t>(status.st_size)),
      modified(since_epoch(status.st_mtim)),
      changed(since_epoch(status.st_ctim)) {}

std::string ManifestCache::path_for(const fs::path& directory) {
  const std::string cache = cache_directory();
  if (cache.empty() || !cache.starts_with('/')) return {};
  Sha256 hash;
  const std::string about = directory.native() + '\n' + manifest_rules();
  hash.update(about.data(), about.size());
  return cache + "/manifests-" + hash.finish().substr(0, 32);
}

ManifestCache::ManifestCache(std::string path, const fs::path& directory)
    : path_(std::move(path)), directory_(directory.native()) {
  if (path_.empty()) return;
  try {
    read(path_);
  } catch (const Error& e) {
    if (e.code() == Status::memory) throw;
    known_.clear();
  }
}

void ManifestCache::read(const std::string& path) {
  std::string bytes = own_file(path);
  if (bytes.empty()) return;
  const auto all = std::make_shared<const Value>(cached_value(std::move(bytes)));
  const NodeView root = all->view();
  if (root.at("rules").as_string() != manifest_rules() ||
      root.at("directory").as_string() != directory_)
    return;
  const NodeView files = root.at("files");
  known_.reserve(files.size());
  for (std::uint64_t i = 0; i < files.size(); ++i) {
    const NodeView file = files[i];
    Entry entry;
    entry.stamp.device = file[1].as_uint64();
    entry.stamp.inode = file[2].as_uint64();
    entry.stamp.size = file[3].as_uint64();
    entry.stamp.modified = file[4].as_int64();
    entry.stamp.changed = file[5].as_int64();
    entry.document = file[6];
    entry.owner = all;
    known_.insert_or_assign(std::string(file[0].as_string()), std::move(entry));
  }
}

std::optional<Value> ManifestCache::find(const std::string& name, const FileStamp& stamp) {
  const auto at = known_.find(name);
  if (at == known_.end() || at->second.stamp != stamp) return std::nullopt;
  used_.push_back(name);
  Value document;
  document.pin(at->second.owner);
  document.set_root(at->second.document.raw());
  return document;
}

void ManifestCache::add(const std::string& name, const FileStamp& stamp,
                        std::shared_ptr<const Value> document) {
  timespec now{};
  if (path_.empty() || ::clock_gettime(CLOCK_REALTIME, &now) != 0 ||
      since_epoch(now) - stamp.changed < settled_after)
    return;
  ++added_;
  used_.push_back(name);
  const NodeView root = document->view();
  known_.insert_or_assign(name, Entry{stamp, root, std::move(document)});
}

Value ManifestCache::whole() const {
  return Value::build([&](Builder& out) {
    auto files = out.list();
    for (const std::string& name : used_) {
      const Entry& entry = known_.at(name);
      auto file = out.list();
      file.push(Builder::string_view(name));
      file.push(Builder::unsigned_integer(entry.stamp.device));
      file.push(Builder::unsigned_integer(entry.stamp.inode));
      file.push(Builder::unsigned_integer(entry.stamp.size));
      file.push(Builder::integer(entry.stamp.modified));
      file.push(Builder::integer(entry.stamp.changed));
      file.push(*entry.document.raw());
      files.push(file);
    }
    return out.object({{"rules", out.string_copy(manifest_rules())},
                       {"directory", Builder::string_view(directory_)},
                       {"files", files}});
  });
}

void ManifestCache::write() const noexcept try {
  if (path_.empty() || added_ == 0) return;
  const Value value = whole();
  const Frames frames = to_frames(value);
  std::vector<Segment> parts{{frames.header.data(), frames.header.size()}};
  parts.insert(parts.end(), frames.buffers.begin(), frames.buffers.end());
  std::vector<std::uint64_t> sizes;
  for (const Segment& part : parts) sizes.push_back(part.size);
  parts.insert(parts.begin(), {sizes.data(), sizes.size() * sizeof sizes[0]});
  CacheHead head;
  head.frames = static_cast<std::uint32_t>(sizes.size());
  for (const Segment& part : parts) head.checksum = crc32(head.checksum, part.data, part.size);
  parts.insert(parts.begin(), {&head, sizeof head});

  const fs::path directory = fs::path(path_).parent_path();
  std::error_code missing;
  fs::create_directories(directory.parent_path(), missing);
  ::mkdir(directory.c_str(), 0700);
  // What others may write to is not read either.
  if (!PathTrust({}).directory_problem(posix::canonical(directory, missing)).empty()) return;
  AtomicFile file(path_);
  if (::fchmod(file.descriptor(), 0600) != 0) return;
  file.write(parts);
  file.commit();
} catch (const std::exception&) {
  // The next process reads the manifests themselves, as this one did.
}

}  // namespace polycodec
