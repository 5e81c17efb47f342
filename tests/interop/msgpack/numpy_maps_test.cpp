// SPDX-License-Identifier: MIT
// The maps that msgpack-numpy and its relatives write for arrays, with the option numpy_maps.

#include "support.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

namespace polycodec::test {
namespace {

std::string str(std::string_view text) {
  return static_cast<char>(0xa0 + text.size()) + std::string(text);
}
std::string bin(std::string_view bytes) {
  return std::string("\xc4") + static_cast<char>(bytes.size()) + std::string(bytes);
}
std::string list(const std::vector<std::string>& items) {
  std::string made(1, static_cast<char>(0x90 + items.size()));
  for (const std::string& item : items) made += item;
  return made;
}
std::string map(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string made(1, static_cast<char>(0x80 + members.size()));
  for (const auto& [key, value] : members) made += bin(key) + value;
  return made;
}
std::string number(int value) {
  return std::string(1, static_cast<char>(value));
}
const std::string yes = "\xc3", no = "\xc2";

// As Python's dict of lebedov/msgpack-numpy.
std::string array(const std::string& type, std::string_view kind,
                  const std::vector<std::string>& shape, std::string_view data) {
  return map({{"nd", yes},
              {"type", type},
              {"kind", bin(kind)},
              {"shape", list(shape)},
              {"data", bin(data)}});
}
std::string generic(std::string_view type, const std::string& data) {
  return map({{"__npgeneric__", yes}, {"data", data}, {"dtype", str(type)}});
}

Codec maps() {
  return codec({{"numpy_maps", true}});
}

/// The value in text notation.
std::string read(const std::string& bytes) {
  const Value value = decode(bytes, maps());
  return value.text();
}
/// Detail and path of the error.
std::string refused(const std::string& bytes) {
  try {
    return read(bytes);
  } catch (const Error& e) {
    return e.detail() + " " + e.path();
  }
}

using namespace std::string_literals;

TEST(NumpyMaps, TextsAndTimes) {
  EXPECT_EQ(read(array(str("|S3"), "", {number(2)}, "ab\0xyz"s)),
            R"({"type": "2 * fixed_bytes[3]", "value": [{"$bytes": "YWIA"}, {"$bytes": "eHl6"}]})");
  EXPECT_EQ(read(array(str("<U2"), "", {number(2)}, "a\0\0\0b\0\0\0\xe9\0\0\0\0\0\0\0"s)),
            R"({"type": "2 * fixed_string[2, 'utf32']", "value": ["ab", "é"]})");
  EXPECT_EQ(read(array(str(">U1"), "", {number(1)}, "\0\0\0c"s)),
            R"({"type": "1 * fixed_string[1, 'utf32']", "value": ["c"]})");
  EXPECT_EQ(
      read(array(str("<M8[ms]"), "", {number(1)}, "\xe8\x03\0\0\0\0\0\0"s)),
      R"({"type": "1 * datetime[unit='ms']", "value": [{"$datetime": "1970-01-01T00:00:01.000Z"}]})");
  EXPECT_EQ(read(array(str(">m8[h]"), "", {number(1)}, "\0\0\0\0\0\0\0\5"s)),
            R"({"type": "1 * timedelta[unit='h']", "value": [{"$timedelta": [5, "h"]}]})");
  for (const char* bad : {"|S0", "|S03", "|Sx", "<M4", "<M8[", "<M8[]", "<m8ns", "<U-1"})
    EXPECT_EQ(refused(array(str(bad), "", {number(1)}, "")).substr(0, 12), "ndarray.bad_") << bad;
  for (const char* foreign :
       {"|S", "|U2", "|M8[s]", "<M8[10s]", "<M8[generic]", "|O8", "|V4", "<f16", "<U999999999"})
    EXPECT_EQ(refused(array(str(foreign), "", {number(1)}, "")), "ndarray.unsupported_type $.type")
        << foreign;
}

TEST(NumpyMaps, ScalarsAsBytesAndAsPythonObjects) {
  EXPECT_EQ(read(map({{"nd", no}, {"type", str("<U2")}, {"data", bin("a\0\0\0\0\0\0\0"s)}})),
            R"({"type": "fixed_string[2, 'utf32']", "value": "a"})");
  EXPECT_EQ(read(generic("<i2", number(5))), R"({"type": "int16", "value": 5})");
  EXPECT_EQ(read(generic("|i1", "\xd0\x80")), R"({"type": "int8", "value": -128})");
  EXPECT_EQ(read(generic("<u8", "\xcf\xff\xff\xff\xff\xff\xff\xff\xff")),
            R"({"type": "uint64", "value": 18446744073709551615})");
  EXPECT_EQ(read(generic("<f4", "\xcb\x3f\xf8\0\0\0\0\0\0"s)),
            R"({"type": "float32", "value": 1.5})");
  EXPECT_EQ(read(generic("<f2", "\xca\x3f\xc0\0\0"s)), R"({"type": "float16", "value": 1.5})");
  EXPECT_EQ(read(generic("<f8", number(2))), R"({"type": "float64", "value": 2.0})");
  EXPECT_EQ(read(generic("|b1", yes)), R"({"type": "bool", "value": true})");
  EXPECT_EQ(read(generic("<U3", str("abc"))), R"({"type": "string", "value": "abc"})");
  EXPECT_EQ(read(generic("<i4", bin("\1\0\0\0"s))), R"({"type": "int32", "value": 1})");
  EXPECT_EQ(refused(generic("|u1", "\xcd\1\0"s)), "numpy.bad_map $");
  EXPECT_EQ(refused(generic("|u1", "\xff")), "numpy.bad_map $");
  EXPECT_EQ(refused(generic("|i1", "\xd1\xff\x7f")), "numpy.bad_map $");
  EXPECT_EQ(refused(generic("<i4", yes)), "ndarray.bad_data $.data");
  EXPECT_EQ(refused(generic("|b1", number(1))), "ndarray.bad_data $.data");
}

TEST(NumpyMaps, StructuredArrays) {
  const std::string pair = list({list({str("a"), str("|u1")}), list({str("b"), str(">i2")})});
  const std::string rows = "\1\0\2\3\0\4"s;
  EXPECT_EQ(
      read(array(pair, "V", {number(2)}, rows)),
      R"({"type": "2 * {a: uint8, b: int16}", "value": [{"a": 1, "b": 2}, {"a": 3, "b": 4}]})");
  EXPECT_EQ(
      read(array(pair, "V", {number(1), number(2)}, rows)),
      R"({"type": "1 * 2 * {a: uint8, b: int16}", "value": [[{"a": 1, "b": 2}, {"a": 3, "b": 4}]]})");
  // Fields with a shape, structured fields, and both; what aligns fields is skipped.
  const std::string nested =
      list({list({str("x"), str("|i1"), list({number(2)})}), list({str(""), str("|V1")}),
            list({str("p"), pair}),
            list({str("q"), list({list({str("t"), str("|b1")})}), list({number(1), number(2)})})});
  const std::string row = "\1\2\xff\3\0\4\1\0"s;
  EXPECT_EQ(
      read(array(nested, "V", {number(2)}, row + row)),
      R"({"type": "2 * {x: 2 * int8, p: {a: uint8, b: int16}, q: 1 * 2 * {t: bool}}", "value": [{"x": [1, 2], "p": {"a": 3, "b": 4}, "q": [[{"t": true}, {"t": false}]]}, {"x": [1, 2], "p": {"a": 3, "b": 4}, "q": [[{"t": true}, {"t": false}]]}]})");
  EXPECT_EQ(read(array(pair, "V", {number(0)}, "")),
            R"({"type": "0 * {a: uint8, b: int16}", "value": []})");
  EXPECT_EQ(refused(array(pair, "V", {number(2)}, "\1\0\2"s)), "ndarray.size_mismatch $");
  EXPECT_EQ(refused(array(pair, "V", {}, "\1\0\2"s)), "ndarray.unsupported_type $");
  EXPECT_EQ(refused(array(list({list({str("a"), str("|b1")})}), "V", {number(1)}, "\2")),
            "ndarray.bad_bool $.data");
  EXPECT_EQ(refused(array(list({list({str("a"), str("|u1")}), list({str("a"), str("|u1")})}), "V",
                          {number(1)}, "xx")),
            "ndarray.bad_typestr $");
  for (const std::string& bad :
       {list({}), list({str("a")}), list({list({str("a")})}), list({list({number(1), str("|u1")})}),
        list({list({str("a"), number(1)})}), list({list({str(""), str("|V1")})})})
    EXPECT_EQ(refused(array(bad, "V", {number(1)}, "x")), "ndarray.bad_typestr $");
}

TEST(NumpyMaps, ErrorsNameTheMember) {
  EXPECT_EQ(refused(array(str("<f8"), "", {"\xff"}, "")), "ndarray.bad_shape $.shape");
  EXPECT_EQ(refused(array(str("f8"), "", {number(1)}, "")), "ndarray.bad_typestr $.type");
  EXPECT_EQ(refused(list({array(str("<f8"), "", {number(1)}, "1234567")})),
            "ndarray.size_mismatch $[0].data");
  EXPECT_EQ(
      refused(map(
          {{"__ndarray__", yes}, {"data", bin("")}, {"dtype", str("|O8")}, {"shape", list({})}})),
      "ndarray.unsupported_type $.dtype");
}

// Whatever the bytes are, what comes out is sound.
TEST(NumpyMaps, DamageNeverBreaksTheModel) {
  const std::string good =
      array(list({list({str("x"), str("<U1"), list({number(2)})}),
                  list({str("q"), list({list({str("t"), str("<M8[s]")})}), list({number(2)})})}),
            "V", {number(2)}, std::string(2 * (8 + 16), '\0'));
  ASSERT_EQ(read(good).find("error"), std::string::npos);
  for (std::size_t i = 0; i < good.size(); ++i)
    for (const int bit : {1, 2, 16, 64, 128}) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ bit);
      refused(bad);
      refused(bad.substr(0, i));
    }
}

}  // namespace
}  // namespace polycodec::test
