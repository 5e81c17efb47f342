// SPDX-License-Identifier: MIT
#include "registry/load/module_cache.hpp"

#include <base/sha256.hpp>
#include <polycodec/error.hpp>

#include "core/io/atomic_file.hpp"
#include "core/io/posix_file.hpp"
#include "core/io/process.hpp"

#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

namespace polycodec {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t digest_size = 64;
constexpr std::uint64_t most_code = std::uint64_t{256} << 20;
/// What all files of a directory have.
constexpr std::uint64_t most_kept = std::uint64_t{1} << 30;
constexpr const char* suffix = ".cwasm";

/// What the code may have been compiled for. The runtime checks that, too: this keeps machines that
/// share a directory from replacing each other's code.
std::string processor() {
  std::string text;
  const auto add = [&](std::uint64_t word) { text += ' ' + std::to_string(word); };
#ifdef __x86_64__
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) != 0) add(c), add(d);  // b has the number of this core
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) != 0) add(b), add(c), add(d);
#endif
  add(::getauxval(AT_HWCAP)), add(::getauxval(AT_HWCAP2));
  return text;
}

}  // namespace

std::string identity_of(const FileHandle& file) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0)
    throw Error(Status::io, std::generic_category().message(errno));
  std::string text;
  for (const auto word :
       {static_cast<std::int64_t>(posix::file_number(status)), std::int64_t{status.st_size},
        std::int64_t{status.st_mtim.tv_sec}, std::int64_t{status.st_mtim.tv_nsec}})
    text += std::to_string(word) + " ";
  return text;
}

void ModuleCache::prepare() {
  if (directory_.empty() || is_privileged()) return;
  // One level is made, for its user alone.
  if (::mkdir(directory_.c_str(), 0700) != 0 && errno != EEXIST)
    return warn(std::generic_category().message(errno));
  std::error_code missing;
  const fs::path canonical = posix::canonical(directory_, missing);
  const std::string problem =
      missing ? missing.message() : PathTrust({}).directory_problem(canonical);
  if (!problem.empty()) return warn(problem);
  directory_ = canonical;
  name_ =
      sha256("polycodec " POLYCODEC_VERSION " " + sha256(module_) + " " + runtime_ + processor()) +
      suffix;
}

void ModuleCache::warn(const std::string& text) const {
  if (log_)
    log_(POLYCODEC_LOG_WARNING, "registry",
         "policy.wasm_cache: " + (directory_ / name_).string() + ": " + text +
             "; the module is compiled");
}

/// Of a file for this module alone: a file under the name of another one is a damaged file.
std::string ModuleCache::digest_of(std::string_view code) const {
  Sha256 hash;
  hash.update(name_.data(), name_.size());
  hash.update(code.data(), code.size());
  return hash.finish();
}

std::string ModuleCache::find() {
  prepare();
  if (!is_on()) return {};
  const fs::path wanted = directory_ / name_;
  struct stat found {};
  if (::lstat(wanted.c_str(), &found) != 0) return {};
  fs::path path;
  std::string problem, text;
  const FileHandle file = PathTrust({}).open(directory_, name_, path, problem);
  if (file.is_open()) {
    const int error = posix::append_rest(file.get(), text, most_code, std::size_t{1} << 20);
    if (error != 0)
      problem = std::generic_category().message(error);
    else if (text.size() < digest_size ||
             text.substr(0, digest_size) != digest_of(std::string_view(text).substr(digest_size)))
      problem = "it is damaged";
  }
  if (problem.empty()) {
    ::futimens(file.get(), nullptr);  // it was used
    return text.substr(digest_size);
  }
  reject(problem);
  return {};
}

void ModuleCache::reject(const std::string& why) {
  warn(why);
  // A new file would take its permissions.
  ::unlink((directory_ / name_).c_str());
}

void ModuleCache::keep(std::string_view code) {
  if (!is_on() || code.size() > most_code - digest_size) return;
  try {
    AtomicFile file((directory_ / name_).string());
    const std::string digest = digest_of(code);
    const Segment segments[] = {{digest.data(), digest.size()}, {code.data(), code.size()}};
    file.write(segments);
    if (::fchmod(file.descriptor(), 0600) != 0)
      throw Error(Status::io, std::generic_category().message(errno));
    file.commit();
    shrink();
  } catch (const Error& e) {
    warn(e.message());
  }
}

void ModuleCache::shrink() const {
  struct Kept {
    fs::file_time_type used;
    std::uint64_t size;
    fs::path path;
  };
  std::vector<Kept> all;
  std::uint64_t total = 0;
  std::error_code error;
  for (fs::directory_iterator i(directory_, error), end; !error && i != end; i.increment(error)) {
    if (i->path().extension() != suffix || i->path().filename() == name_) continue;
    std::error_code gone;  // another process may have removed it
    const Kept kept{i->last_write_time(gone), gone ? 0 : i->file_size(gone), i->path()};
    if (gone) continue;
    total += kept.size;
    all.push_back(kept);
  }
  std::ranges::sort(all, {}, &Kept::used);
  for (const Kept& kept : all) {
    if (total <= most_kept) return;
    if (fs::remove(kept.path, error)) total -= kept.size;
  }
}

}  // namespace polycodec
