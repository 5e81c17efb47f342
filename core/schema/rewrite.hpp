// SPDX-License-Identifier: MIT
// Schemas as documents: copied, with precisions in another unit and keywords in another order.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/node_view.hpp>

#include "core/call/limits.hpp"
#include "core/schema/schema.hpp"

#include <string>

namespace polycodec::schema {

/// What a keyword has in it.
enum class Holds : std::uint8_t { data, schema, schemas, map_of_schemas };
/// `value` decides where a keyword may hold either.
Holds holds(std::string_view keyword, NodeView value) noexcept;

struct RewriteOptions {
  std::uint64_t multiply = 1, divide = 1;  ///< precisions
  bool order = false;                      ///< typed keywords first
  bool python_order = false;
};

/// A deep copy of a schema. Throws Error with the path: type where something is not plain JSON,
/// malformed
/// (`schema.keyword`) where a precision is not a multiple of `divide`, limit beyond the limits.
polycodec_node rewrite(NodeView schema, Builder& out, const RewriteOptions& options,
                       const Limits& limits);

/// A deep copy of a plain document.
polycodec_node copy_document(NodeView document, Builder& out, const Limits& limits);

}  // namespace polycodec::schema
