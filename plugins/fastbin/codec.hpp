// SPDX-License-Identifier: MIT
// The codec as a class, without what the manifest says about it: tests and benchmarks call it directly.
#pragma once

#include <polycodec/codec.hpp>

#include "plan.hpp"

#include <cstdint>
#include <memory>

namespace polycodec::fastbin {

/// Buffers of one schema. The members are those that make_codec() asks for. All are [thread-safe].
class Fastbin {
 public:
  Fastbin(Host, const Options& options) : plan_(plan_of(options)) {}

  const polycodec_node* decode(const Call& call, const Input& input, Builder& out) const;
  void encode(const Call& call, View value, Writer& out) const;
  std::uint64_t encoded_size(const Call& call, View value) const;

 private:
  const std::shared_ptr<const Plan>& plan() const;

  std::shared_ptr<const Plan> plan_;  // NULL without a schema
};

}  // namespace polycodec::fastbin
