// SPDX-License-Identifier: MIT
// Values that nest deeply: every walk ends with a result or an error on a small stack, and the
// bytes of a value do not depend on what is around it.
#include <polycodec/arrow.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/registry.hpp>
#include <polycodec/sink.hpp>
#include <polycodec/text.hpp>
#include <polycodec/value.hpp>

#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define POLYCODEC_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POLYCODEC_SANITIZED
#endif
#endif

namespace polycodec {
namespace {

const Registry& registry() {
  static const Registry all = Registry::open();
  return all;
}

/// Runs `body` in a thread with so large a stack.
void on_stack(std::size_t bytes, const std::function<void()>& body) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
  pthread_t thread;
  const auto run = [](void* work) -> void* {
    (*static_cast<const std::function<void()>*>(work))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&body)),
            0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

constexpr std::size_t small_stack = std::size_t{256} << 10;
constexpr std::size_t large_stack = std::size_t{64} << 20;

Limits deep_limits() {
  Limits limits;
  limits.max_depth = 10000;
  limits.max_memory_bytes = std::uint64_t{16} << 20;
  return limits;
}

CallOptions deep_call() {
  CallOptions options;
  options.limits = deep_limits();
  options.on_loss = [](LossClass, std::string_view, std::string_view) {};
  return options;
}

/// One level around a node, by a letter: a list, tuple, record, map, union member, extension, list
/// with null, or lists of several lengths.
polycodec_node around(char letter, const polycodec_node& inner, Builder& out) {
  switch (letter) {
    case 's':
      return out.object({{"a", inner}});
    case 't':
      return out.tuple({inner, Builder::integer(1)});
    case 'r':
      return out.object({{"a", inner}, {"b", Builder::integer(1)}});
    case 'm': {
      polycodec_node* nodes;
      const polycodec_node map = out.map(1, &nodes);
      nodes[0] = Builder::integer(1);
      nodes[1] = inner;
      return map;
    }
    case 'u':
      return out.tagged(1, inner);
    case 'x':
      return out.extension("e", inner);
    case 'o':
      return out.list({inner, Builder::null()});
    case 'v':
      return out.list({out.list({inner}), out.list({})});
    default:
      return out.list({inner});
  }
}

/// The letters of `pattern` over and over, the first one innermost.
polycodec_node nested(polycodec_node node, std::string_view pattern, std::size_t depth,
                      Builder& out) {
  for (std::size_t i = 0; i < depth; ++i) node = around(pattern[i % pattern.size()], node, out);
  return node;
}

/// The same in columns: a list by offsets or of fixed size, record, option, index, chunks.
const polycodec_array* nested_columns(std::string_view pattern, std::size_t depth, Builder& out) {
  static constexpr std::int64_t number[] = {1};
  static constexpr std::int64_t offsets[] = {0, 1};
  static constexpr std::int64_t first[] = {0};
  static constexpr std::uint8_t present[] = {1};
  const polycodec_array* a = out.vector(std::span<const std::int64_t>(number));
  for (std::size_t i = 0; i < depth; ++i) {
    const polycodec_array* const one[] = {a};
    const auto with = [&](polycodec_layout layout) { return out.with_children(layout, 1, one); };
    polycodec_array* made = nullptr;
    switch (pattern[i % pattern.size()]) {
      case 'f':
        made = with(POLYCODEC_LAYOUT_LIST_FIXED);
        made->list_size = 1;
        break;
      case 'r': {
        const std::string_view names[] = {"a"};
        made = out.record(1, names, one);
        break;
      }
      case 'o':
        made = with(POLYCODEC_LAYOUT_OPTION_BYTES);
        made->index = Builder::column(std::span<const std::uint8_t>(present));
        made->flags = POLYCODEC_ARRAY_MASK_VALID;
        break;
      case 'i':
        made = with(POLYCODEC_LAYOUT_INDEXED);
        made->index = Builder::column(std::span<const std::int64_t>(first));
        break;
      default:
        made = out.list_offsets(std::span<const std::int64_t>(offsets), a);
    }
    a = made;
  }
  return a;
}

struct Deep {
  std::string name;
  std::shared_ptr<const Value> value;
};

std::vector<Deep> deep_values(std::size_t depth) {
  std::vector<Deep> all;
  for (const std::string pattern : {"l", "t", "r", "m", "u", "x", "lrt", "mlux"})
    all.push_back({"nodes " + pattern, std::make_shared<Value>(Value::build([&](Builder& out) {
                     return nested(Builder::integer(1), pattern, depth, out);
                   }))});
  for (const std::string pattern : {"l", "f", "r", "ol", "il", "flor"})
    all.push_back({"columns " + pattern, std::make_shared<Value>(Value::build([&](Builder& out) {
                     return Builder::array(nested_columns(pattern, depth, out));
                   }))});
  return all;
}

/// Calls it; errors must be those of limits or of what a format cannot hold.
template <class Walk>
bool ends(const std::string& name, Walk walk) {
  try {
    walk();
    return true;
  } catch (const Error& e) {
    EXPECT_TRUE(e.code() == Status::limit || e.code() == Status::unsupported ||
                e.code() == Status::type || e.code() == Status::range)
        << name << ": " << e.describe();
    return false;
  }
}

constexpr std::size_t depths[] = {60, 400, 9900};

TEST(Deep, ComparingAndPrintingEndOnASmallStack) {
  for (const std::size_t depth : depths)
    for (const Deep& deep : deep_values(depth)) {
      if (deep.name.starts_with("columns")) continue;
      SCOPED_TRACE(deep.name + " " + std::to_string(depth));
      const NodeView value = deep.value->view();
      CompareOptions options;
      options.max_depth = deep_limits().max_depth;
      on_stack(small_stack, [&] {
        ends("validate", [&] { validate(value, deep_limits(), Validation::full); });
        ends("compare", [&] { (void)equal(value, value, options); });
        ends("address", [&] { (void)registry().address(value, Address::logical, deep_call()); });
        ends("print JSON", [&] { (void)to_json(value, 0, options.max_depth); });
      });
    }
}

TEST(Deep, CodecsEndOnASmallStack) {
#ifdef POLYCODEC_SANITIZED
  GTEST_SKIP() << "sanitizers make frames larger than what is kept free for them";
#endif
  for (const CodecInfo& info : registry().codecs()) {
    if (!info.can_encode || !info.can_decode || info.name == "fastbin") continue;
    const Codec codec = registry().codec(info.name);
    const bool store = !info.takes(POLYCODEC_INPUT_BYTES);
    for (const std::size_t depth : depths)
      for (const Deep& deep : deep_values(depth)) {
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

TEST(Deep, BytesOfAValueDoNotDependOnWhatIsAroundIt) {
  on_stack(large_stack, [] {
    for (std::size_t i = 0; i < samples; ++i) {
      const Value inner = Value::build([i](Builder& out) { return sample(i, out); });
      const std::string alone = bytes_of("dynd", inner.view());
      const std::string data = alone.substr(1 + static_cast<unsigned char>(alone[0]));
      for (const std::string pattern : {"l", "s", "ls", "ssl"})
        for (std::size_t depth = 0; depth <= 450; depth += depth < 150 || depth > 260 ? 50 : 1) {
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

}  // namespace
}  // namespace polycodec
