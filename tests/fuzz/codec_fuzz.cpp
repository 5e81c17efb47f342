// SPDX-License-Identifier: MIT
// Any bytes to a codec as the library opens it, once for each row of its options: an error that
// says what is wrong, or a value that can be walked. What is written of it is read again, and
// written as the same bytes. There is a target for each codec, and one list of options for each.
#include "shipped.hpp"
#include "tests/interop/yggdrasil/leaf_text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::test {
namespace {

/// A reader, and a writer that reads what it has written.
struct Row {
  Json reads = Json::object();
  Json writes = {};       ///< null: as `reads`
  bool is_lossy = false;  ///< what was read may be more than the writer takes
  bool is_exact = false;  ///< the bytes that were read are written
  bool keeps_the_value = false;
};

struct Opened {
  Codec reader, writer;
  Row row;
};

[[noreturn]] void stop(std::string_view what, std::string_view detail = {}) {
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(detail.size()), detail.data());
  std::abort();
}

// A value that breaks the rules of the model, or a fault that was noticed, is what we look for.
void expect_honest(const Error& error) {
  if (error.code() == Status::invalid || error.code() == Status::internal ||
      error.code() == Status::plugin)
    stop("no honest error", error.describe());
}

/// Goes to `left` items at most.
void walk(const View& item, int depth, int& left) {
  if (--left < 0 || depth > 40) return;
  if (item.kind() == POLYCODEC_KIND_REFERENCE) return walk(item.target(), depth + 1, left);
  std::string scratch;
  if (item.is_string() && item.as_string(scratch).size() > (std::size_t{1} << 40))
    stop("a string without an end");
  for (std::uint64_t i = 0; i < item.size() && left > 0; ++i) walk(item.child(i), depth + 1, left);
}

CallOptions bounded() {
  CallOptions options;
  options.limits.max_memory_bytes = std::uint64_t{1} << 28;
  options.limits.max_nodes = 1 << 20;
  options.limits.max_elements = 1 << 22;  // some columns need no bytes
  options.losses = POLYCODEC_LOSSES_OF(POLYCODEC_LOSS_COUNT) - 1;
  options.on_loss = [](LossClass, std::string_view, std::string_view) {};
  return options;
}

std::optional<Value> read(const Codec& codec, const Source& source) {
  static const CallOptions options = bounded();
  try {
    Value value = codec.decode(source, options);
    int left = 2000;
    walk(value.view(), 0, left);
    return value;
  } catch (const Error& error) {
    expect_honest(error);
    return std::nullopt;
  }
}

void try_row(const Opened& opened, std::string_view bytes) {
  const std::optional<Value> value = read(opened.reader, Source::view(bytes));
  if (!value) return;
  static const CallOptions options = bounded();
  std::string once;
  try {
    once = opened.writer.encode(*value, options);
  } catch (const Error& error) {
    expect_honest(error);
    if (opened.row.is_lossy) return;
    stop("what was read is not written", error.describe());
  }
  if (opened.row.is_exact && once != bytes) stop("other bytes came back", once);
  try {
    const Value again = opened.writer.decode(Source::view(once), options);
    if (opened.row.keeps_the_value) {
      if (const std::string different = difference(*value, again); !different.empty())
        stop("another value came back", different);
    }
    if (const std::string twice = opened.writer.encode(again, options); twice != once)
      stop("what was written is written otherwise", twice);
  } catch (const Error& error) {
    stop("what was written", error.describe());
  }
}

std::vector<Opened> open_rows(const std::string& name, const std::vector<Row>& rows) {
  std::vector<Opened> all;
  for (const Row& row : rows)
    all.push_back({shipped(name, row.reads),
                   shipped(name, row.writes.is_null() ? row.reads : row.writes), row});
  return all;
}

std::string_view view(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

void sniff_all(std::string_view bytes) try {
  static_cast<void>(registry().choose(Source::view(bytes)));
} catch (const Error& error) {
  expect_honest(error);
}

/// Each row on the bytes.
void try_rows(const std::vector<Opened>& rows, std::string_view bytes) {
  sniff_all(bytes);
  for (const Opened& row : rows) try_row(row, bytes);
}

/// Rows of a codec of meshes: tolerant and strict reading, and each form with and without
/// triangles.
std::vector<Row> rows_of_meshes(const std::vector<const char*>& forms) {
  std::vector<Row> rows{{}};
  for (const char* option : {"strict", "tolerant"})
    rows.push_back({{{option, true}}, Json::object()});
  for (const char* form : forms)
    for (const bool triangulate : {false, true})
      rows.push_back(
          {{{"form", form}, {"triangulate", triangulate}}, Json::object(), /*is_lossy=*/true});
  return rows;
}
std::vector<Row> rows_of_forms() {
  return {{{{"tolerant", true}}, Json::object(), /*is_lossy=*/true},
          {{{"form", "file"}}, Json::object(), /*is_lossy=*/true},
          {{{"form", "mesh"}}, Json::object(), /*is_lossy=*/true}};
}

// A mutation of base64 would hardly ever be a schema: what is before the first line end is the
// schema of a leaf, what is behind it the data of it.
std::string as_leaf(std::string_view bytes) {
  const std::size_t line = std::min(bytes.find('\n'), bytes.size());
  return "[" + leaf_text(bytes.substr(0, line), bytes.substr(std::min(line + 1, bytes.size()))) +
         ",1,{\"a\":2}]";
}

constexpr const char* everything = R"({"namespace": "n", "enums": {
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

std::vector<Row> rows_of_fastbin() {
  std::vector<Row> rows;
  for (const char* root : {"Tree", "All", "Any", "Note", "Line"}) {
    const Json strict{{"schema", everything}, {"root", root}};
    Json lenient = strict;
    lenient["slack"] = "lenient";
    lenient["absent"] = "null";
    rows.push_back({strict});
    rows.push_back({lenient});
  }
  return rows;
}

// Bytes that begin with a brace are a schema up to the first NUL, and a buffer of it behind it.
void try_schema(std::string_view bytes) {
  if (!bytes.starts_with('{')) return;
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  const Value schema = Value::build([&](Builder& b) {
    return b.object({{"schema", b.text_copy(bytes.substr(0, end))}});
  });
  try {
    const Codec codec = registry().codec("fastbin", schema.text({.plain = true}));
    try_row({codec, codec, {}}, bytes.substr(std::min(end + 1, bytes.size())));
  } catch (const Error& error) {
    expect_honest(error);
  }
}

// An archive is read as it is; other bytes are a schema, a NUL, and the content of every blob that
// the schema may read.
void try_store(const Codec& codec, std::string_view bytes) {
  if (bytes.starts_with("PK")) {
    static_cast<void>(read(codec, Source::view(bytes)));
    return;
  }
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  const std::string blob(bytes.substr(std::min(end + 1, bytes.size())));
  const OpenedStore store = OpenedStore::of({{".json", std::string(bytes.substr(0, end))},
                                             {"0.raw", blob},
                                             {"1.raw", blob},
                                             {"3.raw", blob},
                                             {"4.raw", blob},
                                             {"6.raw", blob},
                                             {"x", blob}});
  static_cast<void>(read(codec, Source::of(store.raw())));
}

}  // namespace
}  // namespace polycodec::test

using namespace polycodec::test;

extern "C" int fuzz_awkward(const std::uint8_t* data, std::size_t size) {
  static const auto codec = shipped("awkward");
  try_store(codec, view(data, size));
  return 0;
}

extern "C" int fuzz_dynd(const std::uint8_t* data, std::size_t size) {
  static const auto rows = [] {
    std::vector<Row> typed{{.is_exact = true}};
    for (const char* type :
         {"var * {a: ?int32, b: string, c: var * array[Any]}",
          "var * (?bool, ?float64, char, ?var * fixed_string[3, 'utf16'], type)",
          "(?pointer[?int8], 3 * ?void, var * ?{x: bytes, y: void}, ?complex[float32])"})
      typed.push_back({.reads = {{"type", type}}, .is_exact = true});
    auto all = open_rows("dynd", typed);
    all.push_back(open_rows("dynd-cbor", {{.is_exact = true}}).front());
    return all;
  }();
  try_rows(rows, view(data, size));
  return 0;
}

extern "C" int fuzz_fastbin(const std::uint8_t* data, std::size_t size) {
  static const auto rows = open_rows("fastbin", rows_of_fastbin());
  try_rows(rows, view(data, size));
  try_schema(view(data, size));
  return 0;
}

extern "C" int fuzz_gltf(const std::uint8_t* data, std::size_t size) {
  static const auto rows = open_rows("gltf", rows_of_forms());
  try_rows(rows, view(data, size));
  return 0;
}

extern "C" int fuzz_msgpack(const std::uint8_t* data, std::size_t size) {
  static const auto rows =
      open_rows("msgpack-ndarray",
                {{.keeps_the_value = true},
                 {.reads = {{"documents", "many"}}, .keeps_the_value = true},
                 {.reads = {{"legacy", false}, {"documents", "one"}}, .keeps_the_value = true},
                 {.reads = {{"ext_code", 5}, {"documents", "many"}}, .keeps_the_value = true},
                 {.reads = {{"numpy_maps", true}}, .writes = Json::object(), .is_lossy = true}});
  try_rows(rows, view(data, size));
  return 0;
}

extern "C" int fuzz_obj(const std::uint8_t* data, std::size_t size) {
  static const auto rows = open_rows("obj", rows_of_meshes({"mesh", "dict", "array_dict", "list"}));
  try_rows(rows, view(data, size));
  return 0;
}

extern "C" int fuzz_ply(const std::uint8_t* data, std::size_t size) {
  static const auto rows = open_rows("ply", rows_of_meshes({"mesh", "dict", "array_dict"}));
  try_rows(rows, view(data, size));
  return 0;
}

extern "C" int fuzz_stl(const std::uint8_t* data, std::size_t size) {
  static const auto rows = open_rows("stl", rows_of_forms());
  try_rows(rows, view(data, size));
  return 0;
}

extern "C" int fuzz_yggdrasil(const std::uint8_t* data, std::size_t size) {
  static const auto rows = open_rows(
      "yggdrasil",
      {{},
       {.writes = {{"style", "python"}}},
       {.reads = {{"utf8", "lenient"}, {"duplicate_keys", "last"}, {"nonfinite", "bare"}}}});
  try_rows(rows, view(data, size));
  const std::string leaf = as_leaf(view(data, size));
  for (const Opened& row : rows) try_row(row, leaf);
  return 0;
}
