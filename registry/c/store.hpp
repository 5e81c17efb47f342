// SPDX-License-Identifier: MIT
// Stores and their writers as structs of the ABI that a caller holds.
#pragma once

#include <polycodec/sink.hpp>
#include <polycodec/source.hpp>

#include "registry/c/handle.hpp"

#include <memory>
#include <string>

namespace polycodec::c {

/// The store behind the struct: one of this library's, or one of the program's own, which must
/// outlive what is read from it.
std::shared_ptr<BlobStore> store_of(const polycodec_store* store, const std::string& label);
/// The sink of a writer that polycodec_store_create() or polycodec_store_edit() made. Throws
/// Status::invalid for others.
BlobSink& writer_of(polycodec_store_writer* writer);

}  // namespace polycodec::c
