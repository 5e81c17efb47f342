// SPDX-License-Identifier: MIT
// Canonical bytes of a value do not depend on how deep it is nested, nor on what holds its items.
#include <polycodec/builder.hpp>

#include "codec.hpp"
#include "codec_calls.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"
#include "sanitized.hpp"
#include "tests/unit/core/random_value.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {
namespace {

Limits deep_limits() {
  Limits limits;
  limits.max_depth = 2000;
  return limits;
}

/// The bytes in any form, or the code of the error.
template <class Codec>
std::string bytes_of(const Codec& codec, NodeView value) try {
  test::TestCall call(deep_limits());
  call.allow_loss();
  return test::encode(codec, value, call);
} catch (const Error& e) {
  return "refused: " + std::to_string(static_cast<int>(e.code())) + " " + e.detail();
}

/// One level around a node: a list, a record, a tuple, a list with null, lists of several lengths,
/// a member of a union, a record in columns.
polycodec_node around(char letter, const polycodec_node& inner, Builder& out) {
  switch (letter) {
    case 's':
      return out.object({{"a", inner}});
    case 't':
      return out.tuple({inner, Builder::string_view("x")});
    case 'o':
      return out.list({inner, Builder::null()});
    case 'v':
      return out.list({out.list({inner}), out.list({})});
    case 'u':
      return out.tagged(1, inner);
    case 'd': {
      polycodec_array* rows = out.new_array(POLYCODEC_LAYOUT_DOCUMENT, 1);
      rows->nodes = out.store(inner);
      const polycodec_array* const columns[] = {rows};
      const std::string_view names[] = {"a"};
      return Builder::array(out.record(1, names, columns));
    }
    default:
      return out.list({inner});
  }
}

Value nested(NodeView value, std::string_view pattern, std::size_t depth) {
  return Value::build([&](Builder& out) {
    polycodec_node node = *value.raw();
    for (std::size_t i = 0; i < depth; ++i) node = around(pattern[i % pattern.size()], node, out);
    return node;
  });
}

/// The value, and equal ones: documents alone, and what text reads back.
std::vector<Value> forms_of(std::uint32_t seed) {
  std::vector<Value> forms;
  forms.push_back(Value::build(
      [&](Builder& out) { return RandomValue(out, seed).node(static_cast<int>(1 + seed % 4)); }));
  const NodeView value = forms.front().view();
  forms.push_back(Value::build([&](Builder& out) { return to_document(value, out); }));
  forms.push_back(parse_text(to_text(value)));
  return forms;
}

/// Types nest up to 256 levels: what is around them, and what lies far from there.
std::vector<std::size_t> depths(std::mt19937& random) {
  std::vector<std::size_t> all{1, 2, 30 + random() % 150, 400};
  for (int i = 0; i < 4; ++i) all.push_back(180 + random() % 90);
  return all;
}

class DyndDepthInternal : public ::testing::TestWithParam<std::uint32_t> {};

template <class Codec>
void expect_equal_bytes(const Codec& codec, std::uint32_t seed, std::string_view pattern) {
  std::mt19937 random(seed);
  const std::vector<Value> forms = forms_of(seed);
  const std::string text = to_text(forms.front().view()).substr(0, 1000);
  std::vector<std::string> alone;
  for (const Value& form : forms) alone.push_back(bytes_of(codec, form.view()));
  for (const std::size_t depth : depths(random)) {
    std::vector<std::string> bytes;
    for (const Value& form : forms)
      bytes.push_back(bytes_of(codec, nested(form.view(), pattern, depth).view()));
    for (std::size_t i = 1; i < forms.size(); ++i) {
      if (alone[i] != alone[0]) continue;
      ASSERT_TRUE(bytes[i] == bytes[0])
          << "form " << i << " " << pattern << " " << depth << " seed " << seed << ": " << text;
    }
    // Records that stand for unions read back as records, whose types are cut elsewhere where many
    // of them nest.
    if (bytes[0].starts_with("refused") || pattern.find('u') != pattern.npos) continue;
    // What is read back is the value that was written, again in the same bytes.
    const Value back =
        test::decode_input(codec, test::input_of(bytes[0]), test::TestCall(deep_limits()));
    ASSERT_TRUE(bytes_of(codec, back.view()) == bytes[0])
        << pattern << " " << depth << " seed " << seed << ": " << text;
  }
}

TEST_P(DyndDepthInternal, EqualValuesHaveEqualBytesAtEachDepth) {
  const auto dynd = test::make<dynd::Dynd>();
  const auto cbor = test::make<dynd::DyndCbor>();
  for (std::uint32_t i = 0; i < test::cases_of(8) && !HasFailure(); ++i) {
    const std::uint32_t seed = GetParam() * 1000 + i;
    for (const std::string_view pattern : {"l", "s", "o", "ls", "std", "vlo", "us", "d"}) {
      expect_equal_bytes(dynd, seed, pattern);
      if (i % 4 == 0) expect_equal_bytes(cbor, seed, pattern);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, DyndDepthInternal, ::testing::Range(1u, 5u));

/// The data of a value is in the bytes of what holds it, at any depth.
TEST(DyndDepthOfPartsInternal, TheDataOfAPartIsTheDataOfTheWhole) {
  const auto codec = test::make<dynd::Dynd>();
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    const std::vector<Value> forms = forms_of(seed);
    const std::string alone = bytes_of(codec, forms.front().view());
    if (alone.starts_with("refused") || static_cast<unsigned char>(alone[0]) > 127) continue;
    const std::string data = alone.substr(1 + static_cast<unsigned char>(alone[0]));
    for (const std::string_view pattern : {"l", "s", "lls"})
      for (const std::size_t depth : depths(random)) {
        const std::string bytes =
            bytes_of(codec, nested(forms.front().view(), pattern, depth).view());
        ASSERT_TRUE(bytes.ends_with(data)) << pattern << " " << depth << " seed " << seed << ": "
                                           << to_text(forms.front().view()).substr(0, 1000);
      }
  }
}

}  // namespace
}  // namespace polycodec
