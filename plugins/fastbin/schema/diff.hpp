// SPDX-License-Identifier: MIT
// Whether buffers of one version of a schema can be read with another.
#pragma once

#include "schema.hpp"

#include <string>
#include <vector>

namespace polycodec::fastbin {

/// What a change means for buffers that were written with the old schema.
enum class Effect : std::uint8_t {
  note,      ///< they read as before, but for names
  lenient,   ///< they read with the options that the text names
  breaking,  ///< they cannot be read, or mean something else
};

/// "note", "lenient" or "breaking".
const char* effect_name(Effect effect) noexcept;

struct Change {
  Effect effect;
  std::string path;            ///< such as "structs.Order.price"
  std::uint32_t old_line = 0;  ///< 0: it is not there, or has no line
  std::uint32_t new_line = 0;
  std::string what;  ///< for users
};

/// All changes from `before` to `after`, in the order of the old schema. Readable are the buffers
/// of every struct that has no breaking change in itself or in what it uses, which changes of that
/// struct tell as well.
///
/// What decides is the layout: members are found by their place and their types, and only variable
/// structs, which have a size of their own, may get or lose members at their end. Alternatives of
/// variants may be added after the others.
std::vector<Change> diff(const Schema& before, const Schema& after);

}  // namespace polycodec::fastbin
