// SPDX-License-Identifier: MIT
// Options of writing.
#pragma once

#include <polycodec/codec.hpp>

#include "policy.hpp"

#include <cstdint>
#include <string>

namespace polycodec::awkward {

/// What blobs are called: array name, delimiter, number, suffix; and array name, schema suffix.
struct BlobNames {
  std::string delimiter = "-";
  std::string suffix = ".raw";
  std::string schema_suffix = ".json";
};

struct WriteSettings {
  std::string array;           ///< name of the array; it may be empty
  bool members = false;        ///< each member of an object becomes an array of its own
  std::uint64_t first_id = 0;  ///< where the numbers of blobs begin
  BlobNames names;
  CompressionPolicy compression;

  static WriteSettings from(const Options& options);
};

}  // namespace polycodec::awkward
