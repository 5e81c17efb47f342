// SPDX-License-Identifier: MIT
// OBJ files to values.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/codec.hpp>

#include "settings.hpp"

namespace polycodec::obj {

/// The file as a value: see the README for its form.
const polycodec_node* decode(const Settings& settings, const Call& call, const Input& input,
                             Builder& out);

}  // namespace polycodec::obj
