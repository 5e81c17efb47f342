// SPDX-License-Identifier: MIT
// DyND values as deterministic CBOR (RFC 8949, 4.2.1; RFC 8746 for arrays). README.md says which
// values have a native form; all others are tag 27 ["dynd", type, data].
#pragma once

#include <polycodec/codec.hpp>
#include <polycodec/view.hpp>

#include "plan.hpp"
#include "settings.hpp"

#include <cstdint>
#include <string_view>

namespace polycodec::dynd {

/// Tags of the registries that this form uses.
inline constexpr std::uint64_t tag_generic_object = 27;
inline constexpr std::uint64_t tag_multi_dim = 40;
inline constexpr std::uint64_t tag_homogeneous = 41;

/// An element type that has a typed array, its tag, and the bytes of one element.
struct TypedArray {
  std::uint8_t dtype;
  std::uint8_t tag;
  std::uint8_t size;
};
inline constexpr TypedArray typed_arrays[] = {
    {POLYCODEC_DTYPE_UINT8, 64, 1},   {POLYCODEC_DTYPE_UINT16, 69, 2},
    {POLYCODEC_DTYPE_UINT32, 70, 4},  {POLYCODEC_DTYPE_UINT64, 71, 8},
    {POLYCODEC_DTYPE_INT8, 72, 1},    {POLYCODEC_DTYPE_INT16, 77, 2},
    {POLYCODEC_DTYPE_INT32, 78, 4},   {POLYCODEC_DTYPE_INT64, 79, 8},
    {POLYCODEC_DTYPE_FLOAT16, 84, 2}, {POLYCODEC_DTYPE_FLOAT32, 85, 4},
    {POLYCODEC_DTYPE_FLOAT64, 86, 8}, {POLYCODEC_DTYPE_FLOAT128, 87, 16}};

/// The value in the CBOR form; its type as for the any form, unless settings.program gives it.
void encode_cbor(const Settings& settings, const Call& call, const View& value, Writer& out);
/// The value of all of `bytes`, as root. Throws with the words of the format and the byte offset.
const polycodec_node* decode_cbor(const Settings& settings, const Call& call,
                                  std::string_view bytes, Builder& out);

/// True if the value of this type is written in native CBOR.
bool has_native_form(const Program& program, const View& value, const Call& call);

}  // namespace polycodec::dynd
