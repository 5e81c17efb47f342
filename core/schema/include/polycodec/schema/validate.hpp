// SPDX-License-Identifier: MIT
// Checking values against schemas.
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/schema/schema.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace polycodec::schema {

/// Where a value does not fit its schema, and why.
struct Problem {
  std::string path;     ///< of the part of the value, as in polycodec/path.hpp
  std::string keyword;  ///< of the schema, such as `maximum`
  std::string reason;   ///< for people
};

struct ValidateOptions {
  /// Validation ends with so many problems.
  std::size_t max_problems = 100;
  /// If not null, gets what is no problem but worth telling: properties that are deprecated.
  std::vector<Problem>* warnings = nullptr;
  /// Applications of one schema to one part of the value; hostile schemas need 2^n of them for n
  /// bytes of text. 0: a generous multiple of the size of the value.
  std::uint64_t max_steps = 0;
};

/// All problems of a valid value in the order in which the schema finds them; none if it fits. The
/// value is checked as it is: nothing is cast, converted or filled in, see normalize(). Numbers in
/// another unit than the schema's do not fit, nor do numbers without a unit. `minimum`, `maximum`
/// and `multipleOf` hold for plain and typed numbers and for every element of arrays. Throws
/// Error(limit) beyond limits.max_depth or max_steps. [thread-safe]
POLYCODEC_API std::vector<Problem> validate(const Schema& schema, NodeView value,
                                            const ValidateOptions& options = {},
                                            const Limits& limits = {});

/// The first problem; nothing if the value fits. [thread-safe]
POLYCODEC_API std::optional<Problem> first_problem(const Schema& schema, NodeView value,
                                                   const Limits& limits = {});

/// Throws Error(Status::invalid), detail word `schema.<keyword>`, with the path, if the value does
/// not fit. [thread-safe]
POLYCODEC_API void require_valid(const Schema& schema, NodeView value, const Limits& limits = {});

}  // namespace polycodec::schema
