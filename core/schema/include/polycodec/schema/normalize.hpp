// SPDX-License-Identifier: MIT
// Values made to fit a schema.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/export.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/schema/schema.hpp>
#include <polycodec/schema/validate.hpp>
#include <polycodec/value.hpp>

#include <cstdint>
#include <vector>

namespace polycodec::schema {

/// For which absent properties a `default` is filled in.
enum class Defaults : std::uint8_t {
  none,
  required,  ///< those in `required`, as yggdrasil does
  all,       ///< all that have one
};

/// Which numbers may change a little.
enum class Rounding : std::uint8_t {
  none,    ///< none: a float that the wanted type does not hold exactly is an error
  floats,  ///< what becomes a float is rounded to the nearest; what becomes an integer must be one
  all,     ///< what becomes an integer is rounded to the nearest, too (a tie to the even one)
};

struct NormalizeOptions {
  Defaults defaults = Defaults::all;
  Rounding rounding = Rounding::floats;
  /// As in ValidateOptions; also gets every alias that was replaced.
  std::vector<Problem>* warnings = nullptr;
  std::uint64_t max_steps = 0;
};

/// `value` as `schema` wants it: numbers cast to the wanted subtype and precision (decided by the
/// number, not by its type: an int64 that holds 5 fits in int8) and converted to the wanted units,
/// which are added where there are none; texts to the wanted encoding, texts of digits to numbers;
/// aliases replaced, defaults filled in, singular values wrapped and wrapped ones unwrapped where
/// the schema allows it. Numbers never overflow, and integers never lose a fraction, in silence.
/// The result passes validate(). What needs no change is the value's own node: the result lives no
/// longer than `value`. Throws Error with the path: type, range or invalid where the value can't be
/// made to fit, unsupported (`units.unknown`) and io (`units.database`) where units can't be
/// converted, limit beyond the limits. [thread-safe]
POLYCODEC_API polycodec_node normalize(const Schema& schema, NodeView value, Builder& out,
                                       const NormalizeOptions& options = {},
                                       const Limits& limits = {});

/// The same of a value that is given up: what did not change stays where it is, and lives as long
/// as the result.
POLYCODEC_API Value normalize(const Schema& schema, Value&& value,
                              const NormalizeOptions& options = {}, const Limits& limits = {});

}  // namespace polycodec::schema
