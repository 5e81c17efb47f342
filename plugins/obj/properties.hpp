// SPDX-License-Identifier: MIT
// The words of statements as named properties, with the names that yggdrasil's ObjWavefront class
// gives them.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/view.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace polycodec::obj {

/// The properties of a statement that is kept as text, such as {"rat": false, "type": "bspline"} of
/// `cstype bspline`. Indices count from 0 (relative ones stay negative). Text that does not have
/// the form of its statement, and that of statements which nobody knows, is one property `value`.
/// The names are literals.
std::vector<Member> properties_of(std::string_view code, std::string_view text, Builder& out);

/// The text of a statement with these properties. Throws Error(type, `obj.bad_statement`) with
/// `path` if one is missing or is not what it should be, or if the statement has no such property.
std::string text_of_properties(std::string_view code, const View& properties,
                               const std::string& path);

}  // namespace polycodec::obj
