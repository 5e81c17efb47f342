// SPDX-License-Identifier: MIT
// The type @PLUGIN_ID@.point, which type notation, schemas and rules then know by name: an example, to be replaced.
#include <polycodec/plugin.hpp>

static constexpr polycodec_type point =
    polycodec::make_type("@PLUGIN_ID@.point", "{x: float64, y: float64}", "A point of the plane");

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, polycodec::Types<point>)
