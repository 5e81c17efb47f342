// SPDX-License-Identifier: MIT
// Every value of the conformance kit's corpus to every codec and back. What comes of each is a cell
// of a table; the page docs/conversion-matrix.md is that table, and this test fails where it no
// longer says what the code does. With POLYCODEC_UPDATE_MATRIX set, the page is written anew
// instead.
#include <model/type/print.hpp>
#include <polycodec/kit/corpus.hpp>
#include <polycodec/view.hpp>

#include "codecs.hpp"
#include "core/io/sink.hpp"
#include "core/text/infer.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"
#include "files.hpp"
#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace polycodec {
namespace {

/// Codecs for values that read and write, by name.
std::vector<const CodecInfo*> codecs() {
  std::vector<const CodecInfo*> all;
  for (const CodecInfo& codec : registry().codecs())
    if (codec.can_decode && codec.can_encode) all.push_back(&codec);
  return all;
}

std::string content_hash(NodeView value) {
  return registry().address(value);
}

/// Encodes and decodes. Throws Error.
Value round_trip(const Codec& codec, NodeView value, const CallOptions& options) {
  if (!codec.info().takes(POLYCODEC_INPUT_BYTES)) {
    MemoryBlobs blobs;
    codec.encode(value, blobs, options);
    blobs.finish();
    return codec.decode(Source::store(blobs.to_store()));
  }
  return codec.decode(Source::owned(codec.encode_to_string(value, options)));
}

struct Cell {
  std::string mark;
  std::string reason;
};

constexpr const char* mark_exact = "=";
constexpr const char* mark_retyped = "≈";
constexpr const char* mark_mesh = "mesh";
constexpr const char* mark_lossy = "lossy";
constexpr const char* mark_refused = "-";

/// The geometry of a value in the members that it had, those of PLY or of OBJ. The codec `info` has
/// written it and read it as `back`. A format whose values have members of their own says it as a
/// mesh.
Value geometry_of(const CodecInfo& info, NodeView value, NodeView back) {
  const Codec first = registry().codec(View(value).find("vertex") ? "ply" : "obj");
  if (info.name == "obj" || info.name == "ply") return round_trip(first, back, {});
  const std::string bytes = registry().codec(info.name).encode_to_string(value);
  const Value mesh =
      registry().codec_with_json(info.name, R"({"form": "mesh"})").decode(Source::view(bytes));
  return round_trip(first, mesh.view(), {});
}

Cell cell_of(const CodecInfo& info, NodeView given) {
  // A buffer of fastbin is a struct: anything else is put in one.
  const Value in_struct = Value::build([&](Builder& out) {
    return out.object({{"value", *given.raw()}});
  });
  const NodeView value = info.name == "fastbin" && View(given).kind() != POLYCODEC_KIND_OBJECT
                             ? in_struct.view()
                             : given;
  const auto compared = [&] {
    const Value back = round_trip(opened(info, value), value, {});
    // Attributes that a decoder adds say how the file was written; those that are lost are refused
    // before.
    const CompareOptions content{.lists_by_content = true, .metadata = false};
    const CompareOptions numbers{
        .numbers_by_value = true, .lists_by_content = true, .metadata = false};
    const bool exact = equal(value, back.view(), content);
    if (exact && content_hash(value) == content_hash(back.view())) return Cell{mark_exact, ""};
    const auto changed = first_difference(value, back.view(), numbers);
    if (!changed) {
      const auto difference = first_difference(value, back.view(), {.metadata = false});
      return Cell{mark_retyped, difference ? difference->reason
                                           : type::print(infer_type(value)) + " comes back as " +
                                                 type::print(infer_type(back.view()))};
    }
    // Geometry in the members of another format: written in those of the first again, it is what
    // was given.
    const bool geometry =
        info.name == "obj" || info.name == "ply" || info.name == "stl" || info.name == "gltf";
    EXPECT_TRUE(geometry && equal(value, geometry_of(info, value, back.view()).view(), numbers))
        << info.name << " changes the value without a word: " << changed->path << ": "
        << changed->reason;
    return Cell{mark_mesh, changed->reason};
  };
  const auto expect_refusal = [&](const Error& e) {
    const Status code = e.code();
    EXPECT_TRUE(code == Status::unsupported || code == Status::type || code == Status::range ||
                code == Status::limit)
        << info.name << ": " << e.describe();
    EXPECT_GE(e.message().size(), 10u) << e.describe();
  };
  try {
    return compared();
  } catch (const Error& refusal) {
    expect_refusal(refusal);
  }
  std::vector<std::string> losses;
  CallOptions lossy;
  lossy.on_loss = [&](LossClass, std::string_view, std::string_view what) {
    losses.emplace_back(what);
  };
  try {
    (void)round_trip(opened(info, value), value, lossy);
    EXPECT_FALSE(losses.empty()) << info.name << " loses without a word what it refused before";
    return {mark_lossy, losses.empty() ? "" : losses[0]};
  } catch (const Error& refusal) {
    expect_refusal(refusal);
    return {mark_refused, refusal.message()};
  }
}

constexpr std::string_view ply_mesh =
    R"({"type": "{vertex: 3 * {x: float32, y: float32, z: float32}, face: 1 * {vertex_indices: var * int32}}", )"
    R"("value": {"vertex": [{"x": 0.0, "y": 0.0, "z": 0.0}, {"x": 1.0, "y": 0.0, "z": 0.0}, {"x": 0.0, "y": 1.0, "z": 0.0}], )"
    R"("face": [{"vertex_indices": [0, 1, 2]}]}})";
constexpr std::string_view obj_model =
    "mtllib a.mtl\no part\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\ng side\nusemtl red\nf "
    "1/1/1 2/1/1 3/1/1\n";

constexpr std::string_view stl_file =
    "solid part\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
    "0\nendloop\nendfacet\nendsolid part\n";
constexpr std::string_view gltf_scene =
    R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],)"
    R"("meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,)"
    R"("componentType":5126,"count":3,"type":"VEC3","min":[0.0,0.0,0.0],"max":[1.0,1.0,0.0]}],)"
    R"("bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":)"
    R"("data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})";

/// Messages quote what is in the value; the page shows one of a kind, on one line.
std::string short_text(std::string text) {
  if (const auto end = text.find('\n'); end != std::string::npos) text.resize(end);
  if (text.size() > 140) text = text.substr(0, 137) + "...";
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '`') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// The values that come of one in each codec.
std::vector<Value> as_read_from_each(NodeView value) {
  std::vector<Value> all;
  CallOptions lossy;
  lossy.on_loss = [](LossClass, std::string_view, std::string_view) {};
  for (const CodecInfo* codec : codecs()) {
    try {
      all.push_back(round_trip(opened(*codec, value), value, lossy));
    } catch (const Error&) {
      // What a codec refuses is in the matrix.
    }
  }
  return all;
}

TEST(Conversion, WhatAwkwardWritesIsReadAndHashedAgain) {
  const Codec awkward = registry().codec("awkward");
  CallOptions lossy;
  lossy.on_loss = [](LossClass, std::string_view, std::string_view) {};
  std::size_t count = 0;
  for (const auto& entry : kit::corpus()) {
    const Value given = Value::build(entry.make);
    for (const Value& value : as_read_from_each(given.view())) {
      SCOPED_TRACE(entry.name);
      MemoryBlobs blobs;
      try {
        awkward.encode(value.view(), blobs, lossy);
      } catch (const Error& refusal) {
        EXPECT_GE(refusal.message().size(), 10u);
        continue;
      }
      blobs.finish();
      ++count;
      try {
        const Value back = awkward.decode(Source::store(blobs.to_store()));
        (void)content_hash(back.view());
      } catch (const Error& e) {
        ADD_FAILURE() << e.describe() << "\n" << to_text(value.view()).substr(0, 400);
      }
    }
  }
  EXPECT_GT(count, 300u);
}

std::string page() {
  const auto all = codecs();
  std::ostringstream out;
  out << "# Conversion matrix\n\n"
         "Reference for users who convert values. It lists which codec holds which value exactly, "
         "with losses, or not at all.\n"
         "The test `conversion.Matrix` makes it from what the code does; "
         "`POLYCODEC_UPDATE_MATRIX=1 test_conversion` writes it anew.\n\n"
         "A row is a value of the corpus of the conformance tests, and a column is the codec that "
         "writes it. The source of a value does not matter, so the\n"
         "table holds for every pair of codecs.\n\n"
         "| cell | meaning |\n|---|---|\n"
         "| `=` | the value comes back equal; a tuple counts as a list of its items, a reference "
         "as its target |\n"
         "| `≈` | the same items and numbers, but of another type; notes below |\n"
         "| `mesh` | the same geometry, in the members of the other format |\n"
         "| `lossy` | rejected, unless loss is allowed (`--lossy`, `CallOptions::on_loss`); each "
         "loss is reported |\n"
         "| `-` | rejected; notes below |\n\n"
         "fastbin has no types in its bytes: its column is for the schema that `polycodec fastbin "
         "infer` "
         "finds.\n\n|  |";
  for (const auto* codec : all) out << " " << codec->name << " |";
  out << "\n|---|";
  for (std::size_t i = 0; i < all.size(); ++i) out << "---|";
  out << "\n";
  std::vector<std::pair<std::string, Value>> values;
  for (const auto& entry : kit::corpus()) values.emplace_back(entry.name, Value::build(entry.make));
  values.emplace_back("a PLY mesh", parse_text(ply_mesh));
  values.emplace_back("an OBJ model", registry().codec("obj").decode(Source::view(obj_model)));
  values.emplace_back("an STL file", registry().codec("stl").decode(Source::view(stl_file)));
  values.emplace_back("a glTF scene", registry().codec("gltf").decode(Source::view(gltf_scene)));
  std::map<std::string, std::map<std::string, std::string>>
      notes;  // of a codec: mark and reason -> first row
  for (const auto& [name, value] : values) {
    SCOPED_TRACE(name);
    out << "| `" << name << "` |";
    for (const auto* codec : all) {
      SCOPED_TRACE(codec->name);
      const Cell cell = cell_of(*codec, value.view());
      out << " " << (cell.mark.size() > 3 ? cell.mark : "`" + cell.mark + "`") << " |";
      if (!cell.reason.empty())
        notes[codec->name].emplace("`" + cell.mark + "` " + short_text(cell.reason), name);
    }
    out << "\n";
  }
  out << "\n## Notes\n";
  for (const auto& [codec, reasons] : notes) {
    out << "\n### " << codec << "\n\n| | first at |\n|---|---|\n";
    for (const auto& [reason, entry] : reasons) out << "| " << reason << " | `" << entry << "` |\n";
  }
  return out.str();
}

constexpr const char* matrix_page = POLYCODEC_SOURCE_DIR "/docs/conversion-matrix.md";

TEST(Matrix, ThePageSaysWhatTheCodeDoes) {
  const std::string now = page();
  if (std::getenv("POLYCODEC_UPDATE_MATRIX") != nullptr) {
    test::write_file(matrix_page, now);
    return;
  }
  const std::string written = test::read_file(matrix_page);
  // Line by line, so that a difference is one line of output.
  std::istringstream a(written), b(now);
  for (std::string left, right; std::getline(b, right);) {
    ASSERT_TRUE(std::getline(a, left)) << "the page ends before: " << right;
    ASSERT_EQ(left, right);
  }
  EXPECT_EQ(written.size(), now.size());
}

}  // namespace
}  // namespace polycodec
