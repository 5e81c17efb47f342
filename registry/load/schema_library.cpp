// SPDX-License-Identifier: MIT
#include "registry/load/schema_library.hpp"

#include <polycodec/error.hpp>

#include "core/schema/library.hpp"
#include "registry/load/library.hpp"
#include "registry/load/path_check.hpp"
#include "registry/load/search_path.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace polycodec::schema {
namespace {

constexpr const char* file_name = "libpolycodec-schema.so." POLYCODEC_SOVERSION;

const Library& load() {
  const auto directory = library_directory();
  const PathTrust trust({});
  std::string problem = trust.directory_problem(directory);
  std::filesystem::path path;
  FileHandle file;
  if (problem.empty()) file = trust.open(directory, file_name, path, problem);
  if (!file.is_open())
    throw LoadFailure{Stage::path, (directory / file_name).string() + ": " + problem};
  const auto object = open_object(std::move(file), path, POLYCODEC_SCHEMA_LIBRARY_SYMBOL);
  const auto* found = static_cast<const Library*>(object.address);
  if (object.size < sizeof(Library) || found->struct_size != sizeof(Library) ||
      std::string_view(found->version) != POLYCODEC_VERSION)
    throw LoadFailure{Stage::abi,
                      path.string() + " is not of version " POLYCODEC_VERSION " like this library"};
  return *found;
}

}  // namespace

const Library& schema_library() {
  static const Library& loaded = []() -> const Library& {
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
