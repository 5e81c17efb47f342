// SPDX-License-Identifier: MIT
// Any bytes as a buffer of a schema that has everything, and, where they start with a brace, as a
// schema: up to the first zero byte, with what follows as a buffer of it. What is accepted must be
// valid and come back the same.
#include "codec_calls.hpp"
#include "fastbin/codec.hpp"
#include "fastbin/schema/diff.hpp"
#include "fastbin/schema/parse.hpp"
#include "fastbin/schema/print.hpp"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace polycodec;

namespace {

constexpr std::string_view everything = R"({"namespace": "n", "enums": {
    "Side": {"type": "uint8", "members": {"Sell": {"value": 0}, "Buy": {"value": 1}}},
    "Far": {"type": "int16", "members": {"Low": {"value": -5}, "High": {"value": 700}}}},
  "structs": {
    "Point": {"members": {"x": "float32", "ok": "bool", "side": "enum:Side"}},
    "Line": {"members": {"a": "struct:Point", "far": "enum:Far"}},
    "Note": {"members": {"text": "string", "n": "int16", "data": "vector<uint16>"}},
    "Any": {"members": {"v": "Variant<int32, string, struct:Note, struct:Point, vector<bool>, enum:Far>"}},
    "All": {"members": {"id": "int64", "lines": "vector<struct:Line>", "notes": "vector<struct:Note>",
                        "flags": "vector<bool>", "fars": "vector<enum:Far>", "sides": "vector<enum:Side>",
                        "names": "vector<string>", "anys": "vector<struct:Any>", "any": "struct:Any"}},
    "Tree": {"members": {"groups": "vector<struct:All>"}}}})";

std::optional<fastbin::Fastbin> open(std::string_view schema, std::string_view root, bool lenient) {
  try {
    return test::make<fastbin::Fastbin>(
        {{"schema", Builder::string_view(schema)},
         {"root", Builder::string_view(root)},
         {"slack", Builder::string_view(lenient ? "lenient" : "strict")},
         {"absent", Builder::string_view(lenient ? "null" : "refuse")}});
  } catch (const Error& error) {
    if (error.code() != Status::option) std::abort();
    return std::nullopt;
  }
}

/// Each root, strict and lenient; made once.
const std::vector<fastbin::Fastbin>& codecs_of_everything() {
  static const std::vector<fastbin::Fastbin> codecs = [] {
    std::vector<fastbin::Fastbin> all;
    for (const char* root : {"Tree", "All", "Any", "Note", "Line"})
      for (const bool lenient : {false, true})
        all.push_back(open(everything, root, lenient).value());
    return all;
  }();
  return codecs;
}

void try_buffer(const fastbin::Fastbin& codec, std::string_view bytes) {
  Limits limits;
  limits.max_memory_bytes = std::uint64_t{64} << 20;
  limits.max_nodes = 1 << 22;
  const test::TestCall call(limits);
  Value value;
  try {
    value = test::decode(codec, bytes, call);
  } catch (const Error& error) {
    if (error.code() == Status::invalid || error.code() == Status::internal ||
        error.code() == Status::type)
      std::abort();
    if (error.code() != Status::limit && (error.detail().empty() || error.offset() > bytes.size()))
      std::abort();
    return;
  }
  const std::string once = test::encode(codec, value.view());
  if (once.size() > bytes.size()) std::abort();
  const Value again = test::decode(codec, once);
  if (test::encode(codec, again.view()) != once) std::abort();
}

void try_schema(std::string_view text) {
  try {
    const fastbin::Schema schema = fastbin::parse_schema(text);
    const std::string printed = fastbin::schema_to_json(schema);
    const fastbin::Schema again = fastbin::parse_schema(printed);
    if (fastbin::schema_to_json(again) != printed || !fastbin::diff(schema, again).empty())
      std::abort();
  } catch (const Error& error) {
    if (error.code() != Status::option || error.detail() != "fastbin.schema") std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const auto& codec : codecs_of_everything()) try_buffer(codec, bytes);
  if (!bytes.starts_with('{')) return 0;
  const std::size_t end = bytes.find('\0');
  const std::string_view schema = bytes.substr(0, end);
  try_schema(schema);
  if (end == std::string_view::npos) return 0;
  if (const auto codec = open(schema, "", false)) try_buffer(*codec, bytes.substr(end + 1));
  return 0;
}
