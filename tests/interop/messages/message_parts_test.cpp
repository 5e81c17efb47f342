// SPDX-License-Identifier: MIT
// Every part of a value that came with a message is of that value: hosts ask for parts by pointer.
// A declared datatype makes a second value, which views the one that was decoded.
#include <polycodec/bytes.hpp>
#include <polycodec/host.h>

#include "core/schema/schema.hpp"
#include "core/text/text.hpp"
#include "files.hpp"
#include "host_calls.h"
#include "registry/channel/channel.hpp"
#include "registry/codec/codec_handle.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace polycodec {
namespace {

namespace fs = std::filesystem;

struct Release {
  void operator()(polycodec_registry* p) const { polycodec_registry_release(p); }
  void operator()(polycodec_source* p) const { polycodec_source_release(p); }
  void operator()(polycodec_value* p) const { polycodec_value_release(p); }
};
template <class T>
using Handle = std::unique_ptr<T, Release>;

polycodec_error no_error() {
  polycodec_error error{};
  error.struct_size = sizeof error;
  return error;
}

/// Asks a value for each of its parts in each way that there is.
class Parts {
 public:
  explicit Parts(polycodec_value* value) : value_(value) {}

  int visit() {
    node(*polycodec_value_root(value_));
    return seen_;
  }

 private:
  void expect(int32_t code) { EXPECT_EQ(code, POLYCODEC_OK) << error_.message; }
  /// What makes a value: that value is whole, too.
  void part(const std::function<int32_t(polycodec_value**)>& make) {
    polycodec_value* made = nullptr;
    expect(make(&made));
    if (const Handle<polycodec_value> owned(made); owned != nullptr) {
      ++seen_;
      polycodec_value* again = nullptr;
      expect(part_of_node(made, polycodec_value_root(made), &again, &error_));
      polycodec_value_release(again);
    }
  }

  void node(const polycodec_node& n) {
    part([&](auto** to) { return part_of_node(value_, &n, to, &error_); });
    switch (n.kind) {
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
        for (std::uint64_t i = 0; i < polycodec_node_size(&n); ++i) node(n.as.nodes[i]);
        return;
      case POLYCODEC_KIND_OBJECT:
      case POLYCODEC_KIND_MAP:
        for (std::uint64_t i = 0; i < 2 * polycodec_node_size(&n); ++i) node(n.as.nodes[i]);
        return;
      case POLYCODEC_KIND_ANNOTATED:
        node(*n.as.annotated->metadata);
        return node(*n.as.annotated->node);
      case POLYCODEC_KIND_EXTENSION:
        return node(*n.as.extension->payload);
      case POLYCODEC_KIND_UNION:
        return node(*n.as.tagged->node);
      case POLYCODEC_KIND_ARRAY:
        return array(*n.as.array);
      default:
        return;
    }
  }

  void array(const polycodec_array& a) {
    part([&](auto** to) { return rows_of(value_, &a, 0, UINT64_MAX, to, &error_); });
    for (std::uint64_t i = 0; i < a.length && i < 3; ++i)
      part([&](auto** to) { return item_of(value_, &a, i, to, &error_); });
    if (a.metadata != nullptr) node(*a.metadata);
    for (std::uint32_t i = 0; i < a.n_children; ++i) array(*a.children[i]);
    for (std::uint64_t i = 0; a.layout == POLYCODEC_LAYOUT_DOCUMENT && i < a.length; ++i)
      node(a.nodes[i]);
  }

  polycodec_value* value_;
  polycodec_error error_ = no_error();
  int seen_ = 0;
};

Handle<polycodec_registry> open_registry() {
  polycodec_error error = no_error();
  polycodec_registry* made = nullptr;
  EXPECT_EQ(polycodec_registry_open(nullptr, &made, &error), POLYCODEC_OK) << error.message;
  return Handle<polycodec_registry>(made);
}

/// The value of a message; null where it has none that can be read.
Handle<polycodec_value> decoded(const polycodec_registry& registry, const std::string& bytes) {
  polycodec_error error = no_error();
  polycodec_source* made = nullptr;
  polycodec_value* value = nullptr;
  EXPECT_EQ(from_bytes({bytes.data(), bytes.size()}, nullptr, nullptr, {nullptr, 0}, &made, &error),
            POLYCODEC_OK);
  const Handle<polycodec_source> source(made);
  polycodec_decode(&registry, source.get(), nullptr, nullptr, &value, nullptr, &error);
  return Handle<polycodec_value>(value);
}

TEST(MessageParts, OfAllVectors) {
  const auto registry = open_registry();
  int read = 0, seen = 0;
  for (const char* directory : {"yggdrasil/messages", "yggdrasil/messages/malformed"})
    for (const auto& entry : fs::directory_iterator(fs::path(POLYCODEC_TEST_VECTORS) / directory)) {
      if (entry.path().extension() != ".msg") continue;
      SCOPED_TRACE(entry.path().filename().string());
      const std::string bytes = test::read_file(entry.path());
      const auto value = decoded(*registry, bytes);
      if (value == nullptr) continue;
      ++read;
      seen += Parts(value.get()).visit();
    }
  EXPECT_GE(read, 17);
  EXPECT_GE(seen, 3 * read / 2);
}

TEST(MessageParts, OfMessagesOfThisChannel) {
  const auto registry_handle = open_registry();
  constexpr const char* all[] = {
      R"([1, [2, "b"], {"c": [null, 1.5]}])", R"({"a": {"b": [1, 2.5, "c"]}, "d": "e"})",
      R"t({"type": "(int64, string, {x: float64})", "value": {"$tuple": [1, "two", {"x": 1.5}]}})t",
      R"t({"type": "3 * {x: float64, y: var * int32}", "value": [{"x": 1, "y": [1]}, {"x": 2, "y": []}, {"x": 3, "y": [2, 3]}]})t"};
  for (const char* text : all) {
    SCOPED_TRACE(text);
    const Value sent = parse_text(text);
    std::string packed;
    Channel sender(registry());  // one has one type from its first message on
    const OutgoingMessage message = sender.pack(sent.view());
    for (const Segment& segment : message.parts().all())
      packed += to_string_view(segment.data, segment.size);
    const auto value = decoded(*registry_handle, packed);
    ASSERT_NE(value, nullptr);
    EXPECT_GE(Parts(value.get()).visit(), 6);
  }
}

TEST(MessageParts, OfANormalizedValue) {
  Value value = parse_text(R"({"a": [1, "b", {"c": null}]})");
  const polycodec_node* const list = value.view().at("a").raw();
  const Value made = schema::normalize(
      schema::Schema::parse(R"({"type": "object", "properties": {"a": {"type": "array"}}})"),
      std::move(value));
  EXPECT_TRUE(made.contains(list->as.nodes, 3 * sizeof *list));
  EXPECT_FALSE(made.contains(&made, sizeof made));
}

}  // namespace
}  // namespace polycodec
