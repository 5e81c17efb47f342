// SPDX-License-Identifier: MIT
// The document values of the corpus; see corpus.hpp.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::kit {

/// Name and recipe of each document value.
inline constexpr std::pair<std::string_view, polycodec_node (*)(Builder&)> corpus_documents[] = {
    {"null", [](Builder&) { return Builder::null(); }},
    {"true", [](Builder&) { return Builder::boolean(true); }},
    {"integer", [](Builder&) { return Builder::integer(-42); }},
    {"integers",
     [](Builder& out) {
       using I = std::numeric_limits<std::int64_t>;
       return out.list({Builder::integer(0), Builder::integer(-1), Builder::integer(-32),
                        Builder::integer(-33), Builder::integer(-128, POLYCODEC_DTYPE_INT8),
                        Builder::integer(-129, POLYCODEC_DTYPE_INT16),
                        Builder::integer(-32769, POLYCODEC_DTYPE_INT32),
                        Builder::integer(-2147483649LL), Builder::integer(127),
                        Builder::integer(I::min()), Builder::integer(I::max())});
     }},
    {"unsigned_integers",
     [](Builder& out) {
       return out.list(
           {Builder::unsigned_integer(0), Builder::unsigned_integer(127),
            Builder::unsigned_integer(128), Builder::unsigned_integer(255, POLYCODEC_DTYPE_UINT8),
            Builder::unsigned_integer(256, POLYCODEC_DTYPE_UINT16),
            Builder::unsigned_integer(65536, POLYCODEC_DTYPE_UINT32),
            Builder::unsigned_integer(4294967296u), Builder::unsigned_integer(UINT64_MAX)});
     }},
    {"reals",
     [](Builder& out) {
       using D = std::numeric_limits<double>;
       return out.list({Builder::real(0.0), Builder::real(-0.0), Builder::real(1.0),
                        Builder::real(-1.5), Builder::real(0.1), Builder::real(D::max()),
                        Builder::real(D::denorm_min()), Builder::real(9007199254740993.0)});
     }},
    {"not_finite",
     [](Builder& out) {
       using D = std::numeric_limits<double>;
       return out.list({Builder::real(D::infinity()), Builder::real(-D::infinity()),
                        Builder::real(D::quiet_NaN()),
                        Builder::real(std::bit_cast<double>(std::uint64_t{0x7ff80000000007a2}))});
     }},
    {"short_reals",
     [](Builder& out) {
       return out.list({Builder::real32(0.1f), Builder::real32(-0.0f), Builder::real32(3.4e38f),
                        Builder::real16(0x3c00), Builder::real16(0x8001), Builder::real16(0x7c00)});
     }},
    {"wide_integers",
     [](Builder& out) {
       const std::uint64_t minus_one[2] = {UINT64_MAX, UINT64_MAX};
       return out.list({out.wide(POLYCODEC_DTYPE_INT128, minus_one),
                        out.wide(POLYCODEC_DTYPE_UINT128, minus_one)});
     }},
    {"complex_numbers",
     [](Builder& out) {
       const double both[2] = {1.5, -0.0};
       const float shorter[2] = {-2.5f, 0.1f};
       const std::uint16_t halves[2] = {0x3c00, 0xc000};
       return out.list({out.wide(POLYCODEC_DTYPE_COMPLEX128, both),
                        out.wide(POLYCODEC_DTYPE_COMPLEX64, shorter),
                        out.wide(POLYCODEC_DTYPE_COMPLEX32, halves)});
     }},
    {"quad_float",
     [](Builder& out) {
       // 1.0 as binary128, on little-endian machines.
       const std::uint64_t bits[2] = {0, 0x3fff000000000000};
       return out.wide(POLYCODEC_DTYPE_FLOAT128, bits);
     }},
    {"text", [](Builder& out) { return out.string_copy("hello"); }},
    {"texts",
     [](Builder& out) {
       return out.list(
           {out.string_copy(""), out.string_copy("x"),
            out.string_copy("\x7f \" \\ / \n \t $ \xc3\xa9 \xe2\x82\xac \xf0\x9f\x8e\xb2"),
            out.string_copy(std::string("a\0b", 3)), out.string_copy(std::string(31, 'a')),
            out.string_copy(std::string(32, 'b')), out.string_copy(std::string(255, 'c')),
            out.string_copy(std::string(256, 'd')), out.string_copy(std::string(3000, 'e'))});
     }},
    {"byte_strings",
     [](Builder& out) {
       std::string all;
       for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
       return out.list({Builder::bytes_view({}), out.bytes_copy(all), out.bytes_copy(all + all)});
     }},
    {"empty_list", [](Builder& out) { return out.list({}); }},
    {"list_of_mixed",
     [](Builder& out) {
       return out.list({Builder::null(), Builder::boolean(true), Builder::integer(-7),
                        Builder::real(0.5), out.string_copy("text"), out.list({}), out.object({})});
     }},
    {"list_of_lists",
     [](Builder& out) {
       polycodec_node* rows;
       const auto all = out.list(20, &rows);
       for (std::int64_t r = 0; r < 20; ++r) {
         polycodec_node* cells;
         rows[r] = out.list(static_cast<std::uint64_t>(r), &cells);
         for (std::int64_t c = 0; c < r; ++c) cells[c] = Builder::integer(r * c);
       }
       return all;
     }},
    {"list_of_texts",
     [](Builder& out) {
       return out.list({out.string_copy("one"), out.string_copy(""), out.string_copy("three")});
     }},
    {"list_of_byte_strings",
     [](Builder& out) {
       return out.list({out.bytes_copy("hello"), Builder::bytes_view({}), out.bytes_copy("a,b")});
     }},
    {"empty_object", [](Builder& out) { return out.object({}); }},
    {"nested_object",
     [](Builder& out) {
       return out.object(
           {{"name", out.string_copy("probe")},
            {"", Builder::integer(1)},
            {"a b.c[0]",
             out.object({{"deep", out.object({{"deeper", out.list({Builder::null()})}})}})},
            {"$dollar", Builder::boolean(false)},
            {"\xc3\xbc", Builder::real(1e300)}});
     }},
    {"records",
     [](Builder& out) {
       polycodec_node* rows;
       const auto all = out.list(5, &rows);
       for (std::int64_t i = 0; i < 5; ++i)
         rows[i] = out.object(
             {{"x", Builder::integer(i)},
              {"y", i == 3 ? Builder::null() : Builder::real(0.25 * static_cast<double>(i))},
              {"tag", out.string_copy("t")}});
       return all;
     }},
    {"map_of_any_keys",
     [](Builder& out) {
       polycodec_node* nodes;
       const auto map = out.map(4, &nodes);
       nodes[0] = Builder::integer(1);
       nodes[1] = out.string_copy("one");
       nodes[2] = out.string_copy("k");
       nodes[3] = Builder::null();
       nodes[4] = out.tuple({Builder::integer(2), Builder::boolean(true)});
       nodes[5] = out.list({});
       nodes[6] = Builder::integer(1);
       nodes[7] = out.string_copy("one again");
       return map;
     }},
    {"tuples",
     [](Builder& out) {
       return out.tuple({Builder::integer(1), out.tuple({}), out.string_copy("x")});
     }},
    {"times",
     [](Builder& out) {
       return out.list({out.timestamp(1577934245, 123456789, POLYCODEC_UNIT_NANOSECOND),
                        out.timestamp(-1, 0, POLYCODEC_UNIT_SECOND),
                        out.timestamp(253402300800, 999999999, POLYCODEC_UNIT_NANOSECOND),
                        out.timestamp(18262, 0, POLYCODEC_UNIT_DAY),
                        out.timestamp(INT64_MIN, 0, POLYCODEC_UNIT_NANOSECOND)});
     }},
    {"time_spans",
     [](Builder& out) {
       return out.list({out.duration(90, POLYCODEC_UNIT_MINUTE),
                        out.duration(-1, POLYCODEC_UNIT_NANOSECOND),
                        out.duration(INT64_MIN, POLYCODEC_UNIT_SECOND)});
     }},
    {"extension",
     [](Builder& out) {
       return out.extension("kit.unknown", out.object({{"code", Builder::integer(5)}}));
     }},
    {"variants",
     [](Builder& out) {
       return out.list({out.tagged(0, Builder::integer(1)), out.tagged(1, out.string_copy("x"))});
     }},
    {"annotated",
     [](Builder& out) {
       return out.annotated(Builder::real(3.5), out.object({{"units", out.string_copy("cm")}}));
     }},
    {"shared_reference",
     [](Builder& out) {
       const polycodec_node* shared =
           out.store(out.list({Builder::integer(1), Builder::integer(2)}));
       return out.list({Builder::reference(shared), Builder::reference(shared)});
     }},
    {"nested_64",
     [](Builder& out) {
       polycodec_node node = Builder::integer(1);
       for (int i = 0; i < 64; ++i) node = out.list({node});
       return node;
     }},
};

}  // namespace polycodec::kit
