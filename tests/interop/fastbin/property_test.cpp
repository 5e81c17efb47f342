// SPDX-License-Identifier: MIT
// Random schemas with random values: what is encoded comes back, and no shorter buffer is taken for
// it. Each round starts from its own number, which a failure names.

#include "fastbin/schema/parse.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace polycodec {
namespace {

using fastbin::Kind;
using fastbin::Primitive;
using test::Json;

using Random = std::mt19937_64;

unsigned below(Random& random, unsigned n) {
  return static_cast<unsigned>(random() % n);
}

std::string random_primitive(Random& random) {
  return std::string(
      fastbin::primitive_name(static_cast<Primitive>(below(random, fastbin::primitive_count))));
}

/// A schema of structs that use those before them; the last one is the root.
class SchemaMaker {
 public:
  explicit SchemaMaker(Random& random) : random_(random) {}

  Json make() {
    Json schema{{"namespace", "random"}, {"enums", Json::object()}, {"structs", Json::object()}};
    for (; enums_ < 2; ++enums_) schema["enums"]["E" + std::to_string(enums_)] = enumeration();
    const unsigned count = 1 + below(random_, 5);
    for (; structs_ < count; ++structs_) {
      Json members = Json::object();
      const unsigned n = 1 + below(random_, 5);
      for (unsigned i = 0; i < n; ++i) members["m" + std::to_string(i)] = member();
      schema["structs"]["S" + std::to_string(structs_)]["members"] = members;
    }
    return schema;
  }
  std::string root() const { return "S" + std::to_string(structs_ - 1); }

 private:
  Json enumeration() {
    const char* storages[] = {"int8",  "uint8",  "int16", "uint16",
                              "int32", "uint32", "int64", "uint64"};
    Json members = Json::object();
    for (unsigned i = 0; i < 4; ++i)
      members["N" + std::to_string(i)]["value"] = 3 * i + below(random_, 3);
    return {{"type", storages[below(random_, 8)]}, {"members", members}};
  }
  /// A type that is one thing alone; struct:S while there is one.
  std::string simple() {
    const unsigned choice = below(random_, structs_ == 0 ? 4 : 6);
    if (choice < 2) return random_primitive(random_);
    if (choice == 2) return "string";
    if (choice == 3) return "enum:E" + std::to_string(below(random_, 2));
    return "struct:S" + std::to_string(below(random_, structs_));
  }
  std::string member() {
    const unsigned choice = below(random_, 6);
    if (choice < 3) return simple();
    if (choice < 5) return "vector<" + simple() + ">";
    std::set<std::string> alternatives;
    for (unsigned n = 1 + below(random_, 4); n > 0; --n)
      alternatives.insert(below(random_, 4) == 0 ? "vector<" + random_primitive(random_) + ">"
                                                 : simple());
    std::string text;
    for (const std::string& a : alternatives) text += (text.empty() ? "" : ", ") + a;
    return "Variant<" + text + ">";
  }

  Random& random_;
  unsigned enums_ = 0;
  unsigned structs_ = 0;
};

/// Values of a schema, in the form that the vectors have theirs.
class ValueMaker {
 public:
  ValueMaker(Random& random, const fastbin::Schema& schema) : random_(random), schema_(schema) {}

  Json structure(const fastbin::Struct& s) {
    Json members = Json::object();
    for (const auto& f : s.fields) members[f.name] = value(f.type);
    return members;
  }

 private:
  Json primitive(Primitive p) {
    if (p == Primitive::boolean) return below(random_, 2) == 1;
    if (is_float(p)) return (static_cast<double>(below(random_, 4096)) - 2048) / 16;
    const unsigned unused = 64 - 8 * native_size(p);
    if (is_signed(p)) return static_cast<std::int64_t>(random_()) >> unused;
    return random_() >> unused;
  }
  /// How many elements: fewer where nesting has made many.
  unsigned count() {
    const unsigned n = left_ == 0 ? 0 : std::min(left_, below(random_, 5));
    left_ -= n;
    return n;
  }
  Json value(const fastbin::Type& type) {
    switch (type.kind) {
      case Kind::primitive:
        return primitive(type.primitive);
      case Kind::text:
        return std::string(below(random_, 12), static_cast<char>('a' + below(random_, 26)));
      case Kind::enumeration: {
        const auto& members = schema_.enum_of(type).members;
        return members[below(random_, static_cast<unsigned>(members.size()))].name;
      }
      case Kind::structure:
        return structure(schema_.struct_of(type));
      case Kind::vector: {
        Json items = Json::array();
        for (unsigned n = count(); n > 0; --n) items.push_back(value(type.item()));
        return items;
      }
      default: {
        const unsigned index = below(random_, static_cast<unsigned>(type.of.size()));
        const auto& held = type.of[index];
        // An empty text or vector has the bytes of an empty variant, and is read as itself.
        if (held.kind != Kind::text && held.kind != Kind::vector && below(random_, 5) == 0)
          return {{"index", index}, {"empty", true}};
        return {{"index", index}, {"value", value(held)}};
      }
    }
  }

  Random& random_;
  const fastbin::Schema& schema_;
  unsigned left_ = 60;
};

void check_round(unsigned seed) {
  Random random(seed);
  SchemaMaker maker(random);
  const std::string text = maker.make().dump();
  SCOPED_TRACE("round " + std::to_string(seed) + ", root " + maker.root() + " of " + text);
  const fastbin::Schema schema = fastbin::parse_schema(text);
  const fastbin::Struct& root = *schema.find_struct(maker.root());
  const Json json = ValueMaker(random, schema).structure(root);
  const Value value =
      Value::build([&](Builder& out) { return test::build_struct(out, schema, root, json); });

  const auto codec = test::fastbin_codec(text, root.name);
  const std::string bytes = test::encode(codec, value);
  EXPECT_EQ(bytes.size() % fastbin::word_size, 0u);
  EXPECT_GE(bytes.size(), root.min_size);

  const Value back = test::decode(codec, bytes);
  EXPECT_EQ(test::difference(back, value), "") << json;
  EXPECT_EQ(test::encode(codec, back), bytes);

  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 200) {
    EXPECT_EQ(test::refusal(codec, std::string_view(bytes).substr(0, size)), "fastbin.truncated")
        << size << " of " << bytes.size();
  }
}

TEST(FastbinProperty, WhatIsEncodedComesBackAndIsNeverShorter) {
  for (unsigned seed = 1;
       seed <= static_cast<unsigned>(test::rounds(400)) && !::testing::Test::HasFailure(); ++seed)
    ASSERT_NO_THROW(check_round(seed)) << "round " << seed;
}

}  // namespace
}  // namespace polycodec
