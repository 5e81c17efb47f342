// SPDX-License-Identifier: MIT
#include <base/varint.hpp>
#include <polycodec/writer.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace polycodec;

// A sink that does no more than the contract says: windows of exactly the asked size, moved by each
// grow, so that a byte too far or a stale pointer meets AddressSanitizer.
class TestSink {
 public:
  TestSink() {
    sink_.struct_size = sizeof sink_;
    sink_.private_data = this;
    sink_.grow = [](polycodec_sink* s, std::uint64_t need, polycodec_error* e) {
      return self(s).grow(need, e);
    };
    sink_.reference = [](polycodec_sink* s, const void* data, std::uint64_t size,
                         polycodec_error*) {
      self(s).collect();
      self(s).references.emplace_back(data, size);
      self(s).blob().append(static_cast<const char*>(data), size);
      return std::int32_t{POLYCODEC_OK};
    };
    sink_.expect = [](polycodec_sink* s, std::uint64_t size, polycodec_error* e) {
      self(s).expected = size;
      return size > self(s).limit ? fill_error(e, Status::limit, "too much") : POLYCODEC_OK;
    };
    sink_.adopt = [](polycodec_sink* s, void* object, void (*release)(void*),
                     const polycodec_bytes* given, std::uint64_t n, polycodec_error*) {
      self(s).adopted.emplace_back(object, release);
      for (std::uint64_t i = 0; i < n; ++i) self(s).extents.push_back(to_string_view(given[i]));
      return std::int32_t{POLYCODEC_OK};
    };
    store_.struct_size = sizeof store_;
    store_.private_data = this;
    store_.begin_blob = [](polycodec_store_writer* w, polycodec_call*, polycodec_bytes name,
                           polycodec_bytes of, polycodec_sink** sink, polycodec_error*) {
      auto& own = *static_cast<TestSink*>(w->private_data);
      own.collect();
      own.name_ = to_string_view(name);
      own.owner = to_string_view(of);
      *sink = own.get();
      return std::int32_t{POLYCODEC_OK};
    };
  }
  TestSink(const TestSink&) = delete;
  TestSink& operator=(const TestSink&) = delete;

  polycodec_sink* get() { return &sink_; }
  /// An output of named blobs, which belong to the value called "value".
  polycodec_output blobs() {
    polycodec_output output{};
    output.struct_size = sizeof output;
    output.parts = POLYCODEC_INPUT_STORE;
    output.store = &store_;
    output.member = to_bytes("value");
    return output;
  }
  const std::string& output(const std::string& name = "") {
    collect();
    return blobs_[name];
  }

  std::uint64_t limit = std::uint64_t{1} << 40;
  std::uint64_t expected = 0;
  int grown = 0;
  std::vector<std::pair<const void*, std::uint64_t>> references;
  std::vector<std::pair<void*, void (*)(void*)>> adopted;
  std::vector<std::string_view> extents;
  std::string owner;

 private:
  static TestSink& self(polycodec_sink* s) { return *static_cast<TestSink*>(s->private_data); }
  std::string& blob() { return blobs_[name_]; }
  void collect() {
    if (sink_.cursor != start_)
      blob().append(reinterpret_cast<const char*>(start_),
                    static_cast<std::size_t>(sink_.cursor - start_));
    start_ = sink_.cursor;
  }
  std::int32_t grow(std::uint64_t need, polycodec_error* error) {
    collect();
    EXPECT_GE(need, 1u);
    EXPECT_LE(need, POLYCODEC_MAX_WINDOW);
    if (blob().size() + need > limit) return fill_error(error, Status::limit, "no more output");
    ++grown;
    window_ = std::make_unique<std::uint8_t[]>(need);
    start_ = sink_.cursor = window_.get();
    sink_.limit = sink_.cursor + need;
    return POLYCODEC_OK;
  }

  polycodec_sink sink_{};
  polycodec_store_writer store_{};
  std::unique_ptr<std::uint8_t[]> window_;
  std::uint8_t* start_ = nullptr;
  std::string name_;
  std::map<std::string, std::string> blobs_;
};

template <class Call>
Status status_of(Call call) {
  try {
    call();
  } catch (const Error& e) {
    return e.code();
  }
  return Status::ok;
}

TEST(Writer, WritesEveryKindInOrder) {
  TestSink sink;
  Writer out(sink.get());
  out.put_u8(1);
  out.put_le<std::uint16_t>(0x0302);
  out.put_be<std::uint16_t>(0x0405);
  out.put_be<std::uint32_t>(0x06070809);
  out.put_be(1.0f);
  out.put_text("text");
  out.put_bytes(nullptr, 0);
  out.put_fill(7, 3);
  write_varint(out, 300);
  EXPECT_EQ(out.position(), 22u);
  out.flush();
  EXPECT_EQ(out.position(), 22u);
  EXPECT_EQ(
      sink.output(),
      std::string("\x01\x02\x03\x04\x05\x06\x07\x08\x09\x3f\x80\x00\x00text\x07\x07\x07\xac\x02",
                  22));
}

TEST(Writer, LongPiecesAndFillsGoThroughManyWindows) {
  TestSink sink;
  Writer out(sink.get());
  std::string data(5 * 1024 * 1024 + 3, '\0');
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>(i * 7);
  out.put_u8('x');
  out.put_bytes(data.data(), data.size());
  out.put_fill('f', 200000);
  out.flush();
  EXPECT_EQ(out.position(), data.size() + 200001);
  EXPECT_TRUE(sink.output() == "x" + data + std::string(200000, 'f'));
}

TEST(Writer, ReservesAndCommitsLess) {
  TestSink sink;
  Writer out(sink.get());
  std::uint8_t* p = out.reserve(100);
  EXPECT_GE(out.window(), 100u);
  std::memcpy(p, "abc", 3);
  out.commit(3);
  EXPECT_NO_THROW(out.reserve(0));
  out.flush();
  EXPECT_EQ(sink.output(), "abc");
  EXPECT_EQ(status_of([&] { out.reserve(POLYCODEC_MAX_WINDOW + 1); }), Status::invalid);
  EXPECT_NO_THROW(out.reserve(POLYCODEC_MAX_WINDOW));
}

TEST(Writer, ReferencesLargePiecesAndCopiesSmallOnes) {
  TestSink sink;
  Writer out(sink.get());
  const std::string large(Writer::reference_threshold, 'L');
  const std::string small(Writer::reference_threshold - 1, 's');
  out.put_text("a");
  out.reference(large.data(), large.size());
  out.put_text("b");
  out.reference(small.data(), small.size());
  out.reference(nullptr, 0);
  EXPECT_EQ(out.position(), 2 + large.size() + small.size());
  out.flush();
  ASSERT_EQ(sink.references.size(), 1u);
  EXPECT_EQ(sink.references[0].first, large.data());
  EXPECT_EQ(sink.output(), "a" + large + "b" + small);
}

TEST(Writer, PassesOnWhatTheSinkRefuses) {
  TestSink sink;
  sink.limit = 10;
  Writer out(sink.get());
  EXPECT_EQ(status_of([&] { out.expect(11); }), Status::limit);
  EXPECT_NO_THROW(out.expect(10));
  EXPECT_EQ(sink.expected, 10u);
  out.put_text("0123456789");
  EXPECT_EQ(status_of([&] { out.put_u8(1); }), Status::limit);
}

TEST(Writer, BlobsHaveTheirOwnPositions) {
  TestSink sink;
  const polycodec_output output = sink.blobs();
  polycodec_call call{};
  Writer out(Call(&call), output);
  ASSERT_TRUE(out.has_blobs());
  EXPECT_EQ(status_of([&] { out.put_u8(1); }), Status::unsupported);
  EXPECT_NO_THROW(out.expect(3));
  out.begin_blob("one");
  out.put_text("first");
  out.begin_blob("two");
  EXPECT_EQ(out.position(), 0u);
  out.put_text("2nd");
  EXPECT_EQ(out.position(), 3u);
  out.flush();
  EXPECT_EQ(sink.output("two"), "2nd");
  EXPECT_EQ(sink.output("one"), "first");
  EXPECT_EQ(sink.owner, "value");
  TestSink plain;
  Writer run(plain.get());
  EXPECT_FALSE(run.has_blobs());
  EXPECT_EQ(status_of([&] { run.begin_blob("x"); }), Status::unsupported);
}

TEST(Writer, OthersMayWriteBetweenFlushAndResume) {
  TestSink sink;
  Writer out(sink.get());
  out.put_text("a");
  out.flush();
  {
    Writer nested(out.sink());
    nested.put_text("nested");
    nested.flush();
  }
  out.resume();
  out.put_text("z");
  out.flush();
  EXPECT_EQ(sink.output(), "anestedz");
  EXPECT_EQ(out.position(), 2u);
}

TEST(Writer, HandsOverMemory) {
  TestSink sink;
  Writer out(sink.get());
  int object = 0;
  out.adopt(
      &object, [](void* p) { *static_cast<int*>(p) = 1; }, "memory");
  ASSERT_EQ(sink.adopted.size(), 1u);
  EXPECT_EQ(sink.extents.at(0), "memory");
  sink.adopted[0].second(sink.adopted[0].first);
  EXPECT_EQ(object, 1);
}

}  // namespace
