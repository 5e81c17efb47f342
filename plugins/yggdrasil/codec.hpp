// SPDX-License-Identifier: MIT
// The codec as a class: tests and benchmarks call it directly.
#pragma once

#include <polycodec/codec.hpp>

#include "settings.hpp"

#include <cstdint>
#include <string_view>

namespace polycodec::yggdrasil {

/// Bodies of yggdrasil messages. The members are those that make_codec() asks for; all are
/// [thread-safe].
class Yggdrasil {
 public:
  static constexpr const char* name = "yggdrasil";

  Yggdrasil(Call&, const Options& options) : settings_(Settings::from(options)) {}

  Node decode(Call& call, const Input& input, Builder& out) const;
  void encode(const Call& call, NodeView value, Writer& out) const;
  std::uint64_t encoded_size(const Call& call, NodeView value) const;
  static Sniff sniff(Call& call, const Input& input);

 private:
  Settings settings_;
};

}  // namespace polycodec::yggdrasil
