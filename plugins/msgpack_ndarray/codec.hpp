// SPDX-License-Identifier: MIT
// The codec as a class: tests and benchmarks call it directly.
#pragma once

#include <base/document_writer.hpp>
#include <polycodec/codec.hpp>
#include <polycodec/function.hpp>

#include "settings.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace polycodec::msgpack_ndarray {

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
