// SPDX-License-Identifier: MIT
#include "file_list.hpp"

#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "common/program.hpp"
#include "sha256.hpp"

#include <fcntl.h>
#include <fnmatch.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

namespace polycodec::cli {
namespace {

namespace fs = std::filesystem;

class Searching {
 public:
  explicit Searching(const FileSearch& search) : search_(search) {
    std::error_code absent;
    for (const std::string& output : search.outputs)
      if (const fs::path path = fs::weakly_canonical(output, absent); !absent)
        outputs_.push_back(path);
  }

  void search(const std::string& top) {
    // What is found is sorted: directories are not searched in the order of full names.
    const auto begin = static_cast<std::ptrdiff_t>(found.size());
    std::error_code absent;
    top_ = fs::canonical(top, absent);
    open_ =
        std::make_shared<const Descriptor>(::open(top_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!*open_) throw_errno("open", top);
    std::vector<std::string> directories{""};
    while (!directories.empty()) {
      const std::string below = std::move(directories.back());
      directories.pop_back();
      look_into(top, below, directories);
    }
    std::ranges::sort(found.begin() + begin, found.end(), {}, &InputFile::name);
  }

  std::vector<InputFile> found;

 private:
  void look_into(const fs::path& top, const std::string& below,
                 std::vector<std::string>& directories) {
    const fs::path directory = top / below;
    std::error_code problem;
    const std::vector<std::string> names = names_in(directory, problem);
    if (problem)
      throw Error(Status::io,
                  quote_path(directory.string()) + ": cannot read it (" + problem.message() + ")");
    for (const std::string& part : names) {
      if (part.starts_with('.')) continue;
      const fs::path path = directory / part;
      const std::string name = below.empty() ? part : below + "/" + part;
      std::error_code absent;
      const fs::file_status status = fs::symlink_status(path, absent);
      if (fs::is_directory(status)) {
        if (!is_output(path)) directories.push_back(name);
      } else if (is_wanted(name) && !is_output(path)) {
        if (fs::is_regular_file(status))
          found.push_back({path.string(), name, true, {}, open_, name});
        else if (fs::is_symlink(status))
          add_link(path, name);
      }
    }
  }

  void add_link(const fs::path& path, const std::string& name) {
    std::error_code problem;
    const fs::path target = fs::canonical(path, problem);
    if (problem)
      return found.push_back({path.string(), name, true,
                              "it is a symbolic link that leads nowhere (" + problem.message() +
                                  "); remove it, or leave it out with --exclude"});
    if (!fs::is_regular_file(target, problem)) return;
    const auto [differ, rest] = std::ranges::mismatch(top_, target);
    const bool is_inside = differ == top_.end() && !top_.empty();
    found.push_back({path.string(), name, true,
                     is_inside ? std::string()
                               : "it is a symbolic link that leads out of the directory (" +
                                     quote_path(target.string()) +
                                     "); name that file, or leave the link out with --exclude",
                     open_, target.lexically_relative(top_).string()});
  }

  bool is_output(const fs::path& path) const {
    const auto has_name = [&](const fs::path& output) {
      return output.filename() == path.filename();
    };
    if (std::ranges::none_of(outputs_, has_name)) return false;
    std::error_code absent;
    return std::ranges::find(outputs_, fs::weakly_canonical(path, absent)) != outputs_.end();
  }

  bool is_wanted(const std::string& name) const {
    const auto fits = [&](const std::string& pattern) {
      return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
    };
    return (search_.include.empty() || std::ranges::any_of(search_.include, fits)) &&
           std::ranges::none_of(search_.exclude, fits);
  }

  const FileSearch& search_;
  std::vector<fs::path> outputs_;
  fs::path top_;  // the directory that is searched, without links
  std::shared_ptr<const Descriptor> open_;
};

}  // namespace

std::vector<InputFile> list_files(const std::vector<std::string>& inputs,
                                  const FileSearch& search) {
  Searching searching(search);
  std::error_code absent;
  for (const std::string& input : inputs) {
    if (input == "-")
      throw Error(Status::option,
                  "'-': standard input cannot be one of several inputs; name a file");
    if (search.is_recursive && fs::is_directory(input, absent)) {
      searching.search(input);
      continue;
    }
    fs::path name = fs::path(input).lexically_normal();
    if (!name.has_filename()) name = name.parent_path();  // a directory, written with a slash
    searching.found.push_back({input, name.filename().string()});
  }
  return std::move(searching.found);
}

Descriptor open_found(const InputFile& file) {
  Descriptor opened;
  int error = 0;
  for (std::size_t at = 0; error == 0 && at <= file.below.size();) {
    const std::size_t end = std::min(file.below.find('/', at), file.below.size());
    const std::string part = file.below.substr(at, end - at);
    // Opening a pipe that somebody has put there must not wait.
    const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK |
                      (end == file.below.size() ? 0 : O_DIRECTORY);
    Descriptor next(::openat(opened ? opened.get() : file.top->get(), part.c_str(), flags));
    if (!next) error = errno;
    opened = std::move(next);
    at = end + 1;
  }
  if (error == ELOOP || error == ENOTDIR)
    throw Error(Status::denied, quote_path(file.path) +
                                    " was replaced by a symbolic link while the directory was "
                                    "converted, which is not followed; convert it again");
  if (error != 0) throw_errno("open", file.path, error);
  return opened;
}

bool Shard::contains(std::string_view name) const {
  if (count == 1) return true;
  Sha256 sum;
  sum.update(name);
  const std::string digest = sum.finish();
  std::uint64_t hash = 0;
  std::from_chars(digest.data(), digest.data() + 16, hash, 16);
  return hash % count == number - 1;
}

Shard parse_shard(std::string_view text) {
  Shard shard;
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto number = [](std::string_view digits, std::uint32_t& to) {
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), to);
    return code == std::errc() && end == digits.data() + digits.size() && to != 0;
  };
  if (!number(text.substr(0, slash), shard.number) || slash == text.size() ||
      !number(text.substr(slash + 1), shard.count) || shard.number > shard.count)
    throw Error(Status::option, "--shard (" + quote(text) +
                                    "): it is I/N with 1 <= I <= N; write such as --shard 3/16");
  return shard;
}

}  // namespace polycodec::cli
