// SPDX-License-Identifier: MIT
#include "registry/load/external_command.hpp"

#include <base/quote.hpp>

#include "core/io/posix_file.hpp"
#include "registry/load/hash.hpp"
#include "registry/load/path_check.hpp"
#include "registry/load/policy.hpp"
#include "registry/load/search_path.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace polycodec {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view command_prefix = "polycodec-";

struct Program {
  ProbeRecord record;
  FileHandle file;  // open if all checks passed
};

/// The directories that are searched, canonical.
std::vector<fs::path> directories(const RegistryOptions& options, const fs::path& own) {
  std::vector<fs::path> all;
  const auto add = [&](const fs::path& path) {
    std::error_code error;
    const fs::path canonical = path.is_absolute() ? posix::canonical(path, error) : fs::path();
    if (!canonical.empty() && !error && std::ranges::find(all, canonical) == all.end())
      all.push_back(canonical);
  };
  add(own);
  for (const SearchEntry& entry : search_path(options)) add(entry.path);
  return all;
}

/// The policy for the programs of a directory. Those beside the command itself are of its package:
/// they need no entry in an allow list, but a denial or a pin holds.
Policy policy_for(const fs::path& directory, const fs::path& own, Policy policy) {
  std::error_code error;
  if (own.is_absolute() && directory == posix::canonical(own, error) && !error)
    policy.mode = Policy::Mode::open;
  return policy;
}

/// Makes the checks of a program in their order.
Program check(const fs::path& directory, const std::string& name, const Policy& policy) {
  Program program;
  ProbeRecord& record = program.record;
  record.id = "command:" + name;
  const auto refuse = [&](Stage stage, std::string why) {
    record.outcome = Outcome::refused;
    record.stage = stage;
    record.reason = std::move(why);
    program.file = FileHandle();
    return std::move(program);
  };
  fs::path path = directory / (std::string(command_prefix) + name);
  record.path = path;
  const PathTrust trust(policy.trusted_owners);
  if (auto why = trust.directory_problem(directory); !why.empty())
    return refuse(Stage::path, std::move(why));
  std::string problem;
  program.file = trust.open(directory, std::string(command_prefix) + name, path, problem);
  record.path = path;
  if (!program.file.is_open()) return refuse(Stage::path, std::move(problem));
  if (auto why = refuses_plugin(policy, record.id); !why.empty())
    return refuse(Stage::policy, std::move(why));
  if (needs_digest(policy, record.id))
    if (auto why = refuses_digest(policy, record.id, sha256_of_file(program.file.get()));
        !why.empty())
      return refuse(Stage::pin, std::move(why));
  record.stage = Stage::ready;
  return program;
}

}  // namespace

std::vector<ProbeRecord> find_commands(const RegistryOptions& options, const fs::path& own) {
  std::vector<ProbeRecord> all;
  for (const fs::path& directory : directories(options, own)) {
    std::vector<std::string> names;
    std::string ignored;
    for (const std::string& file : names_in(directory, ignored)) {
      if (!file.starts_with(command_prefix)) continue;
      std::string name = file.substr(command_prefix.size());
      const auto is_taken = [&](const ProbeRecord& r) { return r.id == "command:" + name; };
      if (is_canonical_name(name) && name.find('.') == name.npos &&
          std::ranges::none_of(all, is_taken))
        names.push_back(std::move(name));
    }
    std::ranges::sort(names);  // without the prefix
    const Policy policy = policy_for(directory, own, options.policy);
    for (const std::string& name : names) all.push_back(check(directory, name, policy).record);
  }
  return all;
}

void run_command(std::string_view name, const std::vector<std::string>& arguments,
                 const RegistryOptions& options, const fs::path& own) {
  if (!is_canonical_name(name) || name.find('.') != name.npos) return;
  const std::string file = std::string(command_prefix) + std::string(name);
  const auto all = directories(options, own);
  std::error_code ignored;
  const auto directory = std::ranges::find_if(
      all, [&](const fs::path& at) { return fs::exists(fs::symlink_status(at / file, ignored)); });
  if (directory == all.end()) return;
  const Program program =
      check(*directory, std::string(name), policy_for(*directory, own, options.policy));
  const ProbeRecord& record = program.record;
  if (record.outcome == Outcome::refused)
    throw Error(Status::plugin, "the command " + quote(name) + " was refused (" +
                                    std::string(stage_name(record.stage)) + "): " + record.reason +
                                    "\n  program: " + record.path +
                                    "\n  what to do: remove the reason; `polycodec doctor` shows "
                                    "all that was found")
        .detail("plugin." + std::string(stage_name(record.stage)));
  std::string path = record.path;
  std::vector<std::string> words(arguments);
  std::vector<char*> argv{path.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  // The file that was checked is the one that runs. The interpreter of a script opens it by its
  // descriptor, which then must stay open.
  char head[2] = {};
  if (::pread(program.file.get(), head, sizeof head, 0) == 2 && head[0] == '#' && head[1] == '!')
    ::fcntl(program.file.get(), F_SETFD, 0);
  ::fexecve(program.file.get(), argv.data(), environ);
  throw Error(Status::io,
              "cannot run " + quote(path) + ": " + std::generic_category().message(errno));
}

}  // namespace polycodec
