// SPDX-License-Identifier: MIT
// The options of an instance, read once.
#pragma once

#include <polycodec/codec.hpp>

#include <cstdint>

namespace polycodec::msgpack_ndarray {

/// What a second document in one input means.
enum class Documents {
  automatic,  ///< a stream, unless it looks like stray bytes (see is_stray_document)
  one,        ///< trailing bytes
  many,       ///< a stream, whatever it is
};

/// The options of the codec, with the defaults of the manifest. The README says what each one does.
struct Settings {
  std::int8_t ext_code = 110;
  bool lenient_utf8 = false;
  bool numpy_maps = false;
  bool legacy = true;
  bool pack_lists = false;
  Documents documents = Documents::automatic;

  /// Throws Error(Status::option) for a value that the schema forbids.
  static Settings from(const Options& options);
};

/// True if a document that starts with `first`, after a first document that is no number, boolean
/// or nil
/// (`after_scalar` false), is more likely a stray byte (a line end, padding) than a message of a
/// stream: a nil, boolean or integer of one byte.
constexpr bool is_stray_document(bool after_scalar, std::uint8_t first) noexcept {
  return !after_scalar &&
         (first < 0x80 || first >= 0xe0 || first == 0xc0 || first == 0xc2 || first == 0xc3);
}

/// True for first bytes of nil, booleans and numbers.
constexpr bool is_scalar_byte(std::uint8_t first) noexcept {
  return first < 0x80 || first >= 0xe0 || first == 0xc0 || first == 0xc2 || first == 0xc3 ||
         (first >= 0xca && first <= 0xd3);
}

}  // namespace polycodec::msgpack_ndarray
