// SPDX-License-Identifier: MIT
// Random types, random values, random damage: what is accepted is written again as the same bytes.
#include <model/type/print.hpp>

#include "random_data.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

namespace polycodec {
namespace {

using test::Random;

TEST(DyndProperty, ValidBytesComeBackInBothForms) {
  Random random(20240601);
  for (int round = 0; round < test::rounds(4000); ++round) {
    const type::Type type = test::random_type(random, 1 + round % 5);
    const std::string data = test::random_data(random, type);
    const std::string any = test::with_type(type, data);
    const std::string text = type::print(type);
    SCOPED_TRACE(text + " " + test::to_hex(data));
    try {
      const Value value = test::decode(test::dynd_codec(), any);
      ASSERT_EQ(test::to_hex(test::encode(test::dynd_codec(), value)), test::to_hex(any));
      const Value typed = test::decode(test::dynd_codec(text), data);
      ASSERT_EQ(test::to_hex(test::encode(test::dynd_codec(text), typed)), test::to_hex(data));
      ASSERT_EQ(test::to_hex(test::encode(test::dynd_codec(), typed)), test::to_hex(any));
    } catch (const Error& e) {
      FAIL() << e.describe();
    }
  }
}

TEST(DyndProperty, DamagedBytesAreRefusedOrComeBack) {
  Random random(99);
  int accepted = 0, refused = 0;
  const auto codec = test::dynd_codec();
  for (int round = 0; round < test::rounds(3000); ++round) {
    const type::Type type = test::random_type(random, 1 + round % 4);
    std::string bytes = test::with_type(type, test::random_data(random, type));
    for (int damage = 0; damage < 8; ++damage) {
      std::string bad = bytes;
      const std::size_t at = random() % bad.size();
      switch (random() % 3) {
        case 0:
          bad[at] = static_cast<char>(bad[at] ^ (1 << (random() % 8)));
          break;
        case 1:
          bad.resize(at);
          break;
        default:
          bad.insert(at, 1, static_cast<char>(random()));
      }
      Value value;
      try {
        value = test::decode(codec, bad);
      } catch (const Error& e) {
        EXPECT_FALSE(e.detail().empty()) << e.describe();
        ++refused;
        continue;
      }
      ++accepted;
      ASSERT_EQ(test::to_hex(test::encode(codec, value)), test::to_hex(bad)) << type::print(type);
    }
  }
  EXPECT_GT(accepted, test::rounds(1000));
  EXPECT_GT(refused, test::rounds(1000));
}

TEST(DyndProperty, CborComesBackAndMeansTheSame) {
  Random random(5);
  const auto cbor = test::cbor_codec();
  const auto dynd = test::dynd_codec();
  int native = 0;
  for (int round = 0; round < test::rounds(4000); ++round) {
    const type::Type type = round % 4 == 0 ? test::random_type(random, 3)
                                           : test::random_native_type(random, 1 + round % 4);
    const std::string any = test::with_type(type, test::random_data(random, type));
    SCOPED_TRACE(type::print(type) + " " + test::to_hex(any));
    try {
      const Value value = test::decode(dynd, any);
      const std::string bytes = test::encode(cbor, value);
      native += bytes.starts_with("\xd8\x1b") ? 0 : 1;
      const Value back = test::decode(cbor, bytes);
      ASSERT_EQ(test::to_hex(test::encode(dynd, back)), test::to_hex(any)) << test::to_hex(bytes);
      ASSERT_EQ(test::to_hex(test::encode(cbor, back)), test::to_hex(bytes));
      // Damaged CBOR is refused, or it is the only form of another value.
      std::string bad = bytes;
      const std::size_t at = random() % bad.size();
      bad[at] = static_cast<char>(bad[at] ^ (1 << (random() % 8)));
      Value other;
      try {
        other = test::decode(cbor, bad);
      } catch (const Error& e) {
        EXPECT_FALSE(e.detail().empty()) << e.describe();
        continue;
      }
      ASSERT_EQ(test::to_hex(test::encode(cbor, other)), test::to_hex(bad));
    } catch (const Error& e) {
      FAIL() << e.describe();
    }
  }
  EXPECT_GT(native, test::rounds(1000));
}

}  // namespace
}  // namespace polycodec
