// SPDX-License-Identifier: MIT
// A conversion that changes the content address reports at least one member: as lost or as retyped.

#include "core/io/sink.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"
#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace polycodec {
namespace {

/// All plugins of this build.
const Registry& registry() {
  static const Registry all = Registry::open();
  return all;
}

class RandomScalars {
 public:
  RandomScalars(Builder& out, std::uint32_t seed) : out_(out), random_(seed) {}

  polycodec_node value() {
    switch (below(6)) {
      case 0:
        return scalar();
      case 1:
        return out_.list({scalar(), scalar()});
      case 2:
        return out_.tuple({scalar(), scalar(), scalar()});
      case 3:
        return out_.object({{"a", scalar()}, {"b", out_.list({scalar()})}});
      case 4:
        return times();
      default:
        return out_.object({{"when", times()}, {"x", out_.tuple({scalar()})}});
    }
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  std::uint8_t among(std::uint32_t from, std::uint32_t to) {
    return static_cast<std::uint8_t>(from + below(to - from + 1));
  }

  polycodec_node scalar() {
    switch (below(10)) {
      case 0:
        return Builder::null();
      case 1:
        return Builder::boolean(below(2) == 0);
      case 2:
        return Builder::integer(static_cast<std::int64_t>(below(200)) - 100,
                                among(POLYCODEC_DTYPE_INT8, POLYCODEC_DTYPE_INT64));
      case 3:
        return Builder::unsigned_integer(below(200),
                                         among(POLYCODEC_DTYPE_UINT8, POLYCODEC_DTYPE_UINT64));
      case 4: {
        constexpr double numbers[] = {0.0,   -0.0,  1.5,
                                      -3.25, 1e300, std::numeric_limits<double>::infinity()};
        return Builder::real(numbers[below(std::size(numbers))]);
      }
      case 5: {
        const std::array<float, 2> pair{1.5F, -2.0F};
        return out_.wide(POLYCODEC_DTYPE_COMPLEX64, pair.data());
      }
      case 6: {
        constexpr std::string_view texts[] = {"", "a", "ü", "2020-01-01"};
        return out_.string_copy(texts[below(std::size(texts))]);
      }
      case 7:
        return out_.bytes_copy("\xff\x01z");
      case 8: {
        const std::uint32_t unit = among(POLYCODEC_UNIT_YEAR, POLYCODEC_UNIT_NANOSECOND);
        return out_.timestamp(static_cast<std::int64_t>(below(2000)) - 1000, 0, unit);
      }
      default:
        return out_.duration(static_cast<std::int64_t>(below(2000)) - 1000,
                             among(POLYCODEC_UNIT_WEEK, POLYCODEC_UNIT_ATTOSECOND));
    }
  }

  polycodec_node times() {
    const auto* counts = out_.store_all(std::span<const std::int64_t>({1, -5, 86400}));
    polycodec_array* const leaf = out_.vector(std::span<const std::int64_t>(counts, 3));
    leaf->dtype = below(2) == 0 ? POLYCODEC_DTYPE_TIMESTAMP64 : POLYCODEC_DTYPE_DURATION64;
    leaf->unit = among(POLYCODEC_UNIT_DAY, POLYCODEC_UNIT_NANOSECOND);
    return Builder::array(leaf);
  }

  Builder& out_;
  std::mt19937 random_;
};

/// What the codec makes of the value. `reports` are its losses and the members of another type.
Value converted(const Codec& codec, const Value& value, std::string& reports) {
  CallOptions options;
  options.losses = all_losses;
  options.report_retyped = true;
  options.on_loss = [&](LossClass, std::string_view path, std::string_view what) {
    reports += std::string(path) + ": " + std::string(what) + "\n";
  };
  if (codec.info().takes(POLYCODEC_INPUT_BYTES)) {
    const auto sink = std::make_shared<BufferSink>();
    codec.encode(value, *sink, options);
    return codec.decode(Source::shared(sink->view(), sink, "output"));
  }
  MemoryBlobs blobs;
  codec.encode(value.view(), blobs, options);
  blobs.finish();
  return codec.decode(Source::store(blobs.to_store()));
}

TEST(ReportedChanges, EveryChangedAddressHasAReport) {
  std::map<std::string, int> changed, same;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const Value value =
        Value::build([&](Builder& out) { return RandomScalars(out, seed).value(); });
    const std::string address = registry().address(value.view(), Address::logical);
    for (const CodecInfo& info : registry().codecs()) {
      if (!info.can_encode || !info.can_decode || info.name == "fastbin") continue;
      SCOPED_TRACE(std::string(info.name) + " " + std::to_string(seed) + ": " +
                   to_text(value.view()));
      std::string reports;
      const auto back =
          attempt([&] { return converted(registry().codec(info.name), value, reports); });
      if (!back.ok()) continue;
      const bool is_same = registry().address(back->view(), Address::logical) == address;
      EXPECT_TRUE(is_same || !reports.empty()) << to_text(back->view());
      ++(is_same ? same : changed)[std::string(info.name)];
    }
  }
  // All of it was looked at.
  EXPECT_GT(same["dynd"], 100);
  EXPECT_GT(changed["msgpack-ndarray"], 100);
}

}  // namespace
}  // namespace polycodec
