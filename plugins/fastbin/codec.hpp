// SPDX-License-Identifier: MIT
// The codec as a class: tests and benchmarks call it directly.
#pragma once

#include <polycodec/codec.hpp>

#include "plan.hpp"

#include <cstdint>
#include <memory>

namespace polycodec::fastbin {

/// Buffers of one schema. The members are those that make_codec() asks for. All are [thread-safe].
class Fastbin {
 public:
  static constexpr const char* name = "fastbin";

  Fastbin(Call& call, const Options& options) : plan_(plan_of(call, options)) {}

  Node decode(Call& call, const Input& input, Builder& out) const;
  void encode(const Call& call, NodeView value, Writer& out) const;
  std::uint64_t encoded_size(const Call& call, NodeView value) const;

 private:
  const Plan& plan() const;

  std::unique_ptr<const Plan> plan_;  // NULL without a schema
};

}  // namespace polycodec::fastbin
