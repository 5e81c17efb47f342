// SPDX-License-Identifier: MIT
// What applies to a call, with a codec that the program itself offers.
#include <polycodec/quote.hpp>

#include "error_of.hpp"
#include "registry/codec/codec_handle.hpp"
#include "registry/codec/registry.hpp"
#include "test_codec.hpp"

#include <gtest/gtest.h>
#include <time.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace polycodec {
namespace {

using test::error_of;

constexpr const char* manifest = test::TestCodec::description;

using test::give;
using test::give_null;
using test::TestCodec;

Error decode_error(TestCodec& codec, const CallOptions& options = {}) {
  return error_of(
      [&] { (void)codec.registry().codec("test.call").decode(Source::view("x"), options); });
}

TEST(ProgramObjects, AreOpenedUsedAndReleasedAfterTheLastValue) {
  TestCodec codec;
  codec.decode = [](polycodec_call* call, const polycodec_input* input, const polycodec_node** root,
                    polycodec_error* error) {
    auto node = polycodec_node_make(POLYCODEC_KIND_BINARY, 0, input->bytes.size);
    node.as.data = input->bytes.data;
    return give(call, node, root, error);
  };
  {
    Value value;
    {
      const Registry registry = codec.registry();
      EXPECT_EQ(registry.find("test.call")->plugin_id, "");
      value = registry.codec("test.call").decode(Source::owned("bytes"));
    }
    EXPECT_EQ(value.view().as_bytes(), "bytes");
    EXPECT_TRUE(value.contains(value.view().as_bytes().data(), 5));
    EXPECT_FALSE(value.contains(&codec, 1));
    EXPECT_EQ(codec.released + codec.dropped, 0);
  }
  EXPECT_EQ(codec.released, 1);
  EXPECT_EQ(codec.dropped, 1);
}

TEST(ProgramObjects, AreCheckedAndStayTheProgramsOnFailure) {
  TestCodec codec;
  codec.codec.manifest = "{}";
  EXPECT_EQ(error_of([&] { codec.registry(); }).code(), Status::plugin);
  codec.codec.manifest = manifest;
  codec.codec.capabilities = POLYCODEC_CAN_DECODE;
  EXPECT_EQ(error_of([&] { codec.registry(); }).code(), Status::option);
  EXPECT_EQ(codec.dropped, 0);
}

TEST(Calls, WorkIsBoundedByTheInputAndByTheOption) {
  TestCodec codec;
  std::uint64_t done = 0;
  codec.decode = [&](polycodec_call* call, const polycodec_input*, const polycodec_node**,
                     polycodec_error* error) {
    for (done = 0;; done += 1000)
      if (const auto code = polycodec_spend(call, 1000, error); code != POLYCODEC_OK) return code;
  };
  const Error error = decode_error(codec);
  EXPECT_EQ(error.code(), Status::limit);
  EXPECT_NE(error.message().find("max_work"), std::string::npos) << error.message();
  EXPECT_GE(done, 67'000'000u);
  EXPECT_LE(done, 67'120'000u);
  CallOptions options;
  options.limits.emplace().max_work = 5000;
  EXPECT_EQ(decode_error(codec, options).code(), Status::limit);
  EXPECT_LE(done, 5000u);
}

TEST(Calls, ShareABudget) {
  TestCodec codec;
  codec.decode = [](polycodec_call* call, const polycodec_input*, const polycodec_node** root,
                    polycodec_error* error) {
    if (const auto code = polycodec_spend(call, 600, error); code != POLYCODEC_OK) return code;
    return give_null(call, root, error);
  };
  Limits limits;
  limits.max_work = 1000;
  const Codec opened = codec.registry().codec("test.call");
  CallOptions options;
  options.budget = make_budget(limits);
  EXPECT_NO_THROW((void)opened.decode(Source::view("x"), options));
  EXPECT_EQ(error_of([&] { (void)opened.decode(Source::view("x"), options); }).code(),
            Status::limit);
}

TEST(Calls, ForgedCreditIsAnErrorOfThePlugin) {
  TestCodec codec;
  codec.decode = [](polycodec_call* call, const polycodec_input*, const polycodec_node** root,
                    polycodec_error* error) {
    call->credit = UINT64_MAX;
    return give_null(call, root, error);
  };
  EXPECT_EQ(decode_error(codec).code(), Status::plugin);
}

TEST(Calls, EndAfterTheDeadlineAndWhenCancelled) {
  TestCodec codec;
  codec.decode = [](polycodec_call* call, const polycodec_input*, const polycodec_node**,
                    polycodec_error* error) {
    for (;;)
      if (const auto code = polycodec_spend(call, 1000, error); code != POLYCODEC_OK) return code;
  };
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  CallOptions options;
  options.deadline = static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + 20'000'000 +
                     static_cast<std::uint64_t>(now.tv_nsec);
  options.limits.emplace().max_work = UINT64_MAX;
  EXPECT_EQ(decode_error(codec, options).code(), Status::cancelled);
  const std::atomic<bool> cancel{true};
  options.deadline = UINT64_MAX;
  options.cancel = &cancel;
  EXPECT_EQ(decode_error(codec, options).code(), Status::cancelled);
}

TEST(Calls, PartsOfALoopHaveTheirOwnCallAndTheLowestErrorWins) {
  TestCodec codec;
  struct Loop {
    const polycodec_node** items;
    std::uint64_t fail_from = UINT64_MAX;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
    polycodec_call* outer;
  } loop{};
  codec.decode = [&](polycodec_call* call, const polycodec_input*, const polycodec_node** root,
                     polycodec_error* error) {
    loop.outer = call;
    void* memory = polycodec_arena_alloc(call->arena, 10 * sizeof(polycodec_node), 8, error);
    auto* nodes = static_cast<polycodec_node*>(memory);
    struct Data {
      Loop& loop;
      polycodec_node* nodes;
    } data{loop, nodes};
    const auto code = call->parallel_for(
        call, 10, 4,
        [](void* with, polycodec_call* child, std::uint64_t from, std::uint64_t to,
           polycodec_error* failure) -> std::int32_t {
          auto& d = *static_cast<Data*>(with);
          EXPECT_NE(child, d.loop.outer);
          EXPECT_NE(child->arena, d.loop.outer->arena);
          d.loop.parts.emplace_back(from, to);
          if (from >= d.loop.fail_from)
            return polycodec_fail(failure, POLYCODEC_ERROR_MALFORMED, from, "a part");
          for (std::uint64_t i = from; i < to; ++i) {
            auto* text = static_cast<char*>(polycodec_arena_alloc(child->arena, 4, 1, failure));
            std::memset(text, static_cast<int>('a' + i), 4);
            d.nodes[i] = polycodec_node_make(POLYCODEC_KIND_STRING, 0, 4);
            d.nodes[i].as.data = text;
          }
          return POLYCODEC_OK;
        },
        &data, error);
    if (code != POLYCODEC_OK) return code;
    auto list = polycodec_node_make(POLYCODEC_KIND_LIST, 0, 10);
    list.as.nodes = nodes;
    return give(call, list, root, error);
  };
  const Value value = codec.registry().codec("test.call").decode(Source::view("x"));
  EXPECT_EQ(value.view().size(), 10u);
  EXPECT_EQ(value.view()[9].as_string(), "jjjj");
  EXPECT_EQ(loop.parts, (decltype(loop.parts){{0, 4}, {4, 8}, {8, 10}}));
  loop.fail_from = 4;
  EXPECT_EQ(decode_error(codec).offset(), 4u);
}

TEST(Calls, MemoryOfTheArenaGrowsInPlaceOrMovesAndIsBounded) {
  TestCodec codec;
  codec.decode = [](polycodec_call* call, const polycodec_input*, const polycodec_node** root,
                    polycodec_error* error) {
    void* memory = nullptr;
    std::uint64_t size = 0;
    for (std::uint64_t more = 16; more <= (std::uint64_t{8} << 20); more *= 2) {
      if (const auto code = call->arena->resize(call->arena, &memory, size, more, 8, error))
        return code;
      if (size != 0 && static_cast<char*>(memory)[size - 1] != 'x')
        return polycodec_fail(error, POLYCODEC_ERROR_INTERNAL, 0, "lost bytes");
      std::memset(memory, 'x', more);
      size = more;
    }
    auto node = polycodec_node_make(POLYCODEC_KIND_BINARY, 0, size);
    node.as.data = memory;
    return give(call, node, root, error);
  };
  const Value value = codec.registry().codec("test.call").decode(Source::view("x"));
  EXPECT_EQ(value.view().as_bytes(), std::string(std::size_t{8} << 20, 'x'));
  CallOptions options;
  options.limits.emplace().max_memory_bytes = 1 << 20;
  const Error error = decode_error(codec, options);
  EXPECT_EQ(error.code(), Status::limit);
  EXPECT_NE(error.message().find("max_memory_bytes"), std::string::npos) << error.message();
}

TEST(Calls, AdoptedMemoryCountsAndIsReleasedOnce) {
  TestCodec codec;
  static int released;
  released = 0;
  static const std::string foreign(1 << 20, 'f');
  codec.decode = [](polycodec_call* call, const polycodec_input*, const polycodec_node** root,
                    polycodec_error* error) {
    const polycodec_bytes extent = to_bytes(foreign);
    if (const auto code = call->arena->adopt(
            call->arena, &released, [](void* n) { ++*static_cast<int*>(n); }, &extent, 1, error))
      return code;
    auto node = polycodec_node_make(POLYCODEC_KIND_BINARY, 0, foreign.size());
    node.as.data = foreign.data();
    return give(call, node, root, error);
  };
  {
    const Value value = codec.registry().codec("test.call").decode(Source::view("x"));
    EXPECT_EQ(value.view().size(), foreign.size());
    EXPECT_EQ(released, 0);
  }
  EXPECT_EQ(released, 1);
  CallOptions options;
  options.limits.emplace().max_memory_bytes = 100000;
  EXPECT_EQ(decode_error(codec, options).code(), Status::limit);
  EXPECT_EQ(released, 2);
}

TEST(Calls, LossesAreAllowedByClass) {
  TestCodec codec;
  codec.encode = [](polycodec_call* call, const polycodec_node*, polycodec_sink*,
                    polycodec_error* error) {
    return call->report_loss(call, POLYCODEC_LOSS_TYPE, to_bytes("$.a"), to_bytes("the width"),
                             error);
  };
  const Codec opened = codec.registry().codec("test.call");
  const auto refused = error_of([&] { (void)opened.encode_to_string(NodeView()); });
  EXPECT_EQ(refused.code(), Status::unsupported);
  EXPECT_EQ(refused.path(), "$.a");
  CallOptions options;
  std::string heard;
  options.on_loss = [&](LossClass, std::string_view path, std::string_view what) {
    heard = std::string(path) + " " + std::string(what);
  };
  (void)opened.encode_to_string(NodeView(), options);
  EXPECT_EQ(heard, "$.a the width");
  options.losses = losses_of(LossClass::note);
  EXPECT_EQ(error_of([&] { (void)opened.encode_to_string(NodeView(), options); }).code(),
            Status::unsupported);
}

TEST(Calls, NotesMayBeLostByDefault) {
  TestCodec codec;
  codec.encode = [](polycodec_call* call, const polycodec_node*, polycodec_sink*,
                    polycodec_error* error) {
    return call->report_loss(call, POLYCODEC_LOSS_NOTE, to_bytes("$"), to_bytes("a comment"),
                             error);
  };
  const Codec opened = codec.registry().codec("test.call");
  EXPECT_NO_THROW((void)opened.encode_to_string(NodeView()));
  CallOptions options;
  options.losses = losses_of(LossClass::data);
  EXPECT_EQ(error_of([&] { (void)opened.encode_to_string(NodeView(), options); }).code(),
            Status::unsupported);
}

TEST(Calls, AProjectionReachesTheCodecAndMarksTheValue) {
  TestCodec codec;
  std::string seen;
  codec.decode = [&](polycodec_call* call, const polycodec_input*, const polycodec_node** root,
                     polycodec_error* error) {
    seen.clear();
    if (call->projection != nullptr)
      for (std::uint32_t i = 0; i < call->projection->n_paths; ++i)
        seen += to_string_view(call->projection->paths[i]);
    return give_null(call, root, error);
  };
  codec.encode = [](polycodec_call*, const polycodec_node*, polycodec_sink*, polycodec_error*) {
    return std::int32_t{POLYCODEC_OK};
  };
  const Codec opened = codec.registry().codec("test.call");
  EXPECT_FALSE(opened.decode(Source::view("x")).is_partial());
  EXPECT_EQ(seen, "");
  CallOptions options;
  options.projection.paths = {"$.x"};
  const Value part = opened.decode(Source::view("x"), options);
  EXPECT_EQ(seen, "$.x");
  EXPECT_TRUE(part.is_partial());
  BufferSink sink;
  EXPECT_EQ(error_of([&] { opened.encode(part, sink); }).code(), Status::invalid);
  options.allow_partial = true;
  EXPECT_NO_THROW(opened.encode(part, sink, options));
}

TEST(Calls, OutputMustNotReferToOtherMemory) {
  TestCodec codec;
  const void* from = nullptr;
  codec.encode = [&](polycodec_call*, const polycodec_node* root, polycodec_sink* sink,
                     polycodec_error* error) {
    return sink->reference(sink, from != nullptr ? from : root->as.data, 600, error);
  };
  const Codec opened = codec.registry().codec("test.call");
  const Value value =
      Value::build([](Builder& out) { return out.bytes_copy(std::string(600, 'x')); });
  SegmentSink sink;
  EXPECT_NO_THROW(opened.encode(value, sink));
  EXPECT_EQ(sink.size(), 600u);
  std::vector<char> heap(600, 's');
  from = heap.data();
  EXPECT_EQ(error_of([&] { opened.encode(value, sink); }).code(), Status::plugin);
  EXPECT_EQ(sink.size(), 0u);
}

TEST(Calls, StopBeforeTheStackEnds) {
  TestCodec codec;
  static int depth;
  struct Recurse {
    static std::int32_t down(polycodec_call* call, polycodec_error* error) {
      volatile char frame[1024];
      frame[0] = static_cast<char>(++depth);
      if (polycodec_stack_left(call) == 0)
        return polycodec_fail(error, POLYCODEC_ERROR_LIMIT, POLYCODEC_NO_OFFSET, "stack");
      const auto code = down(call, error);
      return frame[0] == 0 ? code : code;
    }
  };
  codec.decode = [](polycodec_call* call, const polycodec_input*, const polycodec_node**,
                    polycodec_error* error) {
    depth = 0;
    return Recurse::down(call, error);
  };
  EXPECT_EQ(decode_error(codec).code(), Status::limit);
  const int all = depth;
  CallOptions options;
  options.limits.emplace().max_stack_bytes = 64 << 10;
  EXPECT_EQ(decode_error(codec, options).code(), Status::limit);
  EXPECT_LT(depth, all);
}

}  // namespace
}  // namespace polycodec
