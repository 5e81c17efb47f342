// SPDX-License-Identifier: MIT
// Attributes of nodes as annotations of types, and back, without loss.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/type/type.hpp>
#include <polycodec/view.hpp>

#include <vector>

namespace polycodec::text {

/// The annotations that say what `attributes` (an OBJECT) say. Strings, int64 and finite float64 numbers are written
/// as they are; of everything else the key gets a `$` before it and the value is text notation, as under `any`. A key
/// that itself starts with `$` gets another one. Attributes that cannot be keys one by one (not UTF-8, standing
/// twice, nameless) make one annotation with the key `$`: all of them in text notation.
std::vector<type::Annotation> annotations_of(View attributes, const Limits& limits);

/// The OBJECT that annotations say. Throws Error where the text under a `$` key is none.
polycodec_node attributes_of(Builder& builder, std::span<const type::Annotation> annotations, const Limits& limits);

/// True if the keys of an OBJECT are valid UTF-8 and differ: then it is a record. `entries` are key, value, key, ...
bool has_record_keys(std::span<const polycodec_node> entries);
/// True if all keys are strings, and as has_record_keys().
bool has_text_keys(std::span<const polycodec_node> entries);
/// The same of the columns of a record that has names, and of any names.
bool has_record_names(const polycodec_array& record);
bool are_record_names(std::vector<std::string_view> names);

}  // namespace polycodec::text
