// SPDX-License-Identifier: MIT
// Files that are stores of named blobs: ZIP archives, directories, and formats of plugins.
#pragma once

#include <polycodec/abi.h>

#include "core/io/sink.hpp"
#include "core/io/source.hpp"
#include "registry/session/session.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace polycodec {

/// True if the bytes begin as an archive that open_store_of() opens, or are a file whose name has
/// the extension of a store format without a magic number.
bool is_archive(const Catalog& catalog, std::string_view bytes, std::string_view name = {});

/// See Registry::open_store; the source's own store is not looked at.
std::shared_ptr<BlobStore> open_store_of(const Session& session, const Source& source);

/// The store inside the archive that the input is; it lives as long as the arena of the call.
/// Throws Status::malformed if it is none, and what opening one throws.
const polycodec_store* open_archive(CallContext& call, const polycodec_input& input);

/// See Registry.
std::string store_format_at(const Catalog& catalog, const std::filesystem::path& path);
std::unique_ptr<BlobSink> create_store_of(const Session& session, std::string_view format,
                                          const std::filesystem::path& path,
                                          const WriteOptions& options, std::uint64_t max_bytes);
std::unique_ptr<BlobSink> edit_store_of(const Session& session, const std::filesystem::path& path,
                                        const WriteOptions& options, std::uint64_t max_bytes);

}  // namespace polycodec
