// SPDX-License-Identifier: MIT
// How a plugin offers the type `mesh` beside its codecs.
#pragma once

#include <polycodec/codec.hpp>
#include <polycodec/mesh/mesh.hpp>

#include <string_view>

namespace polycodec::mesh {

namespace detail {
inline constexpr polycodec_named_type named_type{sizeof(polycodec_named_type), 0, type_name, notation};
inline constexpr const polycodec_named_type* type_list[] = {&named_type};
inline constexpr polycodec_types types{sizeof(polycodec_types), 1, type_list};
}  // namespace detail

/// The get_interface function of a plugin with these codec classes and the type `mesh`, which its manifest names with
/// the same notation. Several plugins may offer it.
template <class... C>
const void* POLYCODEC_ABI codecs_and_type(const char* id) {
  return std::string_view(id) == POLYCODEC_TYPES_INTERFACE ? static_cast<const void*>(&detail::types)
                                                           : codecs_interface<C...>(id);
}

}  // namespace polycodec::mesh
