// SPDX-License-Identifier: MIT
// The rules for one columnar array, apart from its children. Errors carry no path: the walk over
// the value adds it.
#pragma once

#include <polycodec/abi.h>

#include "core/call/limits.hpp"

#include <cstdint>
#include <string>

namespace polycodec::detail {

class ValidationWork;
class ValueMemory;

[[noreturn]] void throw_invalid(std::string message);
/// Text or a boolean that no value may hold: the structure around it was checked.
[[noreturn]] void throw_content(std::string message);
[[noreturn]] void throw_limit(std::string message);

/// Layout, unused fields, dtype, shape, pointers, lengths against those of the children: no element
/// and no structure column is read, but of chunks. `memory` has checked the struct itself. Every
/// child is known to be non-NULL, of a known size and in `memory` afterwards, but not checked
/// itself.
void check_array_structure(const polycodec_array& array, const Limits& limits, ValueMemory& memory,
                           ValidationWork& work);

/// What the columns and the buffer of the array hold. The structure of the array and of its
/// children is right.
void check_array_content(const polycodec_array& array, ValidationWork& work);

/// Throws unless `text` is UTF-8; `what` names it in the message.
void check_utf8(const polycodec_bytes& text, const char* what);

}  // namespace polycodec::detail
