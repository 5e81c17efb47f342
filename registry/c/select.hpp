// SPDX-License-Identifier: MIT
// Decoding for who wants one part: polycodec_call_options.select.
#pragma once

#include "registry/c/handle.hpp"

#include <functional>
#include <memory>

namespace polycodec::c {

/// Decodes into a value.
using Decode = std::function<void(const CallOptions& options, Value& value)>;

/// As decode_selected(), of a call with a selection.
std::unique_ptr<polycodec_value> decode_part(const polycodec_call_options& call,
                                             const CallOptions& options, const Decode& decode);

/// Decodes with decode(options, value). Where the call selects a part, the result is that part,
/// which keeps the value: codecs may leave out the rest. What is wrong is found by decoding all of
/// it, so that each error is that of the whole. call_options() has checked the struct, which may be
/// null. Throws Status::not_found, Status::option, and what `decode` throws.
template <class Body>
std::unique_ptr<polycodec_value> decode_selected(const polycodec_call_options* checked,
                                                 const CallOptions& options, const Body& decode) {
  if (checked != nullptr && checked->select.size != 0)
    return decode_part(*checked, options, std::cref(decode));
  auto made = std::make_unique<polycodec_value>();
  decode(options, made->value);
  return made;
}

}  // namespace polycodec::c
