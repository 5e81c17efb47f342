// SPDX-License-Identifier: MIT
// Values that nest deeply, and threads with small stacks to walk over them.
#pragma once

#include <polycodec/builder.hpp>

#include "core/value/value.hpp"
#include "registry/codec/registry.hpp"
#include "sanitized.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace polycodec::test {

/// Runs `body` in a thread with so large a stack.
inline void on_stack(std::size_t bytes, const std::function<void()>& body) {
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

// Frames of instrumented functions are larger, and so is what is kept free for them.
#if POLYCODEC_SANITIZED
constexpr std::size_t stack_scale = 5;
#else
constexpr std::size_t stack_scale = 1;
#endif
constexpr std::size_t small_stack = stack_scale * (std::size_t{256} << 10);
constexpr std::size_t large_stack = stack_scale * (std::size_t{64} << 20);

inline Limits deep_limits() {
  Limits limits;
  limits.max_depth = 10000;
  limits.max_memory_bytes = std::uint64_t{16} << 20;
  return limits;
}

inline CallOptions deep_call() {
  CallOptions options;
  options.limits = deep_limits();
  options.on_loss = [](LossClass, std::string_view, std::string_view) {};
  return options;
}

/// One level around a node, by a letter: a list, tuple, record, map, union member, extension, list
/// with null, list of annotated items, or lists of several lengths.
inline polycodec_node around(char letter, const polycodec_node& inner, Builder& out) {
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
    case 'a':
      return out.list({out.annotated(inner, out.object({{"k", Builder::integer(1)}}))});
    case 'v':
      return out.list({out.list({inner}), out.list({})});
    default:
      return out.list({inner});
  }
}

/// The letters of `pattern` over and over, the first one innermost.
inline polycodec_node nested(polycodec_node node, std::string_view pattern, std::size_t depth,
                             Builder& out) {
  for (std::size_t i = 0; i < depth; ++i) node = around(pattern[i % pattern.size()], node, out);
  return node;
}

/// The same in columns: a list by offsets or of fixed size, record, option, index, chunks.
inline const polycodec_array* nested_columns(std::string_view pattern, std::size_t depth,
                                             Builder& out) {
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
      case 'u':
        made = with(POLYCODEC_LAYOUT_UNION);
        made->index = Builder::column(std::span<const std::int64_t>(first));
        made->tags = Builder::column(std::span<const std::int64_t>(first));
        break;
      case 'c':
        made = out.chunked(one);
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

inline std::vector<Deep> deep_values(std::size_t depth) {
  std::vector<Deep> all;
  for (const std::string pattern : {"l", "t", "r", "m", "u", "x", "a", "lrt", "mlux"})
    all.push_back({"nodes " + pattern, std::make_shared<Value>(Value::build([&](Builder& out) {
                     return nested(Builder::integer(1), pattern, depth, out);
                   }))});
  for (const std::string pattern : {"l", "f", "r", "o", "i", "u", "c", "ol", "il", "flor"})
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

}  // namespace polycodec::test
