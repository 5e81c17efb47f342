// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>

#include "core/io/mapped_file.hpp"
#include "core/io/process.hpp"
#include "registry/load/library.hpp"
#include "registry/load/module.hpp"
#include "registry/load/module_cache.hpp"
#include "registry/load/path_check.hpp"
#include "registry/wasm/modules.hpp"

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>

namespace polycodec {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "libpolycodec-wasm.so." POLYCODEC_SOVERSION;
constexpr std::uint64_t largest_module = std::uint64_t{16} << 20;

/// A library in a directory, after the checks that a plugin must pass.
FileHandle open_checked(const Policy& policy, const fs::path& directory, const std::string& name,
                        fs::path& path) {
  const PathTrust trust(policy.trusted_owners);
  std::string problem = trust.directory_problem(directory);
  FileHandle file;
  if (problem.empty()) file = trust.open(directory, name, path, problem);
  if (!file.is_open()) throw LoadFailure{Stage::path, (directory / name).string() + ": " + problem};
  return file;
}

const wasm::Modules& load(const Policy& policy) {
  fs::path path;
  FileHandle file = open_checked(policy, library_directory(), file_name, path);
  const auto object = open_object(std::move(file), path, POLYCODEC_WASM_MODULES_SYMBOL);
  const auto* found = static_cast<const wasm::Modules*>(object.address);
  if (object.size < sizeof(wasm::Modules) || found->struct_size != sizeof(wasm::Modules) ||
      std::string_view(found->version) != POLYCODEC_VERSION)
    throw LoadFailure{Stage::abi,
                      path.string() + " is not of version " POLYCODEC_VERSION " like this library"};
  return *found;
}

/// `identity` says which file the runtime is.
void* load_runtime(const Policy& policy, std::string& identity) {
  const fs::path wanted = module_runtime(policy);
  std::error_code error;
  const fs::path directory = posix::canonical(wanted.parent_path(), error);
  if (error) throw LoadFailure{Stage::path, wanted.string() + ": " + error.message()};
  fs::path path;
  FileHandle file = open_checked(policy, directory, wanted.filename(), path);
  identity = identity_of(file);
  return open_needed_library(std::move(file), path);
}

/// Calls load(), and adds what to do to why that fails.
template <class Load>
auto with_advice(const char* advice, const Load& load) {
  try {
    return load();
  } catch (const LoadFailure& failure) {
    throw LoadFailure{failure.stage,
                      "it is a WebAssembly module, and what runs it can't be loaded (" +
                          failure.reason + "): " + advice};
  }
}

}  // namespace

const polycodec_plugin* open_module(const FileHandle& file, const Policy& policy,
                                    const LogHook& log) {
  static std::mutex mutex;
  static const wasm::Modules* modules = nullptr;
  static void* runtime = nullptr;
  static std::string identity;
  {
    const std::scoped_lock lock(mutex);
    if (modules == nullptr)
      modules = with_advice("install the package libpolycodec-wasm" POLYCODEC_SOVERSION,
                            [&] { return &load(policy); });
    if (runtime == nullptr)
      runtime = with_advice(usual_runtime().advice, [&] { return load_runtime(policy, identity); });
  }
  std::string bytes;
  if (posix::append_rest(file.get(), bytes, largest_module + 1) != 0)
    throw LoadFailure{Stage::load, "its module can't be read"};
  if (bytes.size() > largest_module)
    throw LoadFailure{Stage::load,
                      "its module is larger than " + std::to_string(largest_module >> 20) + " MiB"};
  ModuleCache cache(policy.wasm_cache, identity, bytes, log);
  static constexpr wasm::Files files = {&posix::MappedFile::map_again,
                                        &posix::MappedFile::end_again};
  return modules->open(runtime, &files, bytes, &cache);
}

}  // namespace polycodec
