// SPDX-License-Identifier: MIT
#include "library.hpp"

extern "C" {
__attribute__((
    visibility("default"))) extern const polycodec::schema::Library polycodec_schema_library;
}

namespace implementation = polycodec::schema::library;

const polycodec::schema::Library polycodec_schema_library = {
    sizeof(polycodec::schema::Library), POLYCODEC_VERSION,
    &implementation::compile,           &implementation::document,
    &implementation::to_node,           &implementation::to_json,
    &implementation::first_difference,  &implementation::infer,
    &implementation::validate,          &implementation::normalize,
    &implementation::canonical_units,   &implementation::same_units,
    &implementation::convert_units,
};
