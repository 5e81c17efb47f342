// SPDX-License-Identifier: MIT
// Cold, concurrent use of one registry: a plugin is loaded once, look-ups and calls need no help
// from their callers.

#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace polycodec;

constexpr int thread_count = 8;

/// Runs `body(i)` in several threads that start at the same moment.
void together(const std::function<void(int)>& body) {
  std::barrier start(thread_count);
  std::vector<std::jthread> threads;
  for (int i = 0; i < thread_count; ++i)
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      body(i);
    });
}

TEST(RegistryThreads, ColdLookupOfOneCodec) {
  for (int round = 0; round < 20; ++round) {
    const Registry registry = Registry::open();
    std::atomic<int> done{0};
    together([&](int) {
      const Codec codec = registry.codec("msgpack-ndarray");
      const Value value = codec.decode(Source::view("\x93\x01\x02\x03"));
      EXPECT_EQ(value.view().size(), 3u);
      EXPECT_EQ(codec.encode_to_string(value.view()), "\x93\x01\x02\x03");
      ++done;
    });
    EXPECT_EQ(done, thread_count);
  }
}

TEST(RegistryThreads, LookupsBesideEachOther) {
  const Registry registry = Registry::open();
  together([&](int i) {
    for (int k = 0; k < 50; ++k) {
      switch (i % 4) {
        case 0:
          EXPECT_NE(registry.find("msgpack"), nullptr);
          EXPECT_EQ(registry.find("nothing"), nullptr);
          break;
        case 1:
          EXPECT_FALSE(registry.sniff(Source::view("\x81\xa1x\x01")).empty());
          break;
        case 2:
          EXPECT_FALSE(registry.records().empty());
          break;
        default:
          EXPECT_FALSE(registry.explain_missing("msgpak").empty());
          break;
      }
    }
  });
}

TEST(RegistryThreads, OneInstanceManyCalls) {
  const Codec codec = Registry::open().codec("msgpack-ndarray");
  const Value shared =
      codec.decode(Source::view("\x82\xa1"
                                "a\x01\xa1"
                                "b\xa3xyz"));
  together([&](int) {
    Value value;
    for (int k = 0; k < 200; ++k) {
      codec.decode_into(value, std::string_view("\x92\xc0\xc3"));
      EXPECT_EQ(value.view().size(), 2u);
      EXPECT_EQ(shared.view().at("b").as_string(), "xyz");
      EXPECT_FALSE(attempt([&] { return codec.decode(Source::view("\x93\x01")); }).ok());
    }
  });
}

TEST(RegistryThreads, RegistriesBesideEachOther) {
  together([](int) {
    const Registry registry = Registry::open();
    EXPECT_NE(registry.find("msgpack-ndarray"), nullptr);
    EXPECT_EQ(registry.probe("msgpack-ndarray").outcome, Outcome::loaded);
  });
}

TEST(RegistryThreads, CancelFromAnotherThread) {
  const Codec codec = Registry::open().codec("msgpack-ndarray");
  const std::string bytes = std::string("\xdd\x00\x40\x00\x00", 5) + std::string(1 << 22, '\xc0');
  std::atomic<bool> cancel{true};
  CallOptions options;
  options.cancel = &cancel;
  const auto result = attempt([&] { return codec.decode(Source::view(bytes), options); });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), Status::cancelled);
}

}  // namespace
