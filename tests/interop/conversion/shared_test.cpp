// SPDX-License-Identifier: MIT
// Walks of the host over values whose parts are shared: few bytes, and very many items on paper.
// Each ends with a result or a limit, in memory that follows the bytes.

#include "codecs.hpp"
#include "core/arrow/arrow.hpp"
#include "core/io/sink.hpp"
#include "core/schema/schema.hpp"
#include "core/text/infer.hpp"
#include "core/text/text.hpp"
#include "core/value/differences.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/rows.hpp"
#include "registry/channel/channel.hpp"
#include "sanitized.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace polycodec {
namespace {

struct Shared {
  std::string name;
  std::shared_ptr<const Value> value;
};

/// A table whose two columns are the same table, and so on.
Shared table_of_itself(int levels) {
  static const double numbers[] = {0, 1, 2};
  static constexpr std::string_view names[] = {"x", "y"};
  auto value = std::make_shared<Value>(Value::build([&](Builder& out) {
    const polycodec_array* at = out.vector(std::span<const double>(numbers));
    for (int i = 0; i < levels; ++i) at = out.record(3, names, {{at, at}});
    return Builder::array(at);
  }));
  return {"table of itself, " + std::to_string(levels), std::move(value)};
}

/// Lists that all have all items, which are such lists.
Shared lists_of_all(std::size_t lists, int levels) {
  auto value = std::make_shared<Value>(Value::build([&](Builder& out) {
    auto* const numbers = out.allocate<double>(lists);
    auto* const columns = out.allocate<std::int64_t>(2 * lists);
    std::fill_n(numbers, lists, 1.0);
    std::fill_n(columns, lists, 0);
    std::fill_n(columns + lists, lists, static_cast<std::int64_t>(lists));
    const polycodec_array* at = out.vector(std::span<const double>(numbers, lists));
    for (int i = 0; i < levels; ++i) {
      polycodec_array* const list = out.with_children(POLYCODEC_LAYOUT_LIST_VIEW, lists, {{at}});
      list->starts = Builder::column(std::span<const std::int64_t>(columns, lists));
      list->stops = Builder::column(std::span<const std::int64_t>(columns + lists, lists));
      at = list;
    }
    return Builder::array(at);
  }));
  return {std::to_string(lists) + " lists of all, " + std::to_string(levels), std::move(value)};
}

/// The same as nodes.
Shared objects_of_all(int levels) {
  auto value = std::make_shared<Value>(Value::build([&](Builder& out) {
    polycodec_node at = Builder::integer(7);
    for (int i = 0; i < levels; ++i) at = out.object({{"x", at}, {"y", at}});
    return at;
  }));
  return {"objects of all, " + std::to_string(levels), std::move(value)};
}

/// With a sanitizer only small ones: a budget is the same number of steps there, and each is slow.
std::vector<Shared> all_shared() {
  if (POLYCODEC_SANITIZED != 0) return {table_of_itself(12), objects_of_all(12)};
  return {table_of_itself(25), lists_of_all(99, 3), objects_of_all(12)};
}

struct Walk {
  std::string name;
  std::function<void(const Shared&)> run;
};

void make_part(const Shared& of,
               const std::function<void(const polycodec_array&, Builder&)>& make) {
  if (!of.value->view().is_array()) return;
  // As the C interface does, whose budget bounds the memory of a part.
  Value::build(
      [&](Builder& out) {
        make(of.value->view().as_array(), out);
        return Builder::null();
      },
      std::uint64_t{192} << 20);
}

std::vector<Walk> walks() {
  TextOptions plain;
  plain.plain = true;
  CompareOptions unordered;
  unordered.unordered_objects = true;
  std::vector<Walk> all{
      {"compare", [](const Shared& s) { (void)equal(s.value->view(), s.value->view()); }},
      {"compare by names",
       [=](const Shared& s) {
         (void)all_differences(s.value->view(), s.value->view(), unordered);
       }},
      {"print", [](const Shared& s) { (void)to_text(s.value->view()); }},
      {"print plainly", [=](const Shared& s) { (void)to_text(s.value->view(), plain); }},
      {"infer a type", [](const Shared& s) { (void)infer_type(s.value->view()); }},
      {"infer a schema", [](const Shared& s) { (void)schema::infer(s.value->view()); }},
      {"make it fit",
       [](const Shared& s) {
         static const schema::Schema numbers =
             schema::Schema::parse(R"({"type": "array", "items": {"type": "array"}})");
         Value::build([&](Builder& out) { return normalize(numbers, s.value->view(), out); });
       }},
      {"make a document",
       [](const Shared& s) {
         Value::build([&](Builder& out) { return to_document(View(s.value->view()), out); });
       }},
      {"materialize",
       [](const Shared& s) {
         make_part(s, [](const auto& array, Builder& out) { (void)materialize(array, out, {}); });
       }},
      {"rows",
       [](const Shared& s) {
         make_part(s, [](const auto& array, Builder& out) { (void)rows(array, 1, 1, out, {}); });
       }},
      {"export to Arrow",
       [](const Shared& s) {
         ArrowSchema schema{};
         ArrowArray array{};
         export_arrow(s.value, s.value->view(), schema, array);
         schema.release(&schema);
         array.release(&array);
       }},
      {"address",
       [](const Shared& s) { (void)registry().address(s.value->view(), Address::exact); }},
      {"logical address",
       [](const Shared& s) { (void)registry().address(s.value->view(), Address::logical); }},
  };
  CallOptions lossy;
  lossy.losses = all_losses;
  lossy.on_loss = [](LossClass, std::string_view, std::string_view) {};
  for (const CodecInfo& codec : registry().codecs()) {
    // No schema describes these values to fastbin in little memory.
    if (!codec.can_encode || codec.name == "fastbin") continue;
    const std::string name = codec.name;
    const bool takes_bytes = (codec.outputs & POLYCODEC_INPUT_BYTES) != 0;
    all.push_back({"encode to " + name, [=](const Shared& s) {
                     const Codec with = registry().codec(name);
                     MemoryBlobs blobs;
                     SegmentSink sink;
                     takes_bytes ? with.encode(s.value->view(), sink, lossy)
                                 : with.encode(s.value->view(), blobs, lossy);
                   }});
    if (takes_bytes)
      all.push_back({"pack with " + name, [=](const Shared& s) {
                       ChannelOptions options;
                       options.codec = name;
                       options.call = lossy;
                       (void)Channel(registry(), options).pack(s.value->view());
                     }});
    if (codec.can_write_stream)
      all.push_back({"write to a stream of " + name, [=](const Shared& s) {
                       ValueWriter writer(registry().codec(name), lossy);
                       SegmentSink sink;
                       for (int i = 0; i < 3; ++i) writer.append(s.value->view(), sink);
                       writer.finish(sink);
                     }});
  }
  return all;
}

/// Runs the walk in a child, so that its memory is known: 0, or 1 for a limit or what a codec has
/// no form for, or 2 for another error.
int end_of(const Walk& walk, const Shared& shared, std::uint64_t& grown) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    const auto most = [] {
      rusage usage{};
      ::getrusage(RUSAGE_SELF, &usage);
      return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    };
    const std::uint64_t before = most();
    int end = 0;
    try {
      walk.run(shared);
    } catch (const Error& e) {
      const bool expected = e.code() == Status::limit || e.code() == Status::unsupported ||
                            e.code() == Status::type || e.code() == Status::invalid;
      end = expected ? 1 : 2;
      if (!expected) std::fprintf(stderr, "%s\n", e.describe().c_str());
    }
    const std::uint64_t more = most() - before;
    ::_exit(::write(ends[1], &more, sizeof more) == sizeof more ? end : 3);
  }
  ::close(ends[1]);
  if (::read(ends[0], &grown, sizeof grown) != sizeof grown) grown = 0;
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(SharedParts, EveryWalkEnds) {
  const std::vector<Shared> values = all_shared();
  for (const Walk& walk : walks())
    for (const Shared& shared : values) {
      SCOPED_TRACE(walk.name + ": " + shared.name);
      std::uint64_t grown = 0;
      EXPECT_LE(end_of(walk, shared, grown), 1);
      if (POLYCODEC_SANITIZED == 0) {
        EXPECT_LT(grown, (std::uint64_t{290} << 20) + 1024 * shared.value->used_bytes());
      }
    }
}

TEST(SharedParts, TheOutputFollowsTheMemoryOfTheValue) {
  const Codec codec = registry().codec("dynd");
  SegmentSink sink;
  try {
    codec.encode(lists_of_all(99, 3).value->view(), sink);
    ADD_FAILURE() << "96 million numbers were written";
  } catch (const Error& e) {
    EXPECT_EQ(e.detail(), "limit.max_output_bytes") << e.describe();
  }
  EXPECT_EQ(sink.max_bytes(), UINT64_MAX);
  codec.encode(lists_of_all(40, 3).value->view(), sink);
  EXPECT_GT(sink.size(), 8u * 40 * 40 * 40 * 40);
}

TEST(SharedParts, WhatIsThereIsWritten) {
  // More than the base of the limits, and none of it is shared.
  const std::vector<double> numbers(10'000'000, 1.5);
  const Value value = Value::build(
      [&](Builder& out) { return Builder::array(out.vector(std::span<const double>(numbers))); });
  const Codec codec = registry().codec("msgpack-ndarray");
  SegmentSink sink;
  codec.encode(value.view(), sink);
  EXPECT_GT(sink.size(), 8 * numbers.size());
  BufferSink bounded(1000);
  EXPECT_THROW(codec.encode(value.view(), bounded), Error);
  ValueWriter writer(codec);
  SegmentSink stream;
  for (int i = 0; i < 3; ++i) writer.append(value.view(), stream);
  EXPECT_GT(stream.size(), 24 * numbers.size());
}

}  // namespace
}  // namespace polycodec
