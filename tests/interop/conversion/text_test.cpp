// SPDX-License-Identifier: MIT
// Typed JSON is lossless: what it gives back has the same kinds and types, and the same bytes in
// every codec, for each value of the corpus and each that a codec makes of a file of tests/vectors.
#include "core/text/text.hpp"

#include <model/type/print.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/kit/corpus.hpp>
#include <polycodec/view.hpp>

#include "codecs.hpp"
#include "core/io/sink.hpp"
#include "core/text/infer.hpp"
#include "core/value/value.hpp"
#include "files.hpp"
#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {
namespace {

/// What a codec writes, or that it does not.
std::string encoded(const CodecInfo& info, NodeView value) {
  CallOptions options;
  options.on_loss = [](LossClass, std::string_view, std::string_view) {};
  try {
    const Codec codec = opened(info, value);
    if ((info.outputs & POLYCODEC_INPUT_BYTES) != 0) return codec.encode_to_string(value, options);
    MemoryBlobs blobs;
    codec.encode(value, blobs, options);
    blobs.finish();
    const auto store = blobs.to_store();
    std::string all;
    for (const auto& entry : store->entries())
      all += entry.name + "\n" + std::string(store->read(entry.name)) + "\n";
    return all;
  } catch (const Error& e) {
    return "refused: " + std::to_string(static_cast<int>(e.code()));
  }
}

/// Kinds, element types and shapes of all that a value is made of, as a line each. Arrays are told
/// from lists, but not by layout: what codecs see of that is in their bytes.
class Kinds {
 public:
  static std::string of(NodeView value) {
    Kinds kinds;
    kinds.node(*value.raw());
    return kinds.text_;
  }

 private:
  void node(const polycodec_node& n) {
    if (++count_ > 2000) return;
    if (n.kind == POLYCODEC_KIND_ANNOTATED) {
      // Metadata of an array is in its struct, or around it.
      if (n.as.annotated->node->kind != POLYCODEC_KIND_ARRAY) text_ += "annotated ";
      return node(*n.as.annotated->node);
    }
    text_ +=
        std::to_string(n.kind) + ":" +
        (n.kind >= POLYCODEC_KIND_SIGNED && n.kind <= POLYCODEC_KIND_WIDE ? std::to_string(n.dtype)
                                                                          : "");
    const bool pairs = n.kind == POLYCODEC_KIND_OBJECT || n.kind == POLYCODEC_KIND_MAP;
    switch (n.kind) {
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
      case POLYCODEC_KIND_OBJECT:
      case POLYCODEC_KIND_MAP: {
        text_ += "[";
        const std::uint64_t size = polycodec_node_size(&n) * (pairs ? 2 : 1);
        for (std::uint64_t i = 0; i < size; ++i) node(n.as.nodes[i]);
        text_ += "]";
        break;
      }
      case POLYCODEC_KIND_ARRAY: {
        polycodec_array bare = *n.as.array;
        bare.metadata = nullptr;
        const polycodec_node items = Builder::array(&bare);
        text_ += type::print(infer_type(NodeView(&items)));
        break;
      }
      case POLYCODEC_KIND_EXTENSION:
        node(*n.as.extension->payload);
        break;
      case POLYCODEC_KIND_UNION:
        text_ += std::to_string(n.as.tagged->tag);
        node(*n.as.tagged->node);
        break;
      default:
        break;
    }
    text_ += "\n";
  }

  std::string text_;
  int count_ = 0;
};

/// Turns leaves to the byte order of the host: it is no part of a value.
class HostOrder {
 public:
  explicit HostOrder(Builder& builder) : builder_(builder) {}
  void node(const polycodec_node& n) {
    if (!seen_.insert(&n).second) return;
    const bool pairs = n.kind == POLYCODEC_KIND_OBJECT || n.kind == POLYCODEC_KIND_MAP;
    if (n.kind >= POLYCODEC_KIND_LIST && n.kind <= POLYCODEC_KIND_MAP)
      for (std::uint64_t i = 0; i < polycodec_node_size(&n) * (pairs ? 2 : 1); ++i)
        node(n.as.nodes[i]);
    if (n.kind == POLYCODEC_KIND_ARRAY) array(*n.as.array);
    if (n.kind == POLYCODEC_KIND_EXTENSION) node(*n.as.extension->payload);
    if (n.kind == POLYCODEC_KIND_ANNOTATED) node(*n.as.annotated->node);
    if (n.kind == POLYCODEC_KIND_UNION) node(*n.as.tagged->node);
    if (n.kind == POLYCODEC_KIND_REFERENCE) node(*n.as.node);
  }

 private:
  void array(const polycodec_array& a) {
    if (a.layout == POLYCODEC_LAYOUT_NDARRAY && !ArrayView(a).is_host_order())
      const_cast<polycodec_array&>(a) = *make_contiguous(a, builder_);
    if (a.layout == POLYCODEC_LAYOUT_DOCUMENT)
      for (std::uint64_t i = 0; i < a.length; ++i) node(a.nodes[i]);
    for (std::uint32_t i = 0; i < a.n_children; ++i) array(*a.children[i]);
  }

  Builder& builder_;
  std::set<const polycodec_node*> seen_;
};

/// What typed JSON changes of a value; empty if nothing.
std::string change_of(NodeView value) {
  std::string text;
  Value back;
  try {
    text = to_text(value);
    back = parse_text(text);
  } catch (const Error& e) {
    return e.describe();
  }
  validate(back.view(), {}, Validation::full);
  const std::string shown = " in " + text.substr(0, 300);
  if (to_text(back.view()) != text)
    return "another text: " + to_text(back.view()).substr(0, 300) + shown;
  if (const auto difference = first_difference(value, back.view()))
    return "another value: " + difference->path + ": " + difference->reason + shown;
  const std::string before = Kinds::of(value), after = Kinds::of(back.view());
  if (before != after) {
    const auto at =
        static_cast<std::size_t>(std::ranges::mismatch(before, after).in1 - before.begin());
    return "other kinds: " + before.substr(at, 80) + " / " + after.substr(at, 80) + shown;
  }
  std::string changed;
  for (const CodecInfo& info : registry().codecs())
    if (info.can_encode && encoded(info, value) != encoded(info, back.view()))
      changed += " " + info.name;
  return changed.empty() ? changed : "other bytes:" + changed + shown;
}

void expect_lossless(const std::string& name, Value& value) {
  Value::build([&](Builder& builder) {
    HostOrder(builder).node(*value.view().raw());
    EXPECT_EQ(change_of(value.view()), "") << name;
    return Builder::null();
  });
}

TEST(TypedJson, KeepsTheCorpus) {
  for (const auto& entry : kit::corpus()) {
    Value value = Value::build([&](Builder& builder) { return entry.make(builder); });
    expect_lossless(std::string(entry.name), value);
  }
}

/// The codec of a vector, with the type that is beside it where the bytes have none.
Codec codec_of(const std::filesystem::path& file, std::string_view format) {
  if (format == "msgpack_ndarray") return registry().codec("msgpack-ndarray");
  if (format != "dynd") return registry().codec(format);
  if (file.extension() == ".cbor") return registry().codec("dynd-cbor");
  const Value facts =
      parse_json(test::read_file(std::filesystem::path(file).replace_extension(".json")));
  const auto any = facts.view().find("any");
  if (!any || any->as_bool()) return registry().codec("dynd");
  const auto type = to_json(*facts.view().find("type"), json_compact);
  return registry().codec_with_json("dynd", R"({"type": )" + type + "}");
}

class TypedJsonOfVectors : public ::testing::TestWithParam<const char*> {};

TEST_P(TypedJsonOfVectors, IsLossless) {
  const std::filesystem::path root = std::filesystem::path(POLYCODEC_TEST_VECTORS) / GetParam();
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    if (entry.is_regular_file() && entry.file_size() < 100000) files.push_back(entry.path());
  std::ranges::sort(files);
  int decoded = 0;
  for (const auto& file : files) {
    if (file.extension() == ".json" || file.extension() == ".md") continue;
    Value value;
    try {
      value = codec_of(file, GetParam()).decode(Source::file(file.native()));
    } catch (const std::exception&) {
      continue;
    }
    ++decoded;
    expect_lossless(file.native(), value);
  }
  EXPECT_GE(decoded, 30);
}

INSTANTIATE_TEST_SUITE_P(Formats, TypedJsonOfVectors,
                         ::testing::Values("awkward", "dynd", "msgpack_ndarray", "obj", "ply",
                                           "yggdrasil"));

}  // namespace
}  // namespace polycodec
