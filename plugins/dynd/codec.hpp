// SPDX-License-Identifier: MIT
// The codecs as classes, without what the manifest says about them: tests and benchmarks call them directly.
#pragma once

#include <polycodec/codec.hpp>

#include "settings.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

namespace polycodec::dynd {

/// Where a reader of chunks is within a value of type `var * T`.
class ChunkState;

/// DyND serialization. The members are those that make_codec() asks for. All are [thread-safe]; but an instance with
/// the option `chunk_items` reads one stream, so that calls of stream_next() must follow each other.
class Dynd {
 public:
  Dynd(Host, const Options& options);

  const polycodec_node* decode(const Call& call, const Input& input, Builder& out) const;
  void encode(const Call& call, View value, Writer& out) const;
  std::uint64_t encoded_size(const Call& call, View value) const;
  StreamStep stream_next(const Call& call, std::string_view bytes, bool final, Builder& out) const;
  static Sniff sniff(std::string_view head, std::uint64_t total);

 private:
  StreamStep whole(const Call& call, std::string_view bytes, bool final, Builder& out) const;

  Settings settings_;
  std::shared_ptr<ChunkState> chunks_;
};

/// DyND values as deterministic CBOR. As Dynd otherwise.
class DyndCbor {
 public:
  DyndCbor(Host, const Options& options) : settings_(Settings::from(options)) {}

  const polycodec_node* decode(const Call& call, const Input& input, Builder& out) const;
  void encode(const Call& call, View value, Writer& out) const;

 private:
  Settings settings_;
};

}  // namespace polycodec::dynd
