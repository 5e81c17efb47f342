// SPDX-License-Identifier: MIT
// Whatever a plugin offers gives the same isolated as in-process.
#include <polycodec/error.hpp>

#include "core/io/sink.hpp"
#include "core/store/open.hpp"
#include "core/text/text.hpp"
#include "files.hpp"
#include "mapped_files.hpp"
#include "registry/codec/codec_handle.hpp"
#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace polycodec {
namespace {

Registry registry(IsolationMode mode, bool reuse = true) {
  RegistryOptions options;
  options.use_environment = false;
  options.policy.isolation.mode = mode;
  options.policy.isolation.reuse = reuse;
  return Registry::open(options);
}

/// A value of many kinds, with `size` bytes in one array.
Value value_of(std::size_t size) {
  return Value::build([&](Builder& out) {
    std::vector<double> numbers(size / sizeof(double));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
    const polycodec_node array = Builder::array(out.vector(
        std::span<const double>(out.store_all(std::span<const double>(numbers)), numbers.size())));
    const polycodec_node list[] = {out.string_copy("text"), Builder::null(),
                                   out.bytes_copy(std::string(size, 'b'))};
    return out.object({{"numbers", array}, {"list", out.list(list)}});
  });
}

void put(BlobSink& sink, const char* name, std::string_view bytes) {
  invoke(&polycodec_sink_put, sink.begin_blob(name).abi(), static_cast<const void*>(bytes.data()),
         std::uint64_t{bytes.size()});
}

/// Small results are copied, large ones are taken over with their pages.
class Kinds : public ::testing::TestWithParam<std::size_t> {
 protected:
  const Registry isolated_ = registry(IsolationMode::process);
  const Registry plain_ = registry(IsolationMode::in_process);
  const Value value_ = value_of(GetParam());
};

TEST_P(Kinds, CodecsEncodeAndDecode) {
  const Codec isolated = isolated_.codec("msgpack-ndarray"),
              plain = plain_.codec("msgpack-ndarray");
  const std::string bytes = plain.encode_to_string(value_.view());
  EXPECT_EQ(isolated.encode_to_string(value_.view()), bytes);
  for (int i = 0; i < 3; ++i) {
    const Value decoded = isolated.decode(Source::view(bytes));
    EXPECT_EQ(to_text(decoded.view()), to_text(value_.view()));
  }
}

TEST_P(Kinds, CodecsWriteStores) {
  const NodeView numbers = value_.view().at("numbers");
  MemoryBlobs blobs;
  isolated_.codec("awkward").encode(numbers, blobs);
  blobs.finish();
  const Source written = Source::store(blobs.to_store());
  for (const Registry* reading : {&plain_, &isolated_})
    EXPECT_TRUE(equal(reading->codec("awkward").decode(written).view(), numbers));
}

TEST_P(Kinds, ValuesOutliveTheirWorkers) {
  std::vector<Value> values;
  std::string bytes;
  {
    const Registry fresh = registry(IsolationMode::process, false);
    const Codec codec = fresh.codec("msgpack-ndarray");
    bytes = codec.encode_to_string(value_.view());
    for (int i = 0; i < 40; ++i) values.push_back(codec.decode(Source::view(bytes)));
  }
  for (const Value& value : values) EXPECT_EQ(to_text(value.view()), to_text(value_.view()));
}

TEST_P(Kinds, ThreadsHaveWorkersOfTheirOwn) {
  const Codec codec = isolated_.codec("msgpack-ndarray");
  const std::string bytes = codec.encode_to_string(value_.view());
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (std::string& result : results)
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i) result = to_text(codec.decode(Source::view(bytes)).view());
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& result : results) EXPECT_EQ(result, to_text(value_.view()));
}

TEST_P(Kinds, Filters) {
  const char* const filters = R"([{"id": "zstd"}])";
  const Codec isolated = isolated_.codec_with_json("msgpack-ndarray", "", filters);
  const Codec plain = plain_.codec_with_json("msgpack-ndarray", "", filters);
  const std::string bytes = plain.encode_to_string(value_.view());
  EXPECT_EQ(isolated.encode_to_string(value_.view()), bytes);
  EXPECT_EQ(to_text(isolated.decode(Source::view(bytes)).view()), to_text(value_.view()));
}

TEST_P(Kinds, StoresAreWrittenChangedAndRead) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.path() / "store.h5";
  const std::string first(GetParam(), 'a'), second(GetParam(), 'z');
  {
    const auto sink = isolated_.create_store("hdf5", path);
    put(*sink, "one", first);
    put(*sink, "two", "2");
    sink->finish();
  }
  {
    const auto sink = isolated_.edit_store(path);
    sink->remove("two");
    put(*sink, "three", second);
    sink->finish();
  }
  for (const Registry* with : {&plain_, &isolated_}) {
    const auto store = with->open_store(open_source(path));
    ASSERT_NE(store, nullptr);
    ASSERT_EQ(store->entries().size(), 2u);
    EXPECT_EQ(store->read("one"), first);
    EXPECT_EQ(store->read("three"), second);
  }
}

TEST_P(Kinds, Streams) {
  const Codec codec = isolated_.codec("msgpack-ndarray");
  const std::string one = codec.encode_to_string(value_.view());
  ValueStream stream(codec);
  Value value;
  for (int i = 0; i < 3; ++i) stream.feed(one);
  stream.end();
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(stream.next(value));
    EXPECT_EQ(to_text(value.view()), to_text(value_.view()));
  }
  EXPECT_FALSE(stream.next(value));
}

TEST_P(Kinds, FilesAreNotCopied) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.path() / "value.msgpack";
  test::write_file(path, plain_.codec("msgpack-ndarray").encode_to_string(value_.view()));
  const Codec codec = isolated_.codec("msgpack-ndarray");
  for (int i = 0; i < 3; ++i) {
    const Source source = Source::file(path);
    const Value decoded = codec.decode(source);
    EXPECT_EQ(to_text(decoded.view()), to_text(value_.view()));
    if (!source.is_mapped() || !test::workers_map_files(isolated_, "msgpack-ndarray")) continue;
    const std::string_view part = (*decoded.view().find("list"))[2].as_bytes();
    EXPECT_GE(part.data(), source.bytes().data());
    EXPECT_LE(part.data() + part.size(), source.bytes().data() + source.bytes().size());
  }
}

TEST_P(Kinds, AFileThatIsCutShortIsNoFaultOfThePlugin) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.path() / "value.msgpack";
  test::write_file(path, plain_.codec("msgpack-ndarray").encode_to_string(value_.view()));
  const Codec codec = isolated_.codec("msgpack-ndarray");
  const Source source = Source::file(path);
  std::filesystem::resize_file(path, 0);
  if (!source.is_mapped()) GTEST_SKIP() << "small files are read";
  if (!test::workers_map_files(isolated_, "msgpack-ndarray"))
    GTEST_SKIP() << "without seccomp the host itself reads the file";
  EXPECT_EQ(attempt([&] { return codec.decode(source); }).error().code(), Status::io);
  const std::string bytes = codec.encode_to_string(value_.view());
  EXPECT_EQ(to_text(codec.decode(Source::view(bytes)).view()), to_text(value_.view()));
}

TEST_P(Kinds, StreamsInSmallPieces) {
  const Codec codec = isolated_.codec("msgpack-ndarray");
  const std::string one = codec.encode_to_string(value_.view());
  ValueStream stream(codec);
  Value value;
  int found = 0;
  const std::string all = one + one + one;
  const std::size_t piece = all.size() / 50 + 1;
  for (std::size_t at = 0; at < all.size(); at += piece) {
    stream.feed(std::string_view(all).substr(at, piece));
    for (; stream.next(value); ++found) EXPECT_EQ(to_text(value.view()), to_text(value_.view()));
  }
  stream.end();
  while (stream.next(value)) ++found;
  EXPECT_EQ(found, 3);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Kinds, ::testing::Values(64, 300'000));

TEST(Isolated, LimitsAreThoseOfTheCall) {
  const Registry isolated = registry(IsolationMode::process);
  const Codec codec = isolated.codec("msgpack-ndarray");
  const std::string bytes = codec.encode_to_string(value_of(300'000).view());
  CallOptions tight;
  tight.limits.emplace();
  tight.limits->max_nodes = 2;
  EXPECT_THROW(codec.decode(Source::view(bytes), tight), Error);
  EXPECT_NO_THROW(codec.decode(Source::view(bytes)));
}

}  // namespace
}  // namespace polycodec
