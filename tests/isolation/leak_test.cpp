// SPDX-License-Identifier: MIT
// A host that makes many calls of all kinds has no more of anything afterwards.
#include <polycodec/error.hpp>

#include "core/io/sink.hpp"
#include "core/store/open.hpp"
#include "evil_host.hpp"
#include "files.hpp"
#include "processes.hpp"
#include "registry/codec/codec_handle.hpp"
#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace polycodec {
namespace {

struct Holdings {
  std::size_t descriptors = test::count_descriptors(), mappings = test::count_mappings(),
              processes = test::descendants(::getpid()).size();
  std::uint64_t memory = test::resident_bytes();
};

/// Hosts with workers that are reused and with a new one for each call, and all they can be asked.
class Calls {
 public:
  Calls() : reused_(registry(true)), fresh_(registry(false)) {
    const Value value = Value::build([](Builder& out) {
      return out.object({{"text", out.string_copy("text")},
                         {"bytes", out.bytes_copy(std::string(300'000, 'b'))}});
    });
    large_ = reused_.codec("msgpack-ndarray").encode_to_string(value.view());
    large_file_ = directory_.path() / "large.msgpack";
    store_file_ = directory_.path() / "store.h5";
    std::ofstream(large_file_, std::ios::binary) << large_;
    const auto sink = reused_.create_store("hdf5", store_file_);
    invoke(&polycodec_sink_put, sink->begin_blob("one").abi(),
           static_cast<const void*>(large_.data()), std::uint64_t{large_.size()});
    sink->finish();
    // Each plugin is loaded now, and not in the middle.
    for (const Registry* one : {&reused_, &fresh_}) (void)one->open_store(open_source(store_file_));
    for (const test::EvilDeed& deed : test::evil_deeds)
      if (!deed.slow) deeds_.push_back(&deed);
  }

  /// Most calls are small and good, as in life; some are large, new or evil.
  void make(std::uint64_t i) {
    const Registry& registry = i % 97 == 0 ? fresh_ : reused_;
    if (i % 1009 == 0) {
      (void)evil_.try_deed(*deeds_[i / 1009 % deeds_.size()]);
      ASSERT_EQ(evil_.good(), test::good_text);
    } else if (i % 211 == 0) {
      ASSERT_EQ(registry.open_store(open_source(store_file_))->read("one"), large_);
    } else if (i % 89 == 0) {
      const Value value = registry.codec("msgpack-ndarray").decode(Source::file(large_file_));
      ASSERT_EQ(registry.codec("msgpack-ndarray").encode_to_string(value.view()), large_);
    } else if (i % 53 == 0) {
      ValueStream stream(registry.codec("msgpack-ndarray"));
      stream.feed(large_);
      stream.end();
      Value value;
      ASSERT_TRUE(stream.next(value));
    } else {
      const Codec& codec = i % 97 == 0 ? fresh_codec_ : reused_codec_;
      ASSERT_EQ(codec.decode(Source::view("\x93\x01\x02\x03")).view().size(), 3u);
    }
  }

 private:
  static Registry registry(bool reuse) {
    RegistryOptions options;
    options.use_environment = false;
    options.policy.isolation.mode = IsolationMode::process;
    options.policy.isolation.reuse = reuse;
    return Registry::open(options);
  }

  const test::TemporaryDirectory directory_;
  const Registry reused_, fresh_;
  const test::EvilHost evil_;
  const Codec reused_codec_ = reused_.codec("msgpack-ndarray"),
              fresh_codec_ = fresh_.codec("msgpack-ndarray");
  std::string large_, large_file_, store_file_;
  std::vector<const test::EvilDeed*> deeds_;
};

void print(const char* when, const Holdings& all) {
  std::printf("%s: %zu descriptors, %zu mappings, %zu processes, %.1f MiB resident\n", when,
              all.descriptors, all.mappings, all.processes,
              static_cast<double>(all.memory) / (1 << 20));
}

/// POLYCODEC_LEAK_CALLS: 1,000,000 take about a minute.
TEST(Leaks, ManyCallsLeaveNothing) {
  const char* const text = std::getenv("POLYCODEC_LEAK_CALLS");
  const std::uint64_t count = text == nullptr ? 3'000 : std::strtoull(text, nullptr, 10);
  test::adopt_orphans();
  {
    Calls calls;
    constexpr std::uint64_t warm_up = 2'000;
    for (std::uint64_t i = 1; i <= warm_up; ++i) ASSERT_NO_FATAL_FAILURE(calls.make(i));
    const Holdings before;
    print("before", before);
    for (std::uint64_t i = 1; i <= count; ++i) ASSERT_NO_FATAL_FAILURE(calls.make(i));
    // A retired worker may still be about to end.
    EXPECT_TRUE(test::wait_until(
        [&] { return test::descendants(::getpid()).size() <= before.processes + 2; }));
    const Holdings after;
    print("after", after);
    EXPECT_LE(after.descriptors, before.descriptors + 24);  // segments that are pooled, retired
    EXPECT_LE(after.mappings, before.mappings + 40);
    EXPECT_LE(after.memory, before.memory + (std::uint64_t{64} << 20));
  }
  EXPECT_TRUE(test::wait_until([] { return test::descendants(::getpid()).empty(); }));
}

}  // namespace
}  // namespace polycodec
