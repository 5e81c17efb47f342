// SPDX-License-Identifier: MIT
// The codecs as classes: tests and benchmarks call them directly.
#pragma once

#include <base/document_writer.hpp>
#include <polycodec/codec.hpp>

#include "chunks.hpp"
#include "settings.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

namespace polycodec::dynd {

class StreamReader;

/// DyND serialization. The members are those that make_codec() asks for; all are [thread-safe].
class Dynd {
 public:
  static constexpr const char* name = "dynd";

  Dynd(Call&, const Options& options) : settings_(Settings::from(options)) {}

  Node decode(Call& call, const Input& input, Builder& out) const;
  void encode(const Call& call, NodeView value, Writer& out) const;
  std::uint64_t encoded_size(const Call& call, NodeView value) const;
  std::unique_ptr<StreamReader> open_reader(Call& call) const;
  std::unique_ptr<DocumentWriter<Dynd>> open_writer(Call&) const {
    return std::make_unique<DocumentWriter<Dynd>>(*this);
  }
  static Sniff sniff(Call& call, const Input& input);

 private:
  Settings settings_;
};

/// DyND values as deterministic CBOR. As Dynd otherwise.
class DyndCbor {
 public:
  static constexpr const char* name = "dynd-cbor";

  DyndCbor(Call&, const Options& options) : settings_(Settings::from(options)) {}

  Node decode(Call& call, const Input& input, Builder& out) const;
  void encode(const Call& call, NodeView value, Writer& out) const;

 private:
  Settings settings_;
};

}  // namespace polycodec::dynd
