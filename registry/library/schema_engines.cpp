// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>

#include "core/io/process.hpp"
#include "core/schema/engines.hpp"
#include "registry/load/library.hpp"
#include "registry/load/path_check.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace polycodec::schema {
namespace {

constexpr const char* file_name = "libpolycodec-schema.so." POLYCODEC_SOVERSION;

const Engines& load() {
  const auto directory = library_directory();
  const PathTrust trust({});
  std::string problem = trust.directory_problem(directory);
  std::filesystem::path path;
  FileHandle file;
  if (problem.empty()) file = trust.open(directory, file_name, path, problem);
  if (!file.is_open())
    throw LoadFailure{Stage::path, (directory / file_name).string() + ": " + problem};
  const auto object = open_object(std::move(file), path, POLYCODEC_SCHEMA_ENGINES_SYMBOL);
  const auto* found = static_cast<const Engines*>(object.address);
  if (object.size < sizeof(Engines) || found->struct_size != sizeof(Engines) ||
      std::string_view(found->version) != POLYCODEC_VERSION)
    throw LoadFailure{Stage::abi,
                      path.string() + " is not of version " POLYCODEC_VERSION " like this library"};
  return *found;
}

}  // namespace

// libpolycodec-schema.so from the directory of this library, loaded at the first call after the
// checks that a plugin must pass.
const Engines& engines() {
  static const Engines& loaded = []() -> const Engines& {
    try {
      return load();
    } catch (const LoadFailure& failure) {
      throw Error(Status::not_found,
                  "cannot load the library for schemas and units (" + failure.reason +
                      "): install the package libpolycodec-schema" POLYCODEC_SOVERSION)
          .detail("schema.library");
    }
  }();
  return loaded;
}

}  // namespace polycodec::schema
