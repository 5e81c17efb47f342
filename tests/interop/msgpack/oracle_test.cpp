// SPDX-License-Identifier: MIT
// Random documents, with msgpack-c as the reference for both directions.
#include "support.hpp"

#include <gtest/gtest.h>
#include <msgpack.hpp>

#include <random>

namespace polycodec::test {
namespace {

using Packer = ::msgpack::packer<::msgpack::sbuffer>;

/// Makes random documents with msgpack-c's packer.
class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  std::string document() {
    ::msgpack::sbuffer buffer;
    Packer pack(buffer);
    item(pack, 0);
    return {buffer.data(), buffer.size()};
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  std::string bytes(std::uint32_t size) {
    std::string s(size, '\0');
    for (char& c : s) c = static_cast<char>('a' + below(26));
    return s;
  }
  std::uint32_t length() {
    constexpr std::uint32_t most[] = {4, 40, 300, 70000};
    const std::uint32_t kind = below(40);
    return below(most[kind < 20 ? 0 : kind < 36 ? 1 : kind < 39 ? 2 : 3]);
  }

  void item(Packer& pack, int depth) {
    switch (below(depth < 5 ? 12 : 9)) {
      case 0:
        pack.pack_nil();
        break;
      case 1:
        below(2) != 0 ? pack.pack_true() : pack.pack_false();
        break;
      case 2:
        pack.pack_int64(static_cast<std::int64_t>(random_()) >> below(64));
        break;
      case 3:
        pack.pack_uint64(random_() >> below(64));
        break;
      case 4: {
        // Halves, so that msgpack-c does not turn the number into an integer.
        pack.pack_double(
            0.5 + static_cast<double>(static_cast<std::int32_t>(below(1u << 30)) - (1 << 29)));
        break;
      }
      case 5:
        pack.pack_float(0.5f +
                        static_cast<float>(static_cast<std::int32_t>(below(1u << 20)) - (1 << 19)));
        break;
      case 6: {
        const std::string s = bytes(length());
        pack.pack_str(static_cast<std::uint32_t>(s.size()));
        pack.pack_str_body(s.data(), static_cast<std::uint32_t>(s.size()));
        break;
      }
      case 7: {
        const std::string s = bytes(length());
        pack.pack_bin(static_cast<std::uint32_t>(s.size()));
        pack.pack_bin_body(s.data(), static_cast<std::uint32_t>(s.size()));
        break;
      }
      case 8: {
        const std::string s = bytes(below(20));
        pack.pack_ext(s.size(), static_cast<std::int8_t>(below(100)));
        pack.pack_ext_body(s.data(), static_cast<std::uint32_t>(s.size()));
        break;
      }
      case 9:
      case 10: {
        const std::uint32_t n = below(20);
        pack.pack_array(n);
        for (std::uint32_t i = 0; i < n; ++i) item(pack, depth + 1);
        break;
      }
      default: {
        const std::uint32_t n = below(20);
        pack.pack_map(n);
        for (std::uint32_t i = 0; i < 2 * n; ++i) item(pack, depth + 1);
        break;
      }
    }
  }

  std::mt19937_64 random_;
};

// What msgpack-c reads must be what this codec reads, item by item.
void expect_same(NodeView value, const ::msgpack::object& o) {
  switch (o.type) {
    case ::msgpack::type::NIL:
      EXPECT_TRUE(value.is_null());
      break;
    case ::msgpack::type::BOOLEAN:
      EXPECT_EQ(value.as_bool(), o.via.boolean);
      break;
    case ::msgpack::type::POSITIVE_INTEGER:
      EXPECT_EQ(value.as_uint64(), o.via.u64);
      break;
    case ::msgpack::type::NEGATIVE_INTEGER:
      EXPECT_EQ(value.as_int64(), o.via.i64);
      break;
    case ::msgpack::type::FLOAT32:
      EXPECT_EQ(value.dtype(), static_cast<std::uint32_t>(POLYCODEC_DTYPE_FLOAT32));
      EXPECT_EQ(value.as_double(), o.via.f64);
      break;
    case ::msgpack::type::FLOAT64:
      EXPECT_EQ(value.dtype(), static_cast<std::uint32_t>(POLYCODEC_DTYPE_FLOAT64));
      EXPECT_EQ(value.as_double(), o.via.f64);
      break;
    case ::msgpack::type::STR:
      EXPECT_EQ(value.as_string(), std::string_view(o.via.str.ptr, o.via.str.size));
      break;
    case ::msgpack::type::BIN:
      EXPECT_EQ(value.kind(), POLYCODEC_KIND_BINARY);
      EXPECT_EQ(value.as_bytes().size(), o.via.bin.size);
      break;
    case ::msgpack::type::EXT: {
      const NodeView payload(value.as_extension().payload);
      EXPECT_EQ(payload.at("code").as_int64(), o.via.ext.type());
      EXPECT_EQ(payload.at("data").as_bytes().size(), o.via.ext.size);
      break;
    }
    case ::msgpack::type::ARRAY:
      ASSERT_EQ(value.items().size(), o.via.array.size);
      for (std::uint32_t i = 0; i < o.via.array.size; ++i)
        expect_same(value[i], o.via.array.ptr[i]);
      break;
    case ::msgpack::type::MAP:
      ASSERT_EQ(value.size(), o.via.map.size);
      for (std::uint32_t i = 0; i < o.via.map.size; ++i) {
        expect_same(value.key(i), o.via.map.ptr[i].key);
        expect_same(value.value(i), o.via.map.ptr[i].val);
      }
      break;
  }
}

TEST(MsgpackOracle, ReadsWhatItPacksAndWritesTheSameBytes) {
  std::size_t total = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const std::string bytes = Generator(seed).document();
    total += bytes.size();
    const Value value = decode(bytes);
    EXPECT_EQ(encode(value), bytes) << "seed " << seed;
    const ::msgpack::object_handle peer = ::msgpack::unpack(bytes.data(), bytes.size());
    expect_same(node(value), peer.get());
    if (HasFailure()) return;
  }
  EXPECT_GT(total, 1'000'000u);
}

TEST(MsgpackOracle, DoublesStayDoubles) {
  // msgpack-c 4.1 would pack these as integers, and lose the sign of -0.0.
  const Value value = Value::build([](Builder& b) {
    return b.list(
        {Builder::real(1.0), Builder::real(-0.0), Builder::real(-3.0), Builder::real32(2.0f)});
  });
  const std::string bytes = encode(value);
  EXPECT_EQ(bytes, from_hex("94cb3ff0000000000000cb8000000000000000cbc008000000000000ca40000000"));
  const ::msgpack::object_handle peer = ::msgpack::unpack(bytes.data(), bytes.size());
  EXPECT_EQ(peer.get().via.array.ptr[0].type, ::msgpack::type::FLOAT64);
}

}  // namespace
}  // namespace polycodec::test
