// SPDX-License-Identifier: MIT
// n-d arrays to and from libraries that speak DLPack, in one process and without a copy where the
// layout allows it.
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/value.hpp>

#include <memory>

extern "C" {
struct DLManagedTensor;  // of <dlpack/dlpack.h>, which is needed only by those who look inside
}

namespace polycodec {

/// Hands a leaf of `value` to a DLPack consumer, who calls its deleter. The tensor views the
/// value's memory, which must not be written to, and keeps `value` alive; big-endian numbers, and
/// strides that are no multiple of the element, are copied once. Throws Status::unsupported for
/// what DLPack has no type for: arrays that are no leaves, times, fixed texts and bytes, 128-bit
/// integers. [thread-safe]
POLYCODEC_API DLManagedTensor* export_dlpack(std::shared_ptr<const Value> value,
                                             const polycodec_array& leaf,
                                             const Limits& limits = {});

/// Takes a tensor in the memory of the processor from a DLPack producer; its deleter is called with
/// the value, or at once on failure. The value is a leaf that views the tensor. Throws
/// Status::unsupported for other devices and types, Status::invalid for a shape or strides that
/// make no sense. Pointers are the producer's word.
POLYCODEC_API Value import_dlpack(DLManagedTensor* tensor, const Limits& limits = {});

}  // namespace polycodec
