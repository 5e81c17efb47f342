// SPDX-License-Identifier: MIT
// Stores and their writers as structs of the ABI that a caller holds.
#pragma once

#include "core/io/sink.hpp"
#include "core/io/source.hpp"
#include "registry/c/handle.hpp"

#include <memory>
#include <string>

namespace polycodec::c {

/// The store of the struct: one of this library's, or one of the program's own. The latter must
/// outlive what is read from it, which keeps `owner`.
std::shared_ptr<BlobStore> store_of(const polycodec_store* store, const std::string& label,
                                    std::shared_ptr<const void> owner = nullptr);
/// The sink of a writer that polycodec_store_edit() made. Throws
/// Status::invalid for others.
BlobSink& writer_of(polycodec_store_writer* writer);

}  // namespace polycodec::c
