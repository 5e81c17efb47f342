// SPDX-License-Identifier: MIT
// The options of an instance, and the codec as a class, which tests and benchmarks call directly.
#pragma once

#include <base/document_writer.hpp>
#include <polycodec/codec.hpp>
#include <polycodec/plugin.hpp>

#include <cstdint>
#include <memory>
#include <optional>

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
  bool tolerant = false;
  bool lenient_utf8 = false;
  bool numpy_maps = false;
  bool legacy = true;
  bool pack_lists = false;
  Documents documents = Documents::automatic;

  /// Throws Error(Status::option) for a value that the schema forbids.
  static Settings from(const Options& options);
};

/// True if a document that starts with `first`, after one that is not a number, boolean or nil
/// (`after_scalar` false), is more likely a stray byte (a newline, padding) than a message of a
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

/// The type `msgpack_ext`, which the manifest names with the same notation: an extension that this
/// codec has no meaning for.
inline constexpr polycodec_type ext_type = make_type(
    "msgpack_ext", "extension['msgpack.ext', {code: Int, data: bytes}]", "An extension of msgpack");

/// msgpack with n-dimensional arrays. The members are those that make_codec() asks for; all are
/// [thread-safe].
class MsgpackNdarray {
 public:
  static constexpr const char* name = "msgpack-ndarray";

  MsgpackNdarray(Call&, const Options& options) : settings_(Settings::from(options)) {}

  Node decode(Call& call, const Input& input, Builder& out) const;
  void encode(const Call& call, NodeView value, Writer& out) const;
  std::uint64_t encoded_size(const Call& call, NodeView value) const;
  class StreamReader;
  std::unique_ptr<StreamReader> open_reader(Call& call) const;
  std::unique_ptr<DocumentWriter<MsgpackNdarray>> open_writer(Call&) const {
    return std::make_unique<DocumentWriter<MsgpackNdarray>>(*this);
  }
  static Sniff sniff(Call& call, const Input& input);

 private:
  Settings settings_;
};

/// The messages of a stream, one after another.
class MsgpackNdarray::StreamReader {
 public:
  explicit StreamReader(const Settings& settings) : settings_(settings) {}
  std::optional<Node> next(Call& call, Step& step, Builder& out);

 private:
  Settings settings_;
};

}  // namespace polycodec::msgpack_ndarray
