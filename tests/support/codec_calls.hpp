// SPDX-License-Identifier: MIT
// Calls to a codec class without a registry.
#pragma once

#include <polycodec/codec.hpp>

#include "core/call/budget.hpp"
#include "core/call/limits.hpp"
#include "core/io/sink.hpp"
#include "core/value/arena.hpp"
#include "core/value/value.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec::test {

/// A host that has no codecs and functions.
class TestHost {
 public:
  TestHost() {
    host_.struct_size = sizeof host_;
    host_.abi = POLYCODEC_ABI_VERSION;
    host_.log = [](const polycodec_host*, std::int32_t, polycodec_bytes) {};
    host_.call_function = [](const polycodec_host*, polycodec_call*, const polycodec_bytes*,
                             std::uint64_t, const polycodec_node*, const polycodec_node*,
                             const polycodec_node**, polycodec_error* error) {
      return fill_error(error, Status::not_found, "the test has no functions");
    };
    host_.decode_with = [](const polycodec_host*, polycodec_call*, polycodec_bytes,
                           const polycodec_node*, const polycodec_input*, const polycodec_node**,
                           polycodec_error* error) {
      return fill_error(error, Status::not_found, "the test has no codecs");
    };
    host_.encode_with = [](const polycodec_host*, polycodec_call*, polycodec_bytes,
                           const polycodec_node*, const polycodec_node*, const polycodec_output*,
                           polycodec_error* error) {
      return fill_error(error, Status::not_found, "the test has no codecs");
    };
    host_.lookup_type = [](const polycodec_host*, polycodec_call*, polycodec_bytes,
                           polycodec_bytes*, polycodec_error* error) {
      return fill_error(error, Status::not_found, "the test has no types");
    };
  }
  TestHost(const TestHost&) = delete;
  TestHost& operator=(const TestHost&) = delete;
  polycodec_host* raw() noexcept { return &host_; }

 private:
  polycodec_host host_{};
};

/// A call with limits, and the host that it is made by. Its arena is its own, unless use() names
/// another.
class TestCall {
 public:
  explicit TestCall(const Limits& limits = {}) : given_(limits), arena_(limits.memory_for(0)) {
    begin(0);
    limits_.struct_size = sizeof limits_;
    limits_.max_depth = limits.max_depth;
    limits_.max_input_bytes = limits.max_input_bytes;
    limits_.max_header_bytes = limits.max_header_bytes;
    limits_.max_nodes = limits.max_nodes;
    limits_.max_elements = limits.max_elements;
    limits_.max_work = UINT64_MAX;
    limits_.max_memory_bytes = limits.memory_for(0);
    limits_.max_output_bytes = limits.output_for(0);
    limits_.max_stack_bytes = limits.max_stack_bytes;
    limits_.deadline = UINT64_MAX;
    call_.struct_size = sizeof call_;
    call_.arena = arena_.abi();
    call_.limits = &limits_;
    call_.host = host.raw();
    call_.private_data = &state_;
    call_.spend = [](polycodec_call* self, std::uint64_t units, polycodec_error* error) {
      return guard(error,
                   [&] { self->credit = of(self).budget_->spend(units - self->credit, slice); });
    };
    call_.parallel_for = [](polycodec_call* self, std::uint64_t n, std::uint64_t grain,
                            polycodec_body body, void* data, polycodec_error* error) {
      std::int32_t code = POLYCODEC_OK;
      for (std::uint64_t from = 0; from < n && code == POLYCODEC_OK; from += grain)
        code = body(data, self, from, std::min(n, from + grain), error);
      return code;
    };
    call_.report_loss = [](polycodec_call* self, std::int32_t, polycodec_bytes, polycodec_bytes,
                           polycodec_error* error) {
      return of(self).allows_loss_ ? std::int32_t{POLYCODEC_OK}
                                   : fill_error(error, Status::unsupported, "no loss is allowed");
    };
  }
  TestCall(const TestCall&) = delete;
  TestCall& operator=(const TestCall&) = delete;
  operator Call() const { return Call(&call_); }
  const polycodec_limits& limits() const noexcept { return limits_; }

  /// What is made goes there from now on; NULL: to the arena of the call.
  void use(polycodec_arena* arena) const { call_.arena = arena != nullptr ? arena : arena_.abi(); }
  /// A call begins, on an input of this size: it has a budget of its own.
  void begin(std::uint64_t input) const {
    budget_.emplace(given_);
    budget_->add_input(input);
    state_ = {&*budget_, const_cast<TestCall*>(this)};
    call_.credit = budget_->spend(0, slice);
  }
  /// From now on codecs may leave things out.
  void allow_loss() { allows_loss_ = true; }

  mutable TestHost host;

 private:
  static TestCall& of(polycodec_call* call) noexcept {
    return *static_cast<State*>(call->private_data)->call;
  }

  /// Begins as the state of the host's own calls does, which its stores look at.
  struct State {
    Budget* budget;
    TestCall* call;
  };

  static constexpr std::uint64_t slice = 100000;  // of credit

  const Limits given_;
  mutable std::optional<Budget> budget_;
  mutable Arena arena_;
  mutable State state_{};
  polycodec_limits limits_{};
  mutable polycodec_call call_{};
  bool allows_loss_ = false;
};

/// The input that is these bytes.
inline polycodec_input input_of(std::string_view bytes) {
  polycodec_input input{};
  input.struct_size = sizeof input;
  input.parts = POLYCODEC_INPUT_BYTES;
  input.bytes = to_bytes(bytes);
  input.total = bytes.size();
  return input;
}

/// The codec with these options, an object. What it keeps in the arena of its instance lives as
/// long as the program.
template <class Codec>
Codec open(const polycodec_node* options = nullptr) {
  static const TestCall keeper;
  Call call = keeper;
  return Codec(call, Options(options));
}
/// A codec with options given as members.
template <class Codec>
Codec make(std::initializer_list<Member> options = {}) {
  Arena arena;
  Builder builder(arena.abi());
  const polycodec_node node = builder.object(options);
  return open<Codec>(&node);
}

/// Decodes `input` to `value`, whose memory is used again; does not validate it.
template <class Codec>
void decode_into(const Codec& codec, const polycodec_input& input, const TestCall& call,
                 Value& value) {
  call.begin(input.bytes.size);
  call.use(value.prepare(call.limits().max_memory_bytes));
  Call raw = call;
  Builder out(raw);
  value.set_root(out.root(codec.decode(raw, Input(raw, &input), out)));
  call.use(nullptr);
}
template <class Codec>
Value decode_input(const Codec& codec, const polycodec_input& input, const TestCall& call) {
  Value value;
  decode_into(codec, input, call, value);
  return value;
}
/// Encodes to a sink, which is emptied first.
template <class Codec>
void encode_into(const Codec& codec, NodeView value, Sink& sink,
                 const TestCall& call = TestCall()) {
  call.begin(std::uint64_t{1} << 32);
  sink.reset();
  Writer out(sink.abi());
  codec.encode(call, value, out);
  out.flush();
}
template <class Codec>
std::string encode(const Codec& codec, NodeView value, const TestCall& call = TestCall()) {
  SegmentSink sink;
  encode_into(codec, value, sink, call);
  return sink.to_string();
}

}  // namespace polycodec::test
