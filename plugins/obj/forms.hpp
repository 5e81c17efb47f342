// SPDX-License-Identifier: MIT
// The forms of a model beside that of its file: a mesh, triangles, dictionaries.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/codec.hpp>
#include <polycodec/view.hpp>

#include "settings.hpp"

namespace polycodec::obj {

/// What the settings ask for instead of `root`, the value of the file. Throws Error where that
/// loses what the host does not allow to be lost.
const polycodec_node* other_form(const Settings& settings, const Call& call, View root,
                                 Builder& out);

}  // namespace polycodec::obj
