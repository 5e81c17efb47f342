// SPDX-License-Identifier: MIT
// What of a value typed JSON gives back by itself, and what needs a mark.
#pragma once

#include <model/type/type.hpp>

#include "core/call/limits.hpp"
#include "core/value/host_meter.hpp"

namespace polycodec::text {

/// True if reading nested lists of items of type `t` gives this array again, but for what no codec
/// sees: strides, byte order, which integers its offsets are, and content that no item uses.
/// `t` is the type of an item, metadata of `a` included. Charges `meter`: masks and rows may share
/// bytes.
bool reads_back(const polycodec_array& a, const type::Type& t, HostMeter& meter);

/// True if a list of type `t` reads back as an array of documents: a short list of different items
/// would have the type of a tuple, so `any` was said of an array.
bool reads_as_document_array(const polycodec_node& list, const type::Type& t, const Limits& limits);

/// The same of an array of documents.
bool reads_as_document_array(const polycodec_array& a, const type::Type& t, const Limits& limits);

/// True if a list of type `t`, which has a dimension, reads back as an array.
bool reads_as_array(const polycodec_node& list, const type::Type& t, const Limits& limits);

/// As reads_back(), of a whole array with the type `t`, its own metadata left out.
bool array_reads_back(const polycodec_array& a, const type::Type& t, HostMeter& meter);

}  // namespace polycodec::text
