// SPDX-License-Identifier: MIT
// Codecs with a quick way beside the exact one, for what documents mostly consist of: both ways
// give the same value, or the same error, and write the same bytes. No codec has a switch for this:
// options that change nothing else keep the decoder from the quick way, and empty attributes around
// each node keep the encoder from it.
#include <polycodec/dtype.hpp>

#include "plugins/msgpack_ndarray/skip.hpp"
#include "shipped.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::test {
namespace {

[[noreturn]] void stop(const std::string& what, std::string_view bytes) {
  std::fprintf(stderr, "%s\n", what.c_str());
  for (const char c : bytes) std::fprintf(stderr, "%02x", static_cast<unsigned char>(c));
  std::fputc('\n', stderr);
  std::abort();
}

/// A value, or why there is none.
template <class T>
struct Outcome {
  std::optional<T> value;
  std::string error;
};

template <class Make>
auto outcome(Make&& make) -> Outcome<decltype(make())> {
  try {
    return {make(), {}};
  } catch (const Error& error) {
    return {std::nullopt, error.describe()};
  }
}

CallOptions bounded(std::uint64_t nodes, std::uint32_t depth) {
  CallOptions options;
  options.limits.max_memory_bytes = std::uint64_t{1} << 28;
  options.limits.max_nodes = nodes;
  options.limits.max_depth = depth;
  options.losses = POLYCODEC_LOSSES_OF(POLYCODEC_LOSS_COUNT) - 1;
  options.on_loss = [](LossClass, std::string_view, std::string_view) {};
  return options;
}

/// The options of a call: with room for all that the inputs hold, and with little.
const std::vector<CallOptions>& calls() {
  static const std::vector<CallOptions> all{bounded(1 << 20, 64), bounded(48, 3)};
  return all;
}

/// A copy with empty attributes around the node and all nodes in it but keys. `is_whole` becomes
/// false if there is something else than documents in it.
polycodec_node wrapped(Builder& out, const polycodec_node& node, bool& is_whole) {
  polycodec_node copy = node;
  const std::uint64_t size = polycodec_node_size(&node);
  const auto keep_bytes = [&](std::uint64_t count) {
    const std::string_view bytes(static_cast<const char*>(node.as.data), count);
    copy.as.data = out.store_all(std::span<const char>(bytes));
  };
  switch (node.kind) {
    case POLYCODEC_KIND_NULL:
    case POLYCODEC_KIND_BOOLEAN:
    case POLYCODEC_KIND_SIGNED:
    case POLYCODEC_KIND_UNSIGNED:
    case POLYCODEC_KIND_FLOAT:
      break;
    case POLYCODEC_KIND_WIDE:
      keep_bytes(dtype_size(node.dtype));
      break;
    case POLYCODEC_KIND_STRING:
    case POLYCODEC_KIND_BINARY:
      keep_bytes(size);
      break;
    case POLYCODEC_KIND_TIMESTAMP:
      copy.as.time = out.store(*node.as.time);
      break;
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_OBJECT:
    case POLYCODEC_KIND_MAP: {
      const bool is_list = node.kind == POLYCODEC_KIND_LIST;
      const std::uint64_t count = is_list ? size : 2 * size;
      auto* const nodes = out.allocate<polycodec_node>(count);
      for (std::uint64_t i = 0; i < count; ++i) {
        nodes[i] = wrapped(out, node.as.nodes[i], is_whole);
        if (!is_list && i % 2 == 0 && nodes[i].kind == POLYCODEC_KIND_ANNOTATED)
          nodes[i] = *nodes[i].as.annotated->node;
      }
      copy.as.nodes = nodes;
      break;
    }
    default:
      is_whole = false;
      return Builder::null();
  }
  return out.annotated(copy, out.object({}));
}

void compare_writing(const Codec& codec, const Value& value, std::string_view bytes) {
  bool is_whole = true;
  const Value apart =
      Value::build([&](Builder& out) { return wrapped(out, *value.root(), is_whole); });
  if (!is_whole) return;
  // Attributes are deeper than what they are of, and count as nodes: far from the limits they do
  // not matter.
  static const CallOptions call = bounded(1 << 24, 512);
  const auto quick = outcome([&] { return codec.encode(value, call); });
  const auto exact = outcome([&] { return codec.encode(apart, call); });
  if (quick.value != exact.value || quick.error != exact.error)
    stop("written otherwise:\n" + quick.value.value_or(quick.error) + '\n' +
             exact.value.value_or(exact.error),
         bytes);
}

/// One codec with options that allow the quick way, and with others that do not.
struct Twins {
  Codec quick, exact;
};

void compare(const Twins& twins, std::string_view bytes) {
  for (const CallOptions& call : calls()) {
    const auto read = [&](const Codec& codec) {
      return outcome([&] { return codec.decode(Source::view(bytes), call); });
    };
    const auto quick = read(twins.quick), exact = read(twins.exact);
    if (quick.error != exact.error)
      stop("one of two errors:\n" + quick.error + '\n' + exact.error, bytes);
    if (!quick.value) continue;
    if (const std::string different = difference(*quick.value, *exact.value); !different.empty())
      stop("another value: " + different, bytes);
    if (&call == &calls().front()) compare_writing(twins.quick, *quick.value, bytes);
  }
}

/// The document with all twins, and what becomes of it when one of its bytes is another with one of
/// them. The input says which.
template <class CompareOne>
void with_mutations(std::string document, std::size_t twins, CompareOne&& compare_one) {
  for (std::size_t i = 0; i < twins; ++i) compare_one(i, document);
  std::uint64_t state = 1469598103934665603u;
  for (const char c : document) state = (state ^ static_cast<unsigned char>(c)) * 1099511628211u;
  for (int i = 0; i < 2 && !document.empty(); ++i) {
    char& byte = document[state % document.size()];
    const char before = byte;
    state = state * 6364136223846793005u + 1442695040888963407u;
    byte = i % 2 == 0 ? static_cast<char>(byte ^ (1 << (state >> 60 & 7)))
                      : document[(state >> 20) % document.size()];
    compare_one((state >> 40) % twins, document);
    byte = before;
    state = state * 6364136223846793005u + 1442695040888963407u;
  }
}

/// Passes the items of msgpack that follow each other, of which one may be like that before.
void compare_skips(const std::string& bytes) {
  const auto* at = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const std::uint8_t* const end = at + bytes.size();
  msgpack_ndarray::Skipper skip;
  while (at != end) {
    const auto found = msgpack_ndarray::scan(at, static_cast<std::uint64_t>(end - at));
    const bool is_right = found.state == msgpack_ndarray::Scan::complete;
    const std::uint8_t* const expected = is_right ? at + found.size : nullptr;
    std::uint64_t due = 1;
    const bool is_passed = skip.simple(at, end) || (skip.items(at, end, end, due) && due == 0);
    if (is_passed != is_right || (is_passed && at != expected)) stop("passed otherwise", bytes);
    if (!is_passed) return;
  }
}

}  // namespace
}  // namespace polycodec::test

using namespace polycodec::test;

// Maps of numpy are made after the exact way alone. What has a name that they have may be another
// value then.
extern "C" int fuzz_msgpack_twins(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Twins> twins = [] {
    std::vector<Twins> all;
    for (Json options : {Json::object(), Json{{"utf8", "lenient"}}, Json{{"documents", "many"}}}) {
      Json exact = options;
      exact["numpy_maps"] = true;
      all.push_back({shipped("msgpack-ndarray", options), shipped("msgpack-ndarray", exact)});
    }
    return all;
  }();
  const std::string document(reinterpret_cast<const char*>(data),
                             std::min<std::size_t>(size, 4096));
  const auto compare_one = [](std::size_t i, const std::string& bytes) {
    for (const std::string_view name : {"nd", "ndarray", "complex", "__npgeneric__"})
      if (bytes.find(name) != std::string::npos) return;
    compare(twins[i], bytes);
    compare_skips(bytes);
  };
  with_mutations(document, twins.size(), compare_one);
  // A list of five, so that each is like the one before, and more bytes follow than are looked at.
  std::string list = "\x95";
  for (int i = 0; i < 5; ++i) list += document;
  with_mutations(list, twins.size(), compare_one);
  std::string items = document;
  for (int i = 0; i < 5; ++i) items += document;
  with_mutations(items, 1, [](std::size_t, const std::string& bytes) { compare_skips(bytes); });
  return 0;
}

// Where a header says something of the body, even if it is nothing, the body is read exactly.
extern "C" int fuzz_yggdrasil_twins(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Twins> twins = [] {
    std::vector<Twins> all;
    for (Json options : {Json{{"dialect", "document"}}, Json{{"dialect", "legacy-1.8"}},
                         Json{{"dialect", "document"}, {"utf8", "lenient"}, {"style", "python"}},
                         Json{{"dialect", "document"}, {"duplicate_keys", "last"}}}) {
      Json exact = options;
      exact["datatype"] = Json::object();
      all.push_back({shipped("yggdrasil", options), shipped("yggdrasil", exact)});
    }
    return all;
  }();
  const std::string document(reinterpret_cast<const char*>(data),
                             std::min<std::size_t>(size, 4096));
  const auto compare_one = [](std::size_t i, const std::string& bytes) {
    compare(twins[i], bytes);
  };
  // After so many characters, and before as many, the quick way is taken.
  const std::string around(128, ' ');
  with_mutations('[' + around + "0," + document + ",{\"a\":" + document + "}" + around + ']',
                 twins.size(), compare_one);
  with_mutations(document + around, twins.size(), compare_one);
  return 0;
}
