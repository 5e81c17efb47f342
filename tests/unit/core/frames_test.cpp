// SPDX-License-Identifier: MIT
#include "core/wire/frames.hpp"

#include <polycodec/kit/corpus.hpp>

#include "core/text/text.hpp"
#include "core/wire/frame_header.hpp"
#include "error_of.hpp"
#include "random_value.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace polycodec {
namespace {

using test::error_of;

/// Frames in memory of their own, as a receiver has them.
struct Received {
  std::string header;
  std::vector<std::string> bytes;
  std::vector<Segment> buffers;

  explicit Received(const Frames& frames) : header(frames.header) {
    for (const Segment& s : frames.buffers)
      bytes.emplace_back(static_cast<const char*>(s.data), s.size);
    for (const std::string& b : bytes) buffers.push_back({b.data(), b.size()});
  }
  Value value() const { return from_frames(header, buffers, nullptr); }
};

void expect_same(const Value& sent, const Value& received) {
  const auto difference = first_difference(sent.view(), received.view());
  EXPECT_FALSE(difference) << difference->path << ": " << difference->reason;
  EXPECT_EQ(to_text(sent.view()), to_text(received.view()));
}

TEST(Frames, CarryTheCorpus) {
  for (const kit::CorpusEntry& entry : kit::corpus()) {
    SCOPED_TRACE(entry.name);
    const Value value = Value::build(entry.make);
    const Received received(to_frames(value));
    expect_same(value, received.value());
  }
}

TEST(Frames, CarryRandomValues) {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    const Value value = Value::build(
        [&](Builder& out) { return RandomValue(out, seed).node(static_cast<int>(1 + seed % 5)); });
    const Received received(to_frames(value));
    expect_same(value, received.value());
    // Once more from a value that consists of frames.
    const Value again = received.value();
    expect_same(value, Received(to_frames(again)).value());
  }
}

polycodec_node numbers(Builder& out, std::span<const double> items) {
  return Builder::array(out.vector(items));
}

TEST(Frames, CopyNoArray) {
  std::vector<double> items(10000);
  std::iota(items.begin(), items.end(), 0.0);
  const Value value = Value::build([&](Builder& out) { return numbers(out, items); });
  const Frames frames = to_frames(value);
  ASSERT_EQ(frames.buffers.size(), 1u);
  EXPECT_EQ(frames.buffers[0].data, items.data());
  EXPECT_EQ(frames.buffers[0].size, items.size() * 8);
  EXPECT_LT(frames.header.size(), 512u);
  const Received received(frames);
  const Value back = received.value();
  EXPECT_EQ(back.root()->as.array->data, received.bytes[0].data());
  EXPECT_TRUE(back.contains(back.root()->as.array->data, items.size() * 8));
  EXPECT_GE(back.used_bytes(), items.size() * 8);
}

// Columns of the rows of a file view one buffer: it is sent once.
TEST(Frames, SendSharedBuffersOnce) {
  std::vector<double> rows(3000);
  const Value value = Value::build([&](Builder& out) {
    const std::string_view buffer(reinterpret_cast<const char*>(rows.data()), rows.size() * 8);
    const auto column = [&](std::size_t at, std::size_t from) {
      return out.strided(buffer.substr(from), rows.data() + at, 1000, 24, POLYCODEC_DTYPE_FLOAT64,
                         8);
    };
    const polycodec_array* columns[] = {column(0, 0), column(1, 8), column(2, 0)};
    const std::string_view names[] = {"x", "y", "z"};
    return Builder::array(out.record(1000, names, columns));
  });
  const Frames frames = to_frames(value);
  ASSERT_EQ(frames.buffers.size(), 1u);
  EXPECT_EQ(frames.buffers[0].size, 24000u);
  expect_same(value, Received(frames).value());
}

// Rows that share their content, level by level: 2^20 items on paper.
TEST(Frames, SendSharedArraysOnce) {
  const Value value = Value::build([](Builder& out) {
    static const std::int8_t one[] = {1};
    const polycodec_array* level = out.vector(std::span<const std::int8_t>(one));
    for (int i = 0; i < 20; ++i) {
      const polycodec_array* both[] = {level, level};
      level = out.with_children(POLYCODEC_LAYOUT_RECORD, 1, both);
    }
    return Builder::array(level);
  });
  const Frames frames = to_frames(value);
  EXPECT_LT(frames.header.size(), 8192u);
  const auto error = error_of([&] {
    Limits limits;
    limits.max_nodes = 1000;
    (void)from_frames(frames.header, {}, nullptr, limits);
  });
  EXPECT_TRUE(error.code() == Status::limit) << error.message();
}

TEST(Frames, KeepCyclesAndMarks) {
  Value value;
  Builder out(value.prepare(UINT64_MAX));
  auto* const nodes = out.allocate<polycodec_node>(2);
  nodes[0] = Builder::string_view("self");
  nodes[1] = Builder::reference(nodes);
  polycodec_node list = polycodec_node_make(POLYCODEC_KIND_LIST, 0, 2);
  list.as.nodes = nodes;
  const polycodec_node* const root = out.root(list);
  nodes[1] = Builder::reference(root);
  value.set_root(root, true);
  const Value back = Received(to_frames(value)).value();
  EXPECT_TRUE(back.is_partial());
  ASSERT_EQ(back.root()->as.nodes[1].kind, POLYCODEC_KIND_REFERENCE);
  EXPECT_EQ(back.root()->as.nodes[1].as.node, back.root());
}

TEST(Frames, KeepTheirOwner) {
  auto owner = std::make_shared<Received>(to_frames(
      Value::build([](Builder& out) { return out.string_copy(std::string(9000, 'x')); })));
  const std::weak_ptr<Received> watch = owner;
  {
    const Value value = from_frames(owner->header, owner->buffers, owner);
    owner.reset();
    EXPECT_FALSE(watch.expired());
    EXPECT_EQ(value.view().as_string().size(), 9000u);
  }
  EXPECT_TRUE(watch.expired());
}

// -- hostile frames --

Received sample() {
  return Received(to_frames(Value::build([](Builder& out) {
    std::vector<polycodec_node> all;
    for (const kit::CorpusEntry& entry : kit::corpus()) all.push_back(entry.make(out));
    all.push_back(out.string_copy(std::string(5000, 'x')));
    return out.list(all);
  })));
}

TEST(Frames, RefuseOtherVersions) {
  Received frames = sample();
  frames.header[8] = 2;
  const auto error = error_of([&] { (void)frames.value(); });
  EXPECT_EQ(error.code(), Status::unsupported);
  EXPECT_NE(error.message().find("version 2"), std::string::npos);
}

TEST(Frames, RefuseFramesThatAreCutOffMissingOrTooMany) {
  const Received frames = sample();
  for (std::size_t size = 0; size < frames.header.size(); size += size < 256 ? 1 : 97) {
    const std::string cut = frames.header.substr(0, size);
    EXPECT_EQ(error_of([&] { (void)from_frames(cut, frames.buffers, nullptr); }).code(),
              Status::truncated)
        << size;
  }
  const auto code = [&](std::span<const Segment> buffers) {
    return error_of([&] { (void)from_frames(frames.header, buffers, nullptr); }).code();
  };
  auto buffers = frames.buffers;
  ASSERT_FALSE(buffers.empty());
  buffers.back().size -= 1;
  EXPECT_EQ(code(buffers), Status::truncated);
  buffers.pop_back();
  EXPECT_EQ(code(buffers), Status::malformed);
  EXPECT_EQ(
      error_of([&] { (void)from_frames(frames.header + "x", frames.buffers, nullptr); }).code(),
      Status::malformed);
  EXPECT_EQ(error_of([] { (void)from_frames("YGG_MSG_HEAD", {}, nullptr); }).code(),
            Status::malformed);
}

// Whatever a byte of the header becomes, there is an error or a valid value.
TEST(Frames, SurviveAnyChangeOfTheHeader) {
  const Received frames = sample();
  std::mt19937 random(7);
  std::size_t accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    Received changed = frames;
    const int changes = 1 + static_cast<int>(random() % 3);
    for (int c = 0; c < changes; ++c) {
      const std::size_t at = random() % changed.header.size();
      const auto values = std::to_array<char>({0, 1, 2, 127, -128, -1});
      changed.header[at] = values[random() % values.size()];
    }
    try {
      const Value value = from_frames(changed.header, frames.buffers, nullptr);
      validate(value.view(), Limits{}, Validation::full);
      ++accepted;
    } catch (const Error& e) {
      EXPECT_FALSE(e.message().empty());
    }
  }
  EXPECT_GT(accepted, 100u);
}

TEST(Frames, RefuseCountsThatTheHeaderCannotHold) {
  const Received frames = sample();
  for (std::size_t at = 24; at < sizeof(wire::Head); at += 8) {
    for (const std::uint64_t count :
         {UINT64_MAX, UINT64_MAX / 16, std::uint64_t{1} << 60, std::uint64_t{1} << 32}) {
      Received changed = frames;
      std::memcpy(changed.header.data() + at, &count, sizeof count);
      EXPECT_NE(
          error_of([&] { (void)from_frames(changed.header, frames.buffers, nullptr); }).code(),
          Status::ok)
          << at;
    }
  }
}

// docs/frames.md says what each byte is. This value is its example.
TEST(Frames, AreAsThePageSays) {
  const Frames frames = to_frames(Value::build([](Builder& out) {
    return out.list({Builder::integer(7), Builder::null()});
  }));
  std::ifstream page(POLYCODEC_SOURCE_DIR "/docs/frames.md");
  std::string line, bytes;
  bool inside = false;
  while (std::getline(page, line)) {
    if (line == "```frames") {
      inside = true;
    } else if (line.starts_with("```")) {
      inside = false;
    } else if (inside) {
      for (std::size_t i = 6; i + 1 < line.size() && i < 6 + 3 * 16 && line[i] != ' '; i += 3)
        bytes.push_back(static_cast<char>(std::stoi(line.substr(i, 2), nullptr, 16)));
    }
  }
  // The order of the nodes follows from where they lie in memory: it is not the page's.
  ASSERT_EQ(bytes.size(), frames.header.size());
  EXPECT_EQ(bytes.substr(0, 24), frames.header.substr(0, 24));
  EXPECT_EQ(bytes.substr(32, 96), frames.header.substr(32, 96));
  const Value value = from_frames(bytes, {}, nullptr);
  EXPECT_EQ(to_text(value.view()), to_text(from_frames(frames.header, {}, nullptr).view()));
}

}  // namespace
}  // namespace polycodec
