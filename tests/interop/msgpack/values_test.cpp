// SPDX-License-Identifier: MIT
// What the codec writes for each part of the model, its options, streams and sniffing.
#include <polycodec/array_view.hpp>

#include "error_of.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <array>

namespace polycodec::test {
namespace {

template <class Make>
Value build(Make&& make) {
  return Value::build(std::forward<Make>(make));
}

// The refusal of encode() as "status path", or "written".
std::string refusal(const Value& value, const Codec& with = codec()) {
  try {
    encode(value, with);
  } catch (const Error& e) {
    return std::string(status_name(e.code())) + " " + e.path();
  }
  return "written";
}

TEST(MsgpackEncode, LargeArraysAreReferencedNotCopied) {
  const std::vector<double> numbers(100000, 1.5);
  const Value value = build([&](Builder& b) { return Builder::array(b.vector(kept(b, numbers))); });
  Sink sink;
  codec().encode(value, sink);
  bool referenced = false;
  for (const polycodec_bytes& s : sink.segments())
    referenced = referenced || s.data == value.view().array()->data;
  EXPECT_TRUE(referenced || is_isolated());
  const std::string bytes(sink.bytes());
  const Value back = codec().decode(Source::view(bytes));
  EXPECT_EQ(difference(value, back), "");
  const auto* data = static_cast<const char*>(back.view().array()->data);
  EXPECT_TRUE(is_isolated() || (data > bytes.data() && data < bytes.data() + bytes.size()))
      << "the array is not a view of the input";
}

TEST(MsgpackEncode, StridedArraysBecomeCOrder) {
  std::array<std::int32_t, 6> numbers{0, 1, 2, 3, 4, 5};
  const auto strided = [&](std::int64_t first, std::int64_t s0, std::int64_t s1, std::int64_t e0,
                           std::int64_t e1) {
    return build([&](Builder& b) {
      const std::int64_t shape[] = {e0, e1};
      const std::span<const std::int32_t> all = kept(b, numbers);
      auto* a = b.ndarray(bytes_of(all), POLYCODEC_DTYPE_INT32, 4, shape);
      a->data = all.data() + first;
      auto* strides = const_cast<std::int64_t*>(a->strides);
      strides[0] = s0;
      strides[1] = s1;
      return Builder::array(a);
    });
  };
  const auto elements = [](const Value& value) {
    const std::string bytes = encode(value);
    const Value back = decode(bytes);
    const ArrayView array = node(back).as_array();
    std::vector<std::int32_t> found(static_cast<std::size_t>(array.element_count()));
    if (!found.empty()) std::memcpy(found.data(), array.data(), found.size() * 4);
    return found;
  };
  using V = std::vector<std::int32_t>;
  EXPECT_EQ(elements(strided(0, 4, 8, 2, 3)), (V{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(elements(strided(5, -12, -4, 2, 3)), (V{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(elements(strided(1, 0, 0, 2, 2)), (V{1, 1, 1, 1}));
  EXPECT_EQ(elements(strided(0, 4, 8, 2, 0)), V{});
}

TEST(MsgpackEncode, TypedScalarsBecomeArraysOfNoDimensions) {
  const Value value = build([](Builder& b) {
    const double c[] = {1.0, -2.0};
    return b.list({Builder::real16(0x3c00), b.wide(POLYCODEC_DTYPE_COMPLEX128, c)});
  });
  const std::string bytes = encode(value);
  const Value back = decode(bytes);
  EXPECT_EQ(node(back)[0].as_array().ndim, 0u);
  EXPECT_EQ(node(back)[0].as_array().dtype, static_cast<std::uint32_t>(POLYCODEC_DTYPE_FLOAT16));
  EXPECT_EQ(node(back)[1].as_array().dtype, static_cast<std::uint32_t>(POLYCODEC_DTYPE_COMPLEX128));
  EXPECT_EQ(encode(back), bytes);
}

TEST(MsgpackEncode, ColumnsBecomeListsAndMaps) {
  const std::vector<std::int64_t> offsets{0, 2, 2, 3};
  const std::vector<double> numbers{0.5, 1.5, 2.5};
  const std::vector<std::int32_t> text_offsets{0, 1, 3, 6};
  const std::vector<std::uint8_t> text{'a', 'b', 'c', 'd', 'e', 'f'};
  const std::vector<std::uint8_t> mask{1, 0, 1};
  const std::vector<std::uint16_t> ids{7, 300, 1};
  const Value value = build([&](Builder& b) {
    const auto* list = b.list_offsets(kept(b, offsets), b.vector(kept(b, numbers)));
    const auto* names =
        b.list_offsets(kept(b, text_offsets), b.vector(kept(b, text)), POLYCODEC_ARRAY_STRING);
    const polycodec_array* id_column = b.vector(kept(b, ids));
    auto* option = b.with_children(POLYCODEC_LAYOUT_OPTION_BYTES, 3, {{id_column}});
    option->index = Builder::column(kept(b, mask));
    option->flags = POLYCODEC_ARRAY_MASK_VALID;
    const std::string_view columns[] = {"x", "name", "id"};
    const polycodec_array* const content[] = {list, names, option};
    return Builder::array(b.record(3, columns, content));
  });
  const std::string expected =
      "93"
      "83a17892cb3fe0000000000000cb3ff8000000000000a46e616d65a161a2696407"
      "83a17890a46e616d65a26263a26964c0"
      "83a17891cb4004000000000000a46e616d65a3646566a2696401";
  EXPECT_EQ(to_hex(encode(value)), expected);
}

TEST(MsgpackEncode, ArraysAmongDocumentsInColumnsStayArrays) {
  const std::vector<std::int8_t> numbers{1, 2};
  const Value value = build([&](Builder& b) {
    polycodec_node* nodes;
    b.list(2, &nodes);
    nodes[0] = Builder::integer(5);
    nodes[1] = Builder::array(b.vector(kept(b, numbers)));
    auto* documents = b.new_array(POLYCODEC_LAYOUT_DOCUMENT, 2);
    documents->nodes = nodes;
    return Builder::array(documents);
  });
  const Value back = decode(encode(value));
  EXPECT_EQ(back.view()[0].as_int64(), 5);
  EXPECT_EQ(node(back)[1].kind(), POLYCODEC_KIND_ARRAY);
}

TEST(MsgpackEncode, DatesOfEveryUnitConvertExactlyOrStayAsTheyAre) {
  const auto date = [](std::int64_t count, std::uint32_t nanoseconds, std::uint32_t unit) {
    return build([&](Builder& b) { return b.timestamp(count, nanoseconds, unit); });
  };
  EXPECT_EQ(to_hex(encode(date(1, 0, POLYCODEC_UNIT_SECOND))), "d6ff00000001");
  EXPECT_EQ(to_hex(encode(date(1, 5, POLYCODEC_UNIT_NANOSECOND))), "d7ff0000001400000001");
  EXPECT_EQ(to_hex(encode(date(-1, 999999999, POLYCODEC_UNIT_MILLISECOND))),
            "c70cff3b9ac9ffffffffffffffffff");
  EXPECT_EQ(to_hex(encode(date(2, 0, POLYCODEC_UNIT_DAY))), "d6ff0002a300");
  EXPECT_EQ(to_hex(encode(date(30, 0, POLYCODEC_UNIT_YEAR))), "d6ff386d4380");  // 2000-01-01
  EXPECT_EQ(to_hex(encode(date(362, 0, POLYCODEC_UNIT_MONTH))),
            "d6ff38bc5d80");  // 2000-03-01
  EXPECT_EQ(to_hex(encode(date(-1, 0, POLYCODEC_UNIT_MONTH))), "c70cff00000000ffffffffffd72180");
  EXPECT_EQ(to_hex(encode(date(3000000, 0, POLYCODEC_UNIT_FEMTOSECOND))), "d7ff0000000c00000000");
  // Too fine, too far away, and no time at all: what comes back is the same.
  for (const auto& [count, unit, text] :
       {std::tuple(std::int64_t{1}, POLYCODEC_UNIT_PICOSECOND, R"([1, "ps"])"),
        std::tuple(INT64_MAX, POLYCODEC_UNIT_WEEK, R"([9223372036854775807, "W"])"),
        std::tuple(INT64_MAX, POLYCODEC_UNIT_YEAR, R"([9223372036854775807, "Y"])"),
        std::tuple(INT64_MIN, POLYCODEC_UNIT_SECOND, R"("NaT")")}) {
    const Value value = date(count, 0, unit);
    const std::string bytes = encode(value);
    EXPECT_EQ(to_hex(bytes).substr(0, 2), "c7") << text;
    EXPECT_EQ(decode(bytes).text(), value.text()) << text;
  }
}

TEST(MsgpackEncode, TimesAreArraysAndBack) {
  const std::vector<std::int64_t> counts{1, INT64_MIN, -5};
  for (const bool is_duration : {false, true})
    for (std::uint32_t unit = POLYCODEC_UNIT_YEAR; unit < POLYCODEC_UNIT_COUNT; ++unit) {
      const Value value = build([&](Builder& b) {
        auto* a = b.vector(kept(b, counts));
        a->dtype = is_duration ? POLYCODEC_DTYPE_DURATION64 : POLYCODEC_DTYPE_TIMESTAMP64;
        a->unit = static_cast<decltype(a->unit)>(unit);
        return Builder::array(a);
      });
      const std::string bytes = encode(value);
      EXPECT_NE(bytes.find(is_duration ? "<m8[" : "<M8["), bytes.npos) << unit;
      EXPECT_EQ(decode(bytes).text(), value.text()) << unit;
    }
}

TEST(MsgpackEncode, WhatMsgpackHasNotIsRefusedWithThePath) {
  const std::array<std::byte, 16> wide{};
  const auto in_list = [](auto make) {
    return build([&](Builder& b) { return b.object({{"a", b.list({Builder::null(), make(b)})}}); });
  };
  EXPECT_EQ(
      refusal(in_list([&](Builder& b) { return b.wide(POLYCODEC_DTYPE_INT128, wide.data()); })),
      "unsupported $.a[1]");
  EXPECT_EQ(refusal(in_list([&](Builder& b) { return b.extension("ply.x", Builder::null()); })),
            "unsupported $.a[1]");
  EXPECT_EQ(refusal(in_list([&](Builder& b) { return b.extension("stream", b.list({})); })),
            "unsupported $.a[1]");
}

TEST(MsgpackEncode, DurationsInRowsAreArraysWithoutDimensions) {
  const std::vector<std::int64_t> spans{1, 2};
  const Value value = build([&](Builder& b) {
    auto* a = b.vector(kept(b, spans));
    a->dtype = POLYCODEC_DTYPE_DURATION64;
    a->unit = POLYCODEC_UNIT_SECOND;
    const std::string_view names[] = {"t"};
    const polycodec_array* const columns[] = {a};
    return Builder::array(b.record(2, names, columns));
  });
  const Value back = decode(encode(value));
  EXPECT_EQ(back.view()[1].find("t")->as_time().count, 2);
}

TEST(MsgpackOptions, PackLists) {
  const auto packing = codec({{"pack_lists", true}});
  const Value value = build([](Builder& b) {
    return b.list({b.list({Builder::real(1.0), Builder::real(2.0)}),
                   b.list({Builder::integer(-1), Builder::integer(2)}),
                   b.list({Builder::integer(1), Builder::unsigned_integer(UINT64_MAX)}),
                   b.list({Builder::integer(1), Builder::real(1.0)}), b.list({})});
  });
  const std::string bytes = encode(value, packing);
  const Value back = decode(bytes);
  EXPECT_EQ(node(back)[0].as_array().dtype, static_cast<std::uint32_t>(POLYCODEC_DTYPE_FLOAT64));
  EXPECT_EQ(node(back)[0].as_array().length, 2u);
  EXPECT_EQ(node(back)[1].as_array().dtype, static_cast<std::uint32_t>(POLYCODEC_DTYPE_INT64));
  EXPECT_EQ(node(back)[2].as_array().dtype, static_cast<std::uint32_t>(POLYCODEC_DTYPE_UINT64));
  EXPECT_TRUE(node(back)[3].is_list());
  EXPECT_TRUE(node(back)[4].is_list());
}

TEST(MsgpackOptions, ExtCode) {
  const auto other = codec({{"ext_code", 42}});
  const std::vector<std::int8_t> numbers{1, 2};
  const Value value = build([&](Builder& b) { return Builder::array(b.vector(kept(b, numbers))); });
  const std::string bytes = encode(value, other);
  EXPECT_EQ(static_cast<unsigned char>(bytes[2]), 42);
  EXPECT_TRUE(node(decode(bytes, other)).is_array());
  const Value plain = decode(bytes);
  EXPECT_EQ(node(plain).kind(), POLYCODEC_KIND_EXTENSION);
  EXPECT_EQ(encode(plain), bytes);
  // What would be read back as an array is not written.
  const auto ext = [](std::int64_t code) {
    return build([&](Builder& b) {
      return b.list({b.extension("msgpack.ext", b.object({{"code", Builder::integer(code)},
                                                          {"data", Builder::bytes_view({})}}))});
    });
  };
  EXPECT_EQ(refusal(ext(110)), "unsupported $[0].code");
  EXPECT_EQ(to_hex(encode(ext(110), other)), "91c7006e");
  EXPECT_THROW(codec({{"ext_code", -1}}), Error);
  EXPECT_THROW(codec({{"utf8", "some"}}), Error);
}

TEST(MsgpackOptions, LenientTextAndLegacyArrays) {
  const std::string bad_text = "\xa2\xff\xfe";
  EXPECT_THROW(decode(bad_text), Error);
  const Value value = decode(bad_text, codec({{"utf8", "lenient"}}));
  EXPECT_EQ(value.view().as_string(), "\xff\xfe");
  EXPECT_EQ(value.view().node()->dtype, POLYCODEC_STRING_LENIENT);
  // What the decoder would reject is not written.
  EXPECT_EQ(to_hex(encode(value, codec({{"utf8", "lenient"}}))), "a2fffe");
  EXPECT_EQ(error_of([&] { (void)encode(value); }).code(), Status::unsupported);
  const Value good = decode("\xa2ok", codec({{"utf8", "lenient"}}));
  EXPECT_EQ(to_hex(encode(good)), "a26f6b");
  const std::string legacy = read_file(vectors() / "nd_data_as_str_legacy.msgpack");
  EXPECT_TRUE(node(decode(legacy)).is_array());
  EXPECT_THROW(decode(legacy, codec({{"legacy", false}})), Error);
}

TEST(MsgpackOptions, NumpyMapsReadScalarsAndNeverPickles) {
  const auto maps = codec({{"numpy_maps", true}});
  EXPECT_EQ(node(decode(from_hex("83c4026e64c2c40474797065a33c6632c40464617461c402003c"), maps))
                .as_double(),
            1.0);
  const Value complex = decode(from_hex("82c407636f6d706c6578c3c40464617461a628312b326a29"), maps);
  double parts[2];
  std::memcpy(parts, node(complex).node()->as.data, 16);
  EXPECT_EQ(parts[0], 1.0);
  EXPECT_EQ(parts[1], 2.0);
  const Value array = decode(
      from_hex(
          "84c40b5f5f6e6461727261795f5fc3c40464617461c4020102c4056474797065a37c7531c4057368617065"
          "9102"),
      maps);
  EXPECT_EQ(node(array).as_array().length, 2u);
  const std::string pickle = from_hex(
      "85c4026e64c3c40474797065a37c4f38c4046b696e64c4014fc40573686170659101c40464617461c4018e");
  EXPECT_TRUE(node(decode(pickle)).is_map());
  try {
    decode(pickle, maps);
    ADD_FAILURE() << "read a pickle";
  } catch (const Error& e) {
    EXPECT_EQ(e.detail(), "numpy.pickle");
    EXPECT_EQ(e.offset(), 0u);
  }
}

TEST(MsgpackStream, SeveralDocumentsAndStrayBytes) {
  const std::string two = from_hex("8080");
  EXPECT_EQ(to_string_view(node(decode(two)).as_extension().name), "stream");
  EXPECT_EQ(encode(decode(two)), two);
  const std::string numbers = from_hex("010203");
  EXPECT_EQ(NodeView(node(decode(numbers)).as_extension().payload).size(), 3u);
  const std::string stray = from_hex("80810a0b0a");
  EXPECT_THROW(decode(stray), Error);
  const auto many = codec({{"documents", "many"}});
  const Value all = decode(stray, many);
  EXPECT_EQ(encode(all, many), stray);
  EXPECT_EQ(to_hex(encode(all)), "80810a0bd00a");
  EXPECT_EQ(to_hex(encode(decode(from_hex("80d2ffffffff")))), "80d0ff");
  EXPECT_EQ(refusal(decode(from_hex("80c0"), many)), "unsupported $[1]");
  EXPECT_THROW(decode(two, codec({{"documents", "one"}})), Error);
}

// "auto: they are documents, unless a nil, boolean or integer of one byte follows a document other
// than a number, boolean or nil": whichever document of the stream that is.
TEST(MsgpackStream, AutoIsAsTheReadmeSays) {
  const auto automatic = codec({{"documents", "auto"}}), many = codec({{"documents", "many"}});
  const char* documents[] = {"81a16101", "9101", "a161",       "c40161",
                             "d40100",   "05",   "e0",         "c0",
                             "c2",       "d00a", "ca3fc00000", "cf0000000000000005"};
  const std::string_view stray = " 05 7f 00 e0 ff c0 c2 c3 ";
  const auto is_stray = [&](std::string_view hex) {
    return stray.find(" " + std::string(hex) + " ") != std::string_view::npos;
  };
  const auto is_scalar = [&](std::string_view hex) {
    return is_stray(hex) || hex.starts_with("d00a") || hex.starts_with("ca") ||
           hex.starts_with("cf");
  };
  for (const char* first : documents)
    for (const char* second : documents)
      for (const char* third : documents) {
        const std::string hex = std::string(first) + second + third;
        const bool refused =
            (is_stray(second) && !is_scalar(first)) || (is_stray(third) && !is_scalar(second));
        const Value value = decode(from_hex(hex), many);
        if (refused) {
          const Error e = error_of([&] { (void)decode(from_hex(hex), automatic); });
          EXPECT_EQ(e.detail(), "msgpack.trailing_bytes") << hex;
          EXPECT_NE(e.message().find(R"({"documents": "many"})"), std::string::npos) << e.message();
          continue;
        }
        EXPECT_EQ(difference(decode(from_hex(hex), automatic), value), "") << hex;
        EXPECT_EQ(difference(decode(encode(value, automatic), automatic), value), "") << hex;
      }
}

TEST(MsgpackStream, AMessageComesWithItsLastByte) {
  const std::string bytes = from_hex("9201a3616263");
  Stream stream = Stream::fed(codec());
  for (const char byte : bytes.substr(0, 5)) {
    stream.feed({&byte, 1});
    EXPECT_FALSE(stream.next());
  }
  stream.feed(bytes.substr(5) + "\xc0");
  const auto list = stream.next(), nothing = stream.next();
  ASSERT_TRUE(list && nothing);
  EXPECT_EQ(list->view()[1].as_string(), "abc");
  EXPECT_TRUE(nothing->view().is_null());
  stream.feed(bytes.substr(0, 4));
  EXPECT_FALSE(stream.next());
  stream.end_of_input();
  EXPECT_THROW(stream.next(), Error);
  Stream bad = Stream::fed(codec());
  bad.feed("\xc1");
  EXPECT_THROW(bad.next(), Error);
}

TEST(MsgpackSniff, KnowsItsOwnAndLeavesTextAlone) {
  const auto score = [](std::string_view bytes) { return sniff("msgpack-ndarray", bytes); };
  EXPECT_GE(score(read_file(vectors() / "nd_f8_le_2x4.msgpack")), 80u);
  EXPECT_GE(score(read_file(vectors() / "nd_ext32_f8_100x100.msgpack")), 80u);
  EXPECT_GE(score(read_file(vectors() / "mp_map_32_65536.msgpack")), 60u);
  EXPECT_GE(score(read_file(vectors() / "mp_map_mixed_keys.msgpack")), 60u);
  EXPECT_GE(score(read_file(vectors() / "mix_list_of_nd.msgpack")), 60u);
  EXPECT_LT(score("{\"a\": [1, 2, 3]}"), 10u);
  EXPECT_LT(score("ply\nformat ascii 1.0\n"), 10u);
  EXPECT_LT(score("\xc3\xa4\xc3\xb6\xc3\xbc text"), 10u);
  EXPECT_LT(score(""), 10u);
  EXPECT_LT(score(std::string_view("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0", 20)), 20u);
  EXPECT_LT(score(read_file(vectors() / "bad" / "b29_array_bomb_nested.msgpack")), 10u);
  EXPECT_LT(score("PK\x03\x04"), 10u);
  // Documents of which the first is a number, and frames with lengths, which begin in the same way.
  using namespace std::string_view_literals;
  EXPECT_GE(score("\x05"sv), 10u);
  EXPECT_GE(score("A"sv), 10u) << "65";
  EXPECT_GE(score("\xcc\x80"sv), 10u) << "128";
  EXPECT_LT(score("AB"sv), 10u);
  EXPECT_GE(score("\x01\x02\x03"sv), 10u);
  EXPECT_GE(score("\x05\x81\xa1\x61\x01"sv), 10u);
  EXPECT_LT(score("\x01\x02\xc1"sv), 10u);
  EXPECT_LT(score("\0\0\0\0\0\0"sv), 10u);
  EXPECT_LT(score("\0\0\0\x04\x81\xa1\x61\x01"sv), 10u);
  EXPECT_LT(score("\x04\0\0\0\x81\xa1\x61\x01\x02\0\0\0\x91\x01"sv), 10u);
  EXPECT_LT(score("\x04\x81\xa1\x61\x01\x02\x91\x01"sv), 10u);
}

TEST(MsgpackValues, AttributesAreRefusedOrLostAndTold) {
  const Value value = Value::parse(
      R"({"a": {"$value": {"type": "annotated[2 * string, units='cm', title='t']", "value": ["x", "y"]}}, "b": 1})");
  try {
    encode(value, codec());
    ADD_FAILURE() << "encoded";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::unsupported);
    EXPECT_EQ(e.detail(), "msgpack.lossy");
    EXPECT_EQ(e.path(), "$.a");
    EXPECT_NE(e.message().find("'units'"), std::string::npos) << e.message();
    EXPECT_NE(e.message().find("'title'"), std::string::npos) << e.message();
  }
}

TEST(MsgpackValues, AttributesOfArraysAreKeysOfTheirMap) {
  const Value value = Value::parse(
      R"({"a": {"$value": {"type": "annotated[2 * int8, units='cm', scale=0.5, n=-3]", "value": [1, 2]}}, "b": 1})");
  const std::string bytes = encode(value, codec());
  EXPECT_NE(bytes.find("\xa5units\xa2"
                       "cm"),
            std::string::npos);
  const Value back = decode(bytes);
  EXPECT_EQ(back.type(), value.type());
  EXPECT_EQ(encode(back, codec()), bytes);
  const std::string alone = encode(value.part("a"), codec());
  EXPECT_EQ(encode(decode(alone), codec()), alone) << "the size is known before it is written";
}

TEST(MsgpackValues, OtherKeysOfAnArrayAreItsAttributes) {
  // {shape: [1], typestr: "|i1", data: 07, version: 3, units: ..}
  const auto array = [](const std::string& count, const std::string& more) {
    const std::string map = from_hex("8" + count) + "\xa5shape\x91\x01\xa7typestr\xa3|i1\xa4" +
                            "data\xc4\x01\x07\xa7version\x03" + more;
    return from_hex("c7") + static_cast<char>(map.size()) + "n" + map;
  };
  const Value list = decode(array("5", "\xa5units\x92\xa1m\x81\xa1s\xcb" + std::string(8, '\0')));
  EXPECT_EQ(View(list.view().metadata())["units"][0].as_string(), "m");
  EXPECT_EQ(View(list.view().metadata())["units"][1]["s"].as_double(), 0);
  // An array in the attributes of an array, as uncertainties are.
  const Value nested = decode(array("5",
                                    "\xa6"
                                    "errors" +
                                        array("5", "\xa5units\xa1m")));
  EXPECT_EQ(View(nested.view().metadata())["errors"][0].as_int64(), 7);
  // What describes the array itself is not one, and neither is a key that cannot be a name.
  const Value plain = decode(array("6",
                                   "\xa7strides\xc0\xa5"
                                   "descr\x90"));
  EXPECT_EQ(plain.view().metadata(), nullptr);
  Losses call;
  static_cast<void>(decode(codec(), array("6", "\x01\xc0\xa5units\xa1m"), call));
  EXPECT_EQ(call.all, std::vector<std::string>{
                          "$: 1 key of the array that cannot be names of attributes, or occur "
                          "more than once"});
  // In a part of a value, too, and once if the value is read again because a member is missing.
  for (const char* path : {"a", "nothing"}) {
    Losses losses;
    CallOptions part = losses;
    part.columns = {"a", path};
    try {
      static_cast<void>(
          decode(codec(), "\x81\xa1" + ("a" + array("6", "\x01\xc0\xa5units\xa1m")), part));
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Status::not_found);
    }
    EXPECT_EQ(losses.all, std::vector<std::string>{"$.a" + call.all[0].substr(1)});
  }
  // They are items of the value, within its limits.
  std::string deep = "\xa1x\xc0";
  for (int i = 0; i < 4; ++i) deep = "\xa1x" + array("5", deep);
  Limits limits;
  limits.max_depth = 20;
  const Value whole = decode(array("5", deep), codec(), limits);
  EXPECT_EQ(whole.view().size(), 1u);
  limits.max_depth = 8;
  EXPECT_EQ(error_of([&] { decode(array("5", deep), codec(), limits); }).code(), Status::limit);
}

}  // namespace
}  // namespace polycodec::test
