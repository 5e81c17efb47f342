// SPDX-License-Identifier: MIT
// Attributes of nodes as annotations of types, and back, without loss.
#pragma once

#include <model/type/type.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/node_view.hpp>

#include "core/call/limits.hpp"

#include <vector>

namespace polycodec::text {

/// Precedes the key of an annotation that is typed JSON.
inline constexpr std::string_view coded_key = "$json:";

/// The annotations that say what `attributes` (an OBJECT) say. Strings, int64 and finite float64
/// numbers are written as they are, and a key that starts with `$` gets another `$`; of everything
/// else the key gets `$json:` before it and the value is typed JSON, as under `any`. Attributes
/// whose keys are not UTF-8 or occur twice make one annotation with the key `$json`: all of them in
/// typed JSON.
std::vector<type::Annotation> annotations_of(NodeView attributes, const Limits& limits);

/// The OBJECT that annotations say. Throws Error where the text under a `$json` key is none.
polycodec_node attributes_of(Builder& builder, std::span<const type::Annotation> annotations,
                             const Limits& limits);

/// True if the keys of an OBJECT are valid UTF-8 and differ: then it is a record. `entries` are
/// key, value, key, ...
bool has_record_keys(std::span<const polycodec_node> entries);
/// True if all keys are strings, and as has_record_keys().
bool has_text_keys(std::span<const polycodec_node> entries);
/// The same of the columns of a record that has names.
bool has_record_names(const polycodec_array& record);

}  // namespace polycodec::text
