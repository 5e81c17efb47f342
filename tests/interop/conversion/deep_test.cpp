// SPDX-License-Identifier: MIT
// Values that nest deeply: every walk ends with a result or an error on a small stack, and the
// bytes of a value do not depend on what is around it.
#include "deep.hpp"

#include <polycodec/builder.hpp>

#include "codecs.hpp"
#include "core/io/sink.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"
#include "registry/codec/registry.hpp"
#include "sanitized.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace polycodec {
namespace {

using namespace test;

TEST(Deep, CodecsEndOnASmallStack) {
#if POLYCODEC_SANITIZED
  GTEST_SKIP() << "sanitizers make frames larger than what is kept free for them";
#endif
  for (const CodecInfo& info : registry().codecs()) {
    if (!info.can_encode || !info.can_decode || info.name == "fastbin") continue;
    const Codec codec = registry().codec(info.name);
    const bool store = !info.takes(POLYCODEC_INPUT_BYTES);
    for (const std::size_t depth : depths)
      for (const Deep& deep : deep_values(depth)) {
        // Layers without lists are for the walks of the host.
        if (deep.name == "nodes a" ||
            (deep.name.size() == 9 && deep.name.find_first_of("oiuc", 8) == 8))
          continue;
        SCOPED_TRACE(info.name + " " + deep.name + " " + std::to_string(depth));
        const CallOptions options = deep_call();
        std::optional<Source> encoded;
        const auto encode = [&] {
          ends("encode", [&] {
            if (!store) {
              encoded = Source::owned(codec.encode_to_string(deep.value->view(), options));
              return;
            }
            MemoryBlobs blobs;
            codec.encode(deep.value->view(), blobs, options);
            blobs.finish();
            encoded = Source::store(blobs.to_store());
          });
        };
        on_stack(small_stack, encode);
        if (!encoded) on_stack(large_stack, encode);
        if (encoded)
          on_stack(small_stack,
                   [&] { ends("decode", [&] { (void)codec.decode(*encoded, options); }); });
      }
  }
}

/// The DyND bytes of a value: type and data.
std::string bytes_of(std::string_view codec, NodeView value) {
  return registry().codec(codec).encode_to_string(value, deep_call());
}

/// Columns that have as documents the same bytes.
polycodec_node sample(std::size_t i, Builder& out) {
  static constexpr std::int64_t numbers[] = {1, 2, 3, 4};
  static constexpr std::int64_t shape[] = {2, 2};
  static constexpr std::uint8_t mask[] = {1, 0, 1, 0};
  static constexpr std::int64_t offsets[] = {0, 1, 4};
  const auto* leaf = out.vector(std::span<const std::int64_t>(numbers));
  const polycodec_array* const one[] = {leaf};
  polycodec_array* option = out.with_children(POLYCODEC_LAYOUT_OPTION_BYTES, 4, one);
  option->index = Builder::column(std::span<const std::uint8_t>(mask));
  option->flags = POLYCODEC_ARRAY_MASK_VALID;
  const polycodec_array* const both[] = {leaf, option};
  const std::string_view names[] = {"a", "b"};
  switch (i) {
    case 0:
      return Builder::array(leaf);
    case 1:
      return Builder::array(option);
    case 2:
      return Builder::array(out.record(4, names, both));
    case 3:
      return Builder::array(out.ndarray({reinterpret_cast<const char*>(numbers), sizeof numbers},
                                        POLYCODEC_DTYPE_INT64, 8, shape));
    case 4:
      return Builder::array(out.list_offsets(std::span<const std::int64_t>(offsets), option));
    case 5:
      return out.list({Builder::integer(1), Builder::string_view("x")});
    case 6:
      return out.list({Builder::array(leaf), Builder::null(), Builder::array(option)});
    default:
      return out.object({{"n", Builder::null()}, {"l", Builder::array(option)}});
  }
}
constexpr std::size_t samples = 8;
constexpr std::size_t depth_step = POLYCODEC_SANITIZED != 0 ? 4 : 1;

TEST(Deep, BytesOfAValueDoNotDependOnWhatIsAroundIt) {
  on_stack(large_stack, [] {
    for (std::size_t i = 0; i < samples; ++i) {
      const Value inner = Value::build([i](Builder& out) { return sample(i, out); });
      const std::string alone = bytes_of("dynd", inner.view());
      const std::string data = alone.substr(1 + static_cast<unsigned char>(alone[0]));
      for (const std::string pattern : {"l", "s", "ls", "ssl"})
        for (std::size_t depth = 0; depth <= 450;
             depth += depth < 190 || depth > 210 ? 38 : depth_step) {
          SCOPED_TRACE("sample " + std::to_string(i) + " " + pattern + std::to_string(depth));
          const auto wrapped = [&](bool documents) {
            return Value::build([&](Builder& out) {
              const polycodec_node node = sample(i, out);
              return nested(documents ? to_document(View(out.root(node)), out) : node, pattern,
                            depth, out);
            });
          };
          const Value columns = wrapped(false), documents = wrapped(true);
          for (const char* codec : {"dynd", "dynd-cbor"}) {
            const std::string bytes = bytes_of(codec, columns.view());
            ASSERT_EQ(bytes, bytes_of(codec, documents.view())) << codec;
            ASSERT_TRUE(bytes.ends_with(data) || codec != std::string_view("dynd"));
            const Value back = registry().codec(codec).decode(Source::view(bytes), deep_call());
            ASSERT_EQ(bytes, bytes_of(codec, back.view())) << codec;
          }
        }
    }
  });
}

TEST(Deep, RecordsForOtherKindsAreCutAtTheLevelsOfRecords) {
  on_stack(large_stack, [] {
    for (const std::string pattern : {"u", "m", "x", "ul", "mlux"})
      for (std::size_t depth = 45; depth <= 140; depth += depth_step) {
        SCOPED_TRACE(pattern + std::to_string(depth));
        const Value value = Value::build(
            [&](Builder& out) { return nested(Builder::integer(1), pattern, depth, out); });
        for (const char* codec : {"dynd", "dynd-cbor"}) {
          const std::string bytes = bytes_of(codec, value.view());
          const Value records = registry().codec(codec).decode(Source::view(bytes), deep_call());
          ASSERT_EQ(bytes, bytes_of(codec, records.view())) << codec;
        }
      }
  });
}

}  // namespace
}  // namespace polycodec
