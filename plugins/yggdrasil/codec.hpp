// SPDX-License-Identifier: MIT
// The codec as a class, without what the manifest says about it: tests and benchmarks call it directly.
#pragma once

#include <polycodec/codec.hpp>

#include "settings.hpp"

#include <cstdint>
#include <string_view>

namespace polycodec::yggdrasil {

/// Bodies of yggdrasil messages. The members are those that make_codec() asks for; all are [thread-safe].
class Yggdrasil {
 public:
  Yggdrasil(Host, const Options& options) : settings_(Settings::from(options)) {}

  const polycodec_node* decode(const Call& call, const Input& input, Builder& out) const;
  void encode(const Call& call, View value, Writer& out) const;
  std::uint64_t encoded_size(const Call& call, View value) const;
  static Sniff sniff(std::string_view head, std::uint64_t total);

 private:
  Settings settings_;
};

}  // namespace polycodec::yggdrasil
